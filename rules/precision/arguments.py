"""Edits to the arguments of a call."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from neuronlint import Edit, Module, is_constant

from .device_type import DeviceType

_LOOSE = (cst.IfExp, cst.Lambda, cst.NamedExpr)  # they bind less tightly than `and`


def named(call: cst.Call, names: Sequence[str]) -> dict[str, cst.Arg] | None:
    """The arguments of a call by parameter, `**` those of a dictionary; None if one fits none."""
    found: dict[str, cst.Arg] = {}
    for position, arg in enumerate(call.args):
        if arg.star == "*" or (not arg.keyword and not arg.star and position >= len(names)):
            return None
        found[arg.star or (arg.keyword.value if arg.keyword else names[position])] = arg
    return found if found.keys() <= {*names, "**"} else None


def value(arguments: dict[str, cst.Arg], name: str) -> cst.BaseExpression | None:
    """What is given for a parameter, None where nothing is."""
    return arguments[name].value if name in arguments else None


def surround(
    call: cst.Call,
    module: Module,
    front: Sequence[str],
    back: Sequence[str],
    names: Sequence[str] = (),
) -> list[Edit]:
    """The edits that put arguments around those of a call, and name its positional ones."""
    if not call.args:
        end = module.span(call)[1] - 1
        return [Edit(end, end, ", ".join((*front, *back)))]
    edits = []
    before = "".join(f"{text}, " for text in front)
    for position, arg in enumerate(call.args):
        if position < len(names) and not arg.keyword and not arg.star:
            before += f"{names[position]}="
        if before:
            start, _ = module.span(arg)
            edits.append(Edit(start, start, before))
        before = ""
    if back:
        _, end = module.span(call.args[-1])
        edits.append(Edit(end, end, "".join(f", {text}" for text in back)))
    return edits


def switched(arg: cst.Arg, kind: DeviceType, module: Module) -> list[Edit]:
    """The edits that switch off on a CPU what `enabled=` switches on."""
    given = arg.value
    if not kind.asked or is_constant(given, "False") or module.guards.means(given) & kind.certain:
        return []
    if is_constant(given, "True"):
        return [module.replace(given, kind.asked)]
    _, end = module.span(arg)
    if given.lpar or not _is_loose(given):
        return [Edit(end, end, f" and {kind.asked}")]
    start, _ = module.span(given)
    return [Edit(start, start, "("), Edit(end, end, f") and {kind.asked}")]


def _is_loose(value: cst.BaseExpression) -> bool:
    either = isinstance(value, cst.BooleanOperation) and isinstance(value.operator, cst.Or)
    return either or isinstance(value, _LOOSE)
