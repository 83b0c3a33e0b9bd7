"""NL503: device numbers that a CPU does not have."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Fix, Match, Module, Rule, Severity, is_constant, last_name

rule = Rule(
    "NL503",
    "device-ids",
    "`{old}` fails on a CPU; pass `None` where no accelerator is",
    __name__,
    Severity.ERROR,
    guarded=Severity.WARNING,
    triggers=("device_ids", "*DistributedDataParallel", "*DDP"),
)

_PARAMETERS = ("module", "device_ids", "output_device")
_WRAPPERS = ("DistributedDataParallel", "DDP")
_SIMPLE = (cst.Name, cst.Attribute, cst.Integer, cst.Call, cst.Subscript)


@rule.check
def device_ids(node: cst.Call, module: Module) -> Iterator[Match]:
    given = _given(node, module)
    numbers = given.get("device_ids")
    if numbers is None or not _is_list(numbers.value):
        return
    if module.accelerated(node):
        return
    asked, imports = module.asked(node)
    edits = []
    for name, arg in given.items():
        if name == "device_ids" or (
            isinstance(arg.value, _SIMPLE) and not is_constant(arg.value, "None")
        ):
            # The whole argument, so that a fix inside it waits, and then sees the condition.
            text = f"{module.text(arg)} if {asked}() else None"
            edits.append(module.replace(arg, text))
    fix = Fix((*edits, *imports), since=module.asked_since)
    yield rule.match(numbers, fix, old=module.text(numbers))


def _given(call: cst.Call, module: Module) -> dict[str, cst.Arg]:
    """The arguments that hold device numbers, by parameter."""
    name = module.name(call.func) or last_name(call.func)
    called = name.rpartition(".")[2]
    if name == "torch.distributed.barrier":
        return {
            a.keyword.value: a for a in call.args if a.keyword and a.keyword.value == "device_ids"
        }
    if not called.endswith(_WRAPPERS):
        return {}
    found = {}
    for position, arg in enumerate(call.args):
        if arg.star or not (arg.keyword or called in _WRAPPERS):
            continue
        positional = _PARAMETERS[position] if position < len(_PARAMETERS) else ""
        parameter = arg.keyword.value if arg.keyword else positional
        if parameter in ("device_ids", "output_device"):
            found[parameter] = arg
    return found


def _is_list(value: cst.BaseExpression) -> bool:
    match value:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return bool(elements)
        case cst.ListComp() | cst.Call(func=cst.Name("list" | "range")):
            return True
        case _:
            return False
