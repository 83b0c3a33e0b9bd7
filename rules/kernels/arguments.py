"""Edits that take an argument out of a call."""

from __future__ import annotations

import libcst as cst

from neuronlint import Edit, Module


def drop(arg: cst.Arg, module: Module) -> Edit | None:
    """The edit that removes an argument with its comma, None where others take its place."""
    call = module.parent(arg)
    if not isinstance(call, cst.Call):
        return None
    here = next(i for i, one in enumerate(call.args) if one is arg)
    after = call.args[here + 1 :]
    if arg.keyword is None and any(one.keyword is None for one in after):
        return None
    start, end = module.span(arg)
    if after:
        return Edit(start, module.span(after[0])[0], "")
    if isinstance(arg.comma, cst.Comma):
        end = module.source.data.index(b",", end) + 1
    if here == 0:
        return Edit(start, end, "")
    before = module.span(call.args[here - 1])[1]
    between = module.source.data[before:start]
    if b"#" in between:  # a comment on the argument before, which stays
        return Edit(before + between.rindex(b"\n"), end, "")
    return Edit(before, end, "")


def is_true(value: cst.BaseExpression) -> bool:
    """Whether an expression is the constant `True`."""
    return isinstance(value, cst.Name) and value.value == "True"
