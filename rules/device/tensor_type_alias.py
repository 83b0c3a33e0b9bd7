"""A name for a tensor type: `Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor`."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Edit, Fix, Module


def alias_fix(
    choice: cst.IfExp, cuda: cst.BaseExpression, dtype: str, module: Module
) -> Fix | None:
    """The fix that makes the name the CPU's type and moves what it makes, if all uses allow."""
    other = choice.orelse if choice.body is cuda else choice.body
    assign = module.parent(choice)
    if not isinstance(assign, cst.Assign) or not isinstance(assign.targets[0].target, cst.Name):
        return None
    if not (module.name(other) or "").startswith("torch."):
        return None
    moved: list[Edit] = []
    for use in _uses(assign, assign.targets[0].target.value, module):
        edits = _moved(use, dtype, module)
        if edits is None:
            return None
        moved += edits
    placed = module.placement.object(choice)
    return placed.fix(module.replace(choice, module.text(other)), *moved, safe=False)


def _uses(assign: cst.Assign, name: str, module: Module) -> Iterator[cst.Name]:
    for use in module.nodes(cst.Name):
        if use.value == name and [b.node for b in module.names.bindings(use)] == [assign]:
            yield use


def _moved(use: cst.Name, dtype: str, module: Module) -> list[Edit] | None:
    """The edits that make one use of the name give a tensor on the device."""
    placed = module.placement.object(use)
    parent = module.parent(use)
    if isinstance(parent, cst.Call) and parent.func is use:
        end = module.span(parent)[1]
        return [Edit(end, end, f".to({placed.text})"), *placed.edits]
    call = module.parent(parent) if isinstance(parent, cst.Arg) else None
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name("type") as method)):
            written, edits = module.use(dtype, use)
            new = f"to(device={placed.text}, dtype={written})"
            moved = Edit(module.span(method)[0], module.span(call)[1], new)
            return [moved, *edits, *placed.edits]
        case _:
            return None
