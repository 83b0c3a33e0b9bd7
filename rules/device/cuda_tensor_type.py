"""NL107: a tensor type of CUDA, `torch.cuda.FloatTensor`."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Edit, Match, Module, Rule, Severity, read_table

from .tensor_type_alias import alias_fix

rule = Rule(
    "NL107",
    "cuda-tensor-type",
    "`{old}` is a type of CUDA tensors; {new}",
    __name__,
    Severity.ERROR,
    guarded=Severity.WARNING,
    triggers=("cuda",),
)

_SET_DEFAULT = "torch.set_default_tensor_type"


@rule.check
def cuda_tensor_type(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    if (name := module.name(node)) is None or (dtype := _dtype(name)) is None:
        return
    if isinstance(node, cst.Name) and isinstance(module.names.value(node), cst.Attribute):
        return  # an alias: found where it is made
    yield _match(node, name, dtype, module)


@rule.check
def cuda_tensor_type_text(node: cst.SimpleString, module: Module) -> Iterator[Match]:
    name = node.evaluated_value
    if not isinstance(name, str) or isinstance(module.parent(node), cst.Expr):
        return
    if name.startswith("torch.cuda.") and (dtype := _dtype(name)):
        yield _match(node, name, dtype, module)


def _dtype(name: str) -> str | None:
    if not name.startswith("torch.cuda."):
        return None
    row = read_table(__name__, "tensor_types.toml").get(name)
    return row.dtype or None if row is not None else None


def _match(node: cst.BaseExpression, name: str, dtype: str, module: Module) -> Match:
    old = module.text(node)
    call = module.parent(node)
    new = f"`dtype={dtype}` and a device say the same for any accelerator"
    if "sparse" in name or not name.endswith("Tensor"):  # a layout, or a storage
        return rule.match(node, old=old, new=new)
    if isinstance(call, cst.IfExp):
        fix = alias_fix(call, node, dtype, module)
        return rule.match(node, fix, old=old, new="make it on the CPU and move it to the device")
    if isinstance(call, cst.Call) and call.func is node:
        return _constructed(node, call, name, module)
    if isinstance(call, cst.Arg) and isinstance(converted := module.parent(call), cst.Call):
        if module.name(converted.func) == _SET_DEFAULT:
            return _default(node, converted, dtype, module)
        if isinstance(converted.func, cst.Attribute) and converted.func.attr.value == "type":
            return _converted(node, converted, dtype, module)
    return rule.match(node, old=old, new=new)


def _constructed(node: cst.BaseExpression, call: cst.Call, name: str, module: Module) -> Match:
    """`torch.cuda.FloatTensor(x)`: made on the CPU, then moved."""
    placed = module.placement.object(call)
    old = module.text(node)
    new, edits = module.use(f"torch.{name.rpartition('.')[2]}", node)
    end = module.span(call)[1]
    fix = placed.fix(
        module.replace(node, new), Edit(end, end, f".to({placed.text})"), *edits, safe=False
    )
    return rule.match(
        node, fix, old=old, new=f"`{new}(...).to({placed.name})` gives any accelerator's"
    )


def _converted(node: cst.BaseExpression, call: cst.Call, dtype: str, module: Module) -> Match:
    """`x.type(torch.cuda.FloatTensor)`."""
    placed = module.placement.object(call)
    written, edits = module.use(dtype, node)
    assert isinstance(call.func, cst.Attribute)
    start, end = module.span(call.func.attr)[0], module.span(call)[1]
    new = f"to(device={placed.text}, dtype={written})"
    fix = placed.fix(Edit(start, end, new), *edits, safe=len(call.args) == 1)
    portable = f"to(device={placed.name}, dtype={written})"
    return rule.match(
        node, fix, old=module.text(node), new=f"`.{portable}` gives any accelerator's"
    )


def _default(node: cst.BaseExpression, call: cst.Call, dtype: str, module: Module) -> Match:
    """`torch.set_default_tensor_type(...)`: two settings that are one there."""
    placed = module.placement.object(call)
    set_dtype, edits = module.use("torch.set_default_dtype", call)
    set_device, more = module.use("torch.set_default_device", call)
    written, _ = module.use(dtype, call)
    lines = module.statements(call, f"{set_dtype}({written})", f"{set_device}({placed.text})")
    fix = placed.fix(lines, *edits, *more, safe=False) if lines else None
    new = "`torch.set_default_device` and `torch.set_default_dtype` set those of any accelerator"
    return rule.match(node, fix, old=module.text(node), new=new)
