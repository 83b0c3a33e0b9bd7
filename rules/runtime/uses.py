"""A use of a torch.cuda name: the row it has, the call it makes, the device it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from neuronlint import (
    ACCELERATOR_SINCE,
    Applicability,
    Fix,
    Module,
    Row,
    Severity,
    is_constant,
    read_table,
)

ACCELERATOR = read_table(__name__, "accelerator.toml")
OTHER = read_table(__name__, "other.toml")
NONE = read_table(__name__, "none.toml")
ROWS: Mapping[str, Row] = {**ACCELERATOR, **OTHER, **NONE}

# Rows that name a Python module: what is read from it has rows of its own.
MODULES = frozenset(
    above
    for name in ROWS
    if (above := name.rpartition(".")[0]) != "torch.cuda" and above.rpartition(".")[2].islower()
)
_INTEGERS = frozenset(
    {"torch.cuda.current_device", "torch.cuda.device_count", "torch.distributed.get_rank"}
    | {"torch.accelerator.current_device_index", "torch.accelerator.device_count"}
    | {"torch.distributed.get_world_size", "torch.distributed.get_node_local_rank"}
)
_FOLLOWED = 8  # names assigned from names are followed so far


@dataclass(frozen=True)
class Use:
    """One use: the name without its submodule, the row, and the call if it is called.

    The row is in the words of the project's torch: with its older form where that is needed.
    """

    node: cst.BaseExpression
    name: str
    row: Row
    call: cst.Call | None


@dataclass(frozen=True)
class Argument:
    """A device as an accelerator's function takes it, empty for the current one.

    `exact` says that it is the device the original means, whatever its value is.
    """

    text: str
    exact: bool


def severity(use: Use) -> Severity | None:
    """A warning where the original is silent without CUDA, the rule's own where it raises."""
    return Severity.WARNING if use.row.cpu[:1] in (("silent",), ("returns",)) else None


def use_of(node: cst.BaseExpression, module: Module, rows: Mapping[str, Row]) -> Use | None:
    """The use of a row's name at a node; a name that is set, or part of a longer one, is none."""
    name = module.name(node)
    if name is None or (row := rows.get(name)) is None:
        return None
    parent = module.parent(node)
    match parent:
        case cst.AssignTarget() | cst.AugAssign() | cst.Del():
            return None
        case cst.Attribute(value=value, attr=cst.Name(value=longer)) if value is node:
            if name in MODULES or f"{name}.{longer}" in ROWS:
                return None
    call = parent if isinstance(parent, cst.Call) and parent.func is node else None
    return Use(node, _canonical(name), _fitting(row, module), call)


def _canonical(name: str) -> str:
    """The name in torch.cuda itself of what a submodule has too."""
    short = f"torch.cuda.{name.rpartition('.')[2]}"
    return short if ROWS.get(short) == ROWS[name] else name


def _fitting(row: Row, module: Module) -> Row:
    """The row as the project's torch has it; a form that is to be written by hand is only told."""
    if row.new in module.settings.style.names:
        return replace(
            row, since="" if module.settings.style.guarded is False else module.asked_since
        )
    if not row.older or supports(module, row.since):
        return row
    if row.older_since:
        return replace(row, new=row.older, since=row.older_since)
    instead = row.instead or f"`{row.new}` works on any accelerator"
    return replace(row, instead=f"{instead}; before torch {row.since}: {row.older}")


def supports(module: Module, release: str) -> bool:
    """Whether the oldest torch of the project, where it is known, is new enough."""
    torch = module.settings.torch
    return not torch or newest(torch, release) == torch


def predates_accelerator(row: Row) -> bool:
    """Whether a row is in the words of a torch that cannot be asked for an accelerator."""
    return bool(row.since) and newest(row.since, ACCELERATOR_SINCE) != row.since


def argument_of(call: cst.Call, module: Module) -> Argument | None:
    """The one device that a call is given, None where its arguments are not just that."""
    match call.args:
        case []:
            return Argument("", exact=True)
        case [cst.Arg(value=value, star="", keyword=None | cst.Name("device"))]:
            return device_argument(value, module)
        case _:
            return None


def device_argument(value: cst.BaseExpression, module: Module) -> Argument:
    """A device as an index where it spells one, else the expression itself."""
    if is_constant(value, "None"):
        return Argument("", exact=True)
    found = module.devices.text(value) or module.devices.object(value)
    if found is None:
        known = is_integer(value, module) or _is_held(value, module)
        return Argument(module.text(value), known)
    match found.index:
        case None:
            return Argument("", exact=True)
        case str(digits):
            return Argument(digits, exact=True)
        case index:
            return Argument(module.text(index), is_integer(index, module))


def is_integer(value: cst.CSTNode, module: Module, depth: int = _FOLLOWED) -> bool:
    """Whether an expression is surely an integer, as far as the file tells."""
    match value:
        case cst.Integer():
            return True
        case cst.Call(func=cst.Name("int")):
            return True
        case cst.Call(func=function):
            return module.name(function) in _INTEGERS
        case cst.BinaryOperation(left=left, right=right):
            return is_integer(left, module, depth) and is_integer(right, module, depth)
        case cst.Name() if depth:
            return _holds_integer(value, module, depth - 1)
        case _:
            return False


def _holds_integer(name: cst.Name, module: Module, depth: int) -> bool:
    found = module.names.bindings(name)
    if len(found) != 1:
        return False
    match found[0].node:
        case cst.Param(annotation=cst.Annotation(annotation=cst.Name("int")), default=None):
            return True
    return found[0].value is not None and is_integer(found[0].value, module, depth)


def renamed(use: Use, module: Module, *, safe: bool) -> Fix:
    """The fix that changes the name alone."""
    new, edits = module.use(use.row.new, use.node)
    return Fix((module.replace(use.node, new), *edits), trust(safe), use.row.since)


def trust(safe: bool) -> Applicability:
    """Safe or unsafe."""
    return Applicability.SAFE if safe else Applicability.UNSAFE


def newest(*releases: str) -> str:
    """The newest of some torch releases."""
    return max(releases, key=lambda release: [int(part) for part in release.split(".") if part])


def quoted(text: str, node: cst.CSTNode, module: Module) -> str:
    """A text as a string that may stand in the f-string around a node, if there is one."""
    around = module.enclosing(node, cst.FormattedString)
    quote = "'" if around is not None and '"' in around.quote else '"'
    return f"{quote}{text}{quote}"


def is_held(args: Sequence[cst.Arg], module: Module) -> bool:
    """Whether the one argument is the name that holds the program's first device.

    It has no index once its value is fixed, as `current_accelerator()` has none.
    """
    return len(args) == 1 and _is_held(args[0].value, module)


def _is_held(value: cst.BaseExpression, module: Module) -> bool:
    held = module.devices.held(value)
    return held is not None and held.certain and held.text == module.text(value)
