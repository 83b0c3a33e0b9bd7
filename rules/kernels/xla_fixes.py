"""What takes the place of the XLA route, where one thing does."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from neuronlint import (
    ACCELERATOR_SINCE,
    Applicability,
    Edit,
    Fix,
    Module,
    Role,
    Row,
    imported_names,
)

from .arguments import drop
from .facts import imported

_DEVICES = frozenset({"torch_xla.core.xla_model.xla_device", "torch_xla.device"})
_STEPS = frozenset({"torch_xla.core.xla_model.mark_step", "torch_xla.sync"})
_GROUP = "torch.distributed.init_process_group"


def fix_use(node: cst.Attribute | cst.Name, name: str, row: Row, module: Module) -> Fix | None:
    """The fix of a call of one of the XLA names, unsafe as all of them."""
    call = module.parent(node)
    if not isinstance(call, cst.Call) or call.func is not node:
        return None
    if name in _DEVICES:
        return _device(call, module) if not call.args else None
    if name in _STEPS:
        statement = module.parent(call)
        edits = module.remove(statement) if isinstance(statement, cst.Expr) else None
        return Fix(tuple(edits), Applicability.UNSAFE) if edits else None
    if (special := _SPECIAL.get(name)) is not None:
        return special(call, module)
    return _renamed(node, call, row, module) if row.new else None


def fix_import(node: cst.Import | cst.ImportFrom, module: Module) -> Fix | None:
    """The fix that removes an import of XLA alone, once nothing uses what it binds."""
    if any(not name.startswith(("torch_xla", "torch_neuron.")) for name in imported(node)):
        return None
    if isinstance(node.names, cst.ImportStar):
        return None
    bound = {name for name, _ in imported_names(node)}
    if any(name.value in bound for name in module.nodes(cst.Name)):
        return None
    edits = module.remove(node)
    return Fix(tuple(edits), Applicability.UNSAFE) if edits else None


def fix_text(node: cst.SimpleString, role: Role, module: Module) -> Fix | None:
    """The fix of a device that is spelt as text."""
    match role:
        case Role.DEVICE:
            placed = module.placement.object(node)
        case Role.AUTOCAST:
            return _autocast(node, module)
        case Role.ASSIGNED if isinstance(module.parent(node), cst.Assign):
            placed = module.placement.choice(node, as_text=True)
        case _:
            return None
    return placed.fix(module.put(node, placed), safe=False)


def fix_group(arg: cst.Arg, call: cst.Call, module: Module) -> Fix | None:
    """The fix of a process group's backend; an `init_method` of XLA goes with it."""
    placed = module.placement.object(call)
    function, edits = module.use("torch.distributed.get_default_backend_for_device", call)
    made = [module.replace(arg.value, f"{function}({placed.text})"), *edits]
    for other in call.args:
        if other.keyword and other.keyword.value == "init_method":
            if "xla" not in module.text(other.value) or (edit := drop(other, module)) is None:
                return None
            made.append(edit)
    return placed.fix(*made, safe=False)


def _device(call: cst.Call, module: Module) -> Fix:
    if isinstance(module.parent(call), cst.Assign):
        placed = module.placement.choice(call, as_text=False)
    else:
        placed = module.placement.object(call)
    return placed.fix(module.put(call, placed), safe=False)


def _optimizer_step(call: cst.Call, module: Module) -> Fix | None:
    match call.args:
        case [cst.Arg(value=optimizer, keyword=None | cst.Name("optimizer"), star=""), *rest]:
            plain = isinstance(optimizer, (cst.Name, cst.Attribute, cst.Subscript))
            if plain and all(arg.keyword and arg.keyword.value == "barrier" for arg in rest):
                text = f"{module.text(optimizer)}.step()"
                return Fix((module.replace(call, text),), Applicability.UNSAFE)
    return None


def _wait(call: cst.Call, module: Module) -> Fix | None:
    if call.args:
        return None
    function, edits = module.use("torch.accelerator.synchronize", call)
    made = (*module.under_accelerator(call, f"{function}()"), *edits)
    return Fix(made, Applicability.UNSAFE, ACCELERATOR_SINCE)


def _rendezvous(call: cst.Call, module: Module) -> Fix | None:
    if len(call.args) != 1 or not _has_group(module):
        return None
    function, edits = module.use("torch.distributed.barrier", call)
    return Fix((module.replace(call, f"{function}()"), *edits), Applicability.UNSAFE)


def _renamed(node: cst.BaseExpression, call: cst.Call, row: Row, module: Module) -> Fix | None:
    """The fix that changes the name: of a save of two arguments, of what a process group tells."""
    saves = row.new == "torch.save"
    if any(arg.keyword or arg.star for arg in call.args) or len(call.args) != (2 if saves else 0):
        return None
    if not saves and not _has_group(module):
        return None
    function, edits = module.use(row.new, node)
    return Fix((module.replace(node, function), *edits), Applicability.UNSAFE, row.since)


def _autocast(node: cst.SimpleString, module: Module) -> Fix | None:
    """The fix of an autocast region, its dtype spelt out: the default is another elsewhere."""
    call = module.enclosing(node, cst.Call)
    if call is None or not isinstance(module.parent(node), cst.Arg):
        return None
    placed = module.placement.text(node)
    edits = [module.put(node, placed)]
    named = any(arg.keyword and arg.keyword.value == "dtype" for arg in call.args)
    if not named and len([arg for arg in call.args if not arg.keyword]) < 2:
        torch, more = module.use("torch", node)
        _, end = module.span(call.args[-1])
        edits += [Edit(end, end, f", dtype={torch}.bfloat16"), *more]
    return placed.fix(*edits, safe=False)


def _has_group(module: Module) -> bool:
    """Whether the file makes a process group, without which torch.distributed raises."""
    return any(module.name(call.func) == _GROUP for call in module.nodes(cst.Call))


_SPECIAL: dict[str, Callable[[cst.Call, Module], Fix | None]] = {
    "torch_xla.core.xla_model.optimizer_step": _optimizer_step,
    "torch_xla.core.xla_model.rendezvous": _rendezvous,
    "torch_xla.core.xla_model.wait_device_ops": _wait,
}
