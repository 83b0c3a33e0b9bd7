"""Which fixes would spoil something where they stand."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import layout
from neuronlint.module import Module
from neuronlint.rule import Edit, Fix


def spoils(fix: Fix, module: Module) -> bool:
    """Whether a fix cannot be made, breaks or changes an f-string, or loses a comment."""
    return any(
        edit.start < 0 or _breaks_string(edit, module) or _loses_comment(edit, module)
        for edit in fix.edits
    )


def _breaks_string(edit: Edit, module: Module) -> bool:
    """Whether an edit in an f-string holds what Python before 3.12 rejects, or is shown by it."""
    for node in module.nodes(cst.FormattedString):
        start, end = module.span(node)
        if start < edit.start and edit.end < end:
            rejected = (node.quote[0], "\n", "\\", "#")
            if any(text in edit.text for text in rejected) or _is_shown(edit, node, module):
                return True
    return False


def _is_shown(edit: Edit, string: cst.FormattedString, module: Module) -> bool:
    """Whether the text that an edit changes is part of the output, as in `f"{x.cuda()=}"`."""
    for part in string.parts:
        if isinstance(part, cst.FormattedStringExpression) and part.equal is not None:
            start, end = module.span(part)
            if start <= edit.start and edit.end <= end:
                return True
    return False


def _loses_comment(edit: Edit, module: Module) -> bool:
    """Whether a comment goes with the text that an edit replaces."""
    if b"#" not in module.source.data[edit.start : edit.end]:
        return False
    return any(
        edit.start <= at < edit.end and text not in edit.text for at, text in _comments(module)
    )


def _comments(module: Module) -> Iterator[tuple[int, str]]:
    """The comments of a source with their offsets."""
    found = layout.of_text(module.source.parsable)
    for comment in found.comments:
        before = found.lines[comment.row - 1][: comment.column]
        start = module.source.line_starts[comment.row - 1]
        yield start + len(before.encode()), comment.text
