"""What stands for `torch.cuda.current_device()`: the device where one is meant, else its index."""

from __future__ import annotations

import libcst as cst

from neuronlint import Edit, Fix, Module, Role, last_name

from .guarded import guarded
from .uses import Use, predates_accelerator, renamed, trust

_INDEX_NAMES = ("id", "ids", "idx", "index", "num", "number", "rank", "count", "ordinal")
_TAKE_INDEX = frozenset({"torch.cuda.set_device", "torch.accelerator.set_device_index"})
_TEXT_DEPTH = 4  # from the call to the text it is a part of, as in "cuda:" + str(call)


def fix(use: Use, module: Module) -> Fix | None:
    """The fix of a use, which depends on what its place expects."""
    call = use.call
    if call is None or call.args:
        return None if call is not None else renamed(use, module, safe=False)
    if (move := _move(call, module)) is not None:
        bare = Edit(module.span(move.func)[1], module.span(move)[1], "()")
        return Fix((bare,), trust(True))
    if _spells_device(call, module):
        accelerated = module.accelerated(call)
        return renamed(use, module, safe=use.row.safe) if accelerated else None
    if predates_accelerator(use.row):
        return renamed(use, module, safe=use.row.safe)  # a device's number is a device too
    if (role := _device_role(call, module)) is not None and not _makes_device(call, module):
        place = _place(call, module)
        placed = module.placement.object(place)
        return placed.fix(module.put(place, placed), safe=role is Role.DEVICE)
    new, edits = module.use(use.row.new, call)
    edits += guarded(call, f"{new}()", module, '"cpu"' if role is not None else "0")
    return Fix(tuple(edits), trust(use.row.safe), use.row.since)


def _move(call: cst.Call, module: Module) -> cst.Call | None:
    """The call `x.cuda(...)` of this alone, which means the current device anyway."""
    parent = module.parent(call)
    match module.parent(parent) if isinstance(parent, cst.Arg) else None:
        case cst.Call(func=cst.Attribute(attr=cst.Name("cuda")), args=[_]) as move:
            return move
        case _:
            return None


def _spells_device(call: cst.BaseExpression, module: Module) -> bool:
    """Whether the call is the number in a text or device of CUDA, which has a rule of its own."""
    node: cst.CSTNode = call
    for _ in range(_TEXT_DEPTH):
        node = module.parent(node)
        match node:
            case cst.BaseExpression() if module.devices.text(node) or module.devices.object(node):
                return True
            case cst.BaseStatement() | cst.BaseSmallStatement() | cst.Module():
                return False
    return False


def _device_role(call: cst.Call, module: Module) -> Role | None:
    """The role of a place that takes a device, None where the number is wanted."""
    role = module.devices.role(call)
    match role:
        case Role.DEVICE:
            return role
        case Role.ASSIGNED | Role.RETURNED:
            numbered = _named(call, module).endswith(_INDEX_NAMES) or _is_counted_on(call, module)
            return None if numbered else role
        case Role.TYPE:
            return role if _is_device_argument(call, module) else None
        case _:
            return None


def _makes_device(call: cst.Call, module: Module) -> bool:
    """Whether the number becomes a device of its own, of which it can be asked back."""
    made = module.parent(module.parent(_place(call, module)))
    return isinstance(made, cst.Call) and module.name(made.func) == "torch.device"


def _named(call: cst.Call, module: Module) -> str:
    """The name that a value is given to, or the function that gives it back."""
    holder = module.enclosing(
        call, cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.DictElement, cst.FunctionDef
    )
    match holder:
        case cst.Assign(targets=[cst.AssignTarget(target=target), *_]):
            return last_name(target).lower()
        case cst.AnnAssign(target=target) | cst.NamedExpr(target=target):
            return last_name(target).lower()
        case cst.FunctionDef(name=name):
            return name.value.lower()
        case _:
            return ""


def _is_counted_on(call: cst.Call, module: Module) -> bool:
    """Whether the variable that holds the value is used as a number."""
    assign = module.parent(call)
    match assign:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))]):
            bound = module.tree.scope(assign).lookup(name)
        case _:
            return False
    return any(
        node.value == name and module.names.bindings(node) == bound and _is_number(node, module)
        for node in module.nodes(cst.Name)
    )


def _is_number(node: cst.Name, module: Module) -> bool:
    """Whether a name stands for an index: in a device's text, where the device is set."""
    parent = module.parent(node)
    call = module.parent(parent) if isinstance(parent, cst.Arg) else None
    if isinstance(call, cst.Call) and module.name(call.func) in _TAKE_INDEX:
        return True
    return isinstance(parent, (cst.Comparison, cst.ComparisonTarget)) or _spells_device(
        node, module
    )


def _is_device_argument(call: cst.Call, module: Module) -> bool:
    parent = module.parent(_place(call, module))
    match parent:
        case cst.Arg(keyword=cst.Name("device" | "map_location" | "execution_device")):
            return True
        case cst.DictElement():
            return True
        case _:
            return False


def _place(call: cst.Call, module: Module) -> cst.BaseExpression:
    """The call, or the choice between it and the CPU that asks for an accelerator."""
    match module.parent(call):
        case (
            cst.IfExp(
                test=cst.Call(func=asked), body=body, orelse=cst.SimpleString() as otherwise
            ) as choice
        ) if body is call and otherwise.evaluated_value == "cpu":
            name = module.name(asked) or ""
            return choice if name == "torch.accelerator.is_available" else call
        case _:
            return call
