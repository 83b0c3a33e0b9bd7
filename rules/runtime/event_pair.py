"""Events that only measure a time, as readings of the host's clock."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import ACCELERATOR_SINCE, Edit, Fix, Module, dotted

from .guarded import siblings
from .uses import trust

_EVENTS = frozenset({"torch.cuda.Event", "torch.cuda.streams.Event"})
_CLOCK = "time.perf_counter"


def host_clock(call: cst.Call, module: Module) -> Fix | None:
    """The fix of an event and all those it is measured against, None where one does more."""
    names = _measured_with(_target(call, module), call, module)
    if not names or not _may_import_time(call, module):
        return None
    edits: list[Edit] = []
    for name in sorted(names):
        changed = _changed(name, call, module)
        if changed is None:
            return None
        edits += changed
    edits += _dropped(names, call, module)
    return Fix(tuple(edits), trust(False), ACCELERATOR_SINCE)


def _target(call: cst.Call, module: Module) -> str | None:
    """The variable that one event is bound to, alone or in a tuple."""
    assign = module.enclosing(call, cst.Assign)
    for name, value in _bound(assign):
        if value is call:
            return name
    return None


def _bound(assign: cst.CSTNode | None) -> list[tuple[str, cst.BaseExpression]]:
    """The variables of an assignment with their values, empty unless it is plain."""
    match assign:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Tuple() as names)], value=cst.Tuple() as values
        ):
            pairs = [
                (n.value, v.value) for n, v in zip(names.elements, values.elements, strict=False)
            ]
            return (
                [(dotted(n) or "", v) for n, v in pairs]
                if len(names.elements) == len(values.elements)
                else []
            )
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
            return [(dotted(target) or "", value)]
        case _:
            return []


def _home(call: cst.CSTNode, name: str, module: Module) -> cst.CSTNode:
    """The code in which a variable lives: the class for `self.start`, else the function."""
    around = (cst.ClassDef,) if name.startswith("self.") else (cst.FunctionDef, cst.ClassDef)
    return module.enclosing(call, *around) or module.tree.root


def _reads(name: str, call: cst.CSTNode, module: Module) -> list[cst.BaseExpression]:
    """Every mention of a variable that reads it, wherever it stands."""
    named: list[cst.BaseExpression] = []
    if "." in name:
        last = name.rpartition(".")[2]
        named += [node for node in module.nodes(cst.Attribute) if node.attr.value == last]
    else:
        bound = module.tree.scope(call).lookup(name)
        found = [node for node in module.nodes(cst.Name) if node.value == name]
        named += [node for node in found if module.names.bindings(node) == bound]
    return [node for node in named if not _is_target(node, module)]


def _is_target(node: cst.CSTNode, module: Module) -> bool:
    parent = module.parent(node)
    if isinstance(parent, cst.Element):
        parent = module.parent(module.parent(parent))
    return isinstance(parent, cst.AssignTarget)


def _measured_with(name: str | None, call: cst.Call, module: Module) -> set[str]:
    """The variable and all those that a chain of `a.elapsed_time(b)` ties to it."""
    names = {name} if name else set()
    for _ in range(4):
        for node in module.nodes(cst.Call):
            match node:
                case cst.Call(
                    func=cst.Attribute(value=start, attr=cst.Name("elapsed_time")),
                    args=[cst.Arg(value=end)],
                ) if {dotted(start), dotted(end)} & names:
                    if _home(node, dotted(start) or "", module) is _home(call, name or "", module):
                        names |= {dotted(start) or "", dotted(end) or ""}
    return names if len(names) > 1 and "" not in names else set()


def _changed(name: str, call: cst.Call, module: Module) -> list[Edit] | None:
    """The edits of every use of one event, None if a use is no measurement."""
    if not _is_event(name, call, module):
        return None
    edits: list[Edit] = []
    recorded = False
    for node in _reads(name, call, module):
        if dotted(node) != name or _home(node, name, module) is not _home(call, name, module):
            return None
        made = _use(name, node, module)
        if made is None:
            return None
        recorded |= any(_CLOCK.rpartition(".")[2] in edit.text for edit in made)
        edits += made
    return edits if recorded else None


def _is_event(name: str, call: cst.Call, module: Module) -> bool:
    """Whether a variable is bound once, to an event."""
    home = _home(call, name, module)
    values = [
        value
        for assign in module.nodes(cst.Assign)
        if _home(assign, name, module) is home
        for target, value in _bound(assign)
        if target == name
    ]
    if "." not in name and len(module.tree.scope(call).lookup(name)) != 1:
        return False
    return (
        len(values) == 1
        and isinstance(values[0], cst.Call)
        and module.name(values[0].func) in _EVENTS
    )


def _use(name: str, node: cst.BaseExpression, module: Module) -> list[Edit] | None:
    method = module.parent(node)
    if isinstance(method, cst.Arg):
        other = module.parent(method)
        return [] if isinstance(other, cst.Call) and _is_elapsed(other) else None
    asked = module.parent(method) if isinstance(method, cst.Attribute) else None
    if not isinstance(asked, cst.Call) or asked.func is not method:
        return None
    match method:
        case cst.Attribute(attr=cst.Name("record")):
            return _recorded(name, asked, module)
        case cst.Attribute(attr=cst.Name("synchronize")) if not asked.args:
            return _waited(asked, module)
        case cst.Attribute(attr=cst.Name("elapsed_time")) if _is_elapsed(asked):
            return [_elapsed(name, asked, module)]
        case _:
            return None


def _is_elapsed(call: cst.Call) -> bool:
    match call:
        case cst.Call(
            func=cst.Attribute(attr=cst.Name("elapsed_time")), args=[cst.Arg(keyword=None, star="")]
        ):
            return True
        case _:
            return False


def _recorded(name: str, call: cst.Call, module: Module) -> list[Edit] | None:
    """The clock is read once the device has done all it was given."""
    asked, edits = module.asked(call)
    wait, _ = module.use("torch.accelerator.synchronize", call)
    clock, imports = module.use(_CLOCK, call)
    indent = module.tree.root.default_indent
    lines = [f"if {asked}():", f"{indent}{wait}()", f"{name} = {clock}()"]
    if module.accelerated(call):
        lines = [f"{wait}()", lines[-1]]
    placed = module.statements(call, *lines)
    return [placed, *edits, *imports] if placed is not None else None


def _waited(call: cst.Call, module: Module) -> list[Edit] | None:
    """The clock has waited already: the statement goes."""
    statement = module.parent(call)
    return module.remove(statement) if isinstance(statement, cst.Expr) else None


def _elapsed(name: str, call: cst.Call, module: Module) -> Edit:
    text = f"({module.text(call.args[0].value)} - {name}) * 1000"
    match module.parent(call):
        case cst.BinaryOperation(left=left, operator=cst.Multiply() | cst.Divide()) if left is call:
            return module.replace(call, text)
        case cst.BinaryOperation(operator=cst.Add() | cst.Subtract()):
            return module.replace(call, text)
        case _:
            return module.replace_choice(call, text)


def _dropped(names: set[str], call: cst.Call, module: Module) -> Iterator[Edit]:
    """The events themselves: removed where the block keeps other statements, else set to 0."""
    for assign in module.nodes(cst.Assign):
        bound = _bound(assign)
        if not bound or not {name for name, _ in bound} <= names:
            continue
        if any(_home(assign, name, module) is not _home(call, name, module) for name, _ in bound):
            continue
        removed = None if bound[0][0].startswith("self.") else _removed(assign, names, module)
        if removed is not None:
            yield from removed
        else:
            yield from (module.replace(value, "0.0") for _, value in bound)


def _removed(assign: cst.Assign, names: set[str], module: Module) -> list[Edit] | None:
    kept = [
        line
        for line in siblings(module.parent(assign), module)
        if not isinstance(line, cst.SimpleStatementLine)
        or not any({name for name, _ in _bound(part)} & names for part in line.body)
    ]
    return module.remove(assign) if kept else None


def _may_import_time(call: cst.Call, module: Module) -> bool:
    """Whether the name `time` is the module's, or free to be."""
    found = module.tree.scope(call).lookup("time")
    return not found or all(binding.imported == "time" for binding in found)
