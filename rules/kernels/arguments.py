"""Edits that take an argument out of a call."""

from __future__ import annotations

import re

import libcst as cst

from neuronlint import Edit, Module

_COMMA = re.compile(rb"(?:[\s\\]|#[^\r\n]*)*,")
_END = re.compile(rb"\r\n?|\n")
_NOTHING = re.compile(rb"[ \t]*(?:[\r\n]|#|$)")


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
        comma = _COMMA.match(module.source.data, end)
        if comma is None:
            return None
        end = comma.end()
    if here == 0:
        return Edit(start, end, "")
    before = module.span(call.args[here - 1])[1]
    between = module.source.data[before:start]
    if b"#" in between:  # a comment on the argument before, which stays
        *_, last = _END.finditer(between)
        alone = _NOTHING.match(module.source.data, end)  # what stands behind must not join it
        return Edit(before + (last.start() if alone else last.end()), end, "")
    return Edit(before, end, "")
