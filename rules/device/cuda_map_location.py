"""NL109: a map_location that moves to CUDA by a function or a dictionary."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import CudaText, Match, Module, Placed, Rule, Severity

rule = Rule(
    "NL109",
    "cuda-map-location",
    "`map_location` sends storages to CUDA; `map_location={device}` to the device there is",
    __name__,
    Severity.ERROR,
    guarded=Severity.WARNING,
    triggers=("cuda",),
)


@rule.check
def cuda_map_location(node: cst.Arg, module: Module) -> Iterator[Match]:
    if node.keyword is None or node.keyword.value != "map_location":
        return
    value = node.value
    if isinstance(value, cst.Name) and isinstance(
        held := module.names.value(value), (cst.Dict, cst.Lambda)
    ):
        value = held
    found = _destination(value, module)
    if found is None:
        return
    placed = _placed(value, found, module)
    fix = placed.fix(module.put(value, placed), safe=False)
    yield rule.match(value, fix, device=placed.name)


def _destination(value: cst.BaseExpression, module: Module) -> CudaText | None:
    """Where `lambda storage, loc: storage.cuda(i)` or `{"cuda:1": "cuda:0"}` sends storages."""
    match value:
        case cst.Lambda(
            body=cst.Call(func=cst.Attribute(value=cst.Name(), attr=cst.Name("cuda")), args=args)
        ):
            return CudaText(value, args[0].value if args else None)
        case cst.Dict(elements=[cst.DictElement(value=target)]):
            return module.devices.text(target)
        case _:
            return None


def _placed(at: cst.BaseExpression, found: CudaText, module: Module) -> Placed:
    index = found.index.value if isinstance(found.index, cst.Integer) else found.index
    return module.placement.object(at, CudaText(found.node, index))
