"""NL607: the XLA route to an accelerator, which has ended."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import (
    Applicability,
    Fix,
    Match,
    Module,
    Role,
    Rule,
    Severity,
    names_backend,
    read_table,
)

from .environment import setting
from .facts import MESSAGE, imports_behind, libraries, reference, row_of
from .xla_fixes import fix_group, fix_import, fix_text, fix_use

rule = Rule(
    "NL607",
    "xla-route",
    MESSAGE,
    __name__,
    Severity.ERROR,
    guarded=Severity.ERROR,
    triggers=(
        *("must use torch_xla", "must use torch_neuron", "must use torch_neuronx"),
        *("torch.neuron", "torch import...neuron", "'xla'", "'xla:*'"),
        *("PJRT_DEVICE", "XRT_TPU_CONFIG", "XLA_USE_*", "XLA_DOWNCAST_*"),
    ),
)

_PLACES = frozenset({Role.DEVICE, Role.AUTOCAST, Role.ASSIGNED, Role.DEFAULT, Role.RETURNED})
_ENDED = "is of the XLA route to Neuron, which ended with torch 2.9"


@rule.check
def xla_import(node: cst.Import | cst.ImportFrom, module: Module) -> Iterator[Match]:
    """An import that must succeed."""
    for name in libraries(node, module):
        row = row_of(name, read_table(__name__, "xla.toml"))
        if row is not None and not _is_branch(node, module):
            fix = fix_import(node, module)
            yield rule.match(node, fix, symbol=name, old=name, note=row.note, instead=row.instead)
            return


@rule.check
def xla_use(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    """A name of the XLA libraries, where it is used."""
    name = reference(node, module)
    if name is None or "." not in name:
        return
    row = row_of(name, read_table(__name__, "xla.toml"))
    if row is None or any(_is_branch(one, module) for one in imports_behind(node, module)):
        return
    fix = fix_use(node, name, row, module)
    yield rule.match(node, fix, old=name, note=row.note, instead=row.instead)


@rule.check
def xla_text(node: cst.SimpleString, module: Module) -> Iterator[Match]:
    """The device "xla", as text."""
    if str(node.evaluated_value).partition(":")[0] != "xla":
        return
    role = module.devices.role(node)
    if role in _PLACES:
        fix = fix_text(node, role, module)
        instead = "the type of `torch.accelerator.current_accelerator()` is the device there is"
        yield rule.match(node, fix, old=node.value, note=_ENDED, instead=instead)


@rule.check
def xla_group(node: cst.Call, module: Module) -> Iterator[Match]:
    """A process group of the backend "xla"."""
    if module.name(node.func) != "torch.distributed.init_process_group":
        return
    for position, arg in enumerate(node.args):
        keyword = arg.keyword.value if arg.keyword else "" if position else "backend"
        if keyword == "backend" and _is_text(arg.value, "xla"):
            fix = fix_group(arg, node, module)
            instead = (
                "`torch.distributed.get_default_backend_for_device` names the device's backend"
            )
            yield rule.match(arg.value, fix, old='"xla"', note=_ENDED, instead=instead)


@rule.check
def xla_variable(node: cst.Assign | cst.Call, module: Module) -> Iterator[Match]:
    """An environment variable that XLA reads."""
    if (found := setting(node, module)) is None:
        return
    row = read_table(__name__, "xla_environment.toml").get(found.name)
    if row is None:
        return
    statement = node if isinstance(node, cst.Assign) else module.parent(node)
    edits = module.remove(statement) if isinstance(statement, (cst.Assign, cst.Expr)) else None
    fix = Fix(tuple(edits), Applicability.UNSAFE) if edits else None
    yield rule.match(
        node, fix, symbol=found.name, old=found.name, note=row.note, instead=row.instead
    )


def _is_branch(node: cst.CSTNode, module: Module) -> bool:
    """Whether an import may fail, or is made in a function for this backend among others."""
    if module.guards.optional(node):
        return True
    around = module.enclosing(node, cst.FunctionDef)
    return around is not None and names_backend(around.name)


def _is_text(value: cst.BaseExpression, text: str) -> bool:
    return isinstance(value, cst.SimpleString) and value.evaluated_value == text
