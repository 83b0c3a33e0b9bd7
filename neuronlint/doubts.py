"""Which fixes would spoil something where they stand, and which may change more than they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from neuronlint import layout
from neuronlint.module import Module
from neuronlint.rule import NOWHERE, Applicability, Edit, Fix


def judged(fix: Fix, node: cst.CSTNode, module: Module) -> Fix | None:
    """A fix of a node as far as its place allows it: as it is, unsafe, or not at all."""
    if _spoils(fix, module) or _lacks_torch(node, module) or _is_patched(node, module):
        return None
    doubted = _is_tried(node, module) or _may_lack_torch(node, module) or module.patched
    if doubted and fix.applicability is Applicability.SAFE:
        return replace(fix, applicability=Applicability.UNSAFE)
    return fix


def _spoils(fix: Fix, module: Module) -> bool:
    """Whether a fix cannot be made, does nothing, spoils an f-string, or loses a comment."""
    if all(module.source.data[one.start : one.end] == one.text.encode() for one in fix.edits):
        return True
    return any(
        edit == NOWHERE or _breaks_string(edit, module) or _loses_comment(edit, module)
        for edit in fix.edits
    )


def _is_patched(node: cst.CSTNode, module: Module) -> bool:
    """Whether the file replaces what a node names: it relies on that very name."""
    named = module.name(node.func if isinstance(node, cst.Call) else node) or ""
    return any(named == one or named.startswith(f"{one}.") for one in module.patched)


def _is_tried(node: cst.CSTNode, module: Module) -> bool:
    """Whether somebody handles what the code raises, which a portable form may not raise."""
    while node is not module.tree.root:
        parent = module.parent(node)
        if isinstance(parent, (cst.Try, cst.TryStar)) and parent.handlers and node is parent.body:
            return True
        node = parent
    return False


def _lacks_torch(node: cst.CSTNode, module: Module) -> bool:
    """Whether code runs as its file is loaded, which torch need not be, and asks nothing first."""
    if module.names.loads_torch:
        return False
    inside = node
    for above in module.tree.above(node):
        match above:
            case cst.FunctionDef(body=body) if inside is body:
                return False
            case cst.If() | cst.IfExp() | cst.Try() | cst.TryStar() | cst.With() | cst.Lambda():
                return False
            case cst.ClassDef(bases=bases) if any(module.name(base.value) for base in bases):
                return False  # a class of torch's own, maybe
        inside = above
    return True


def _may_lack_torch(node: cst.CSTNode, module: Module) -> bool:
    """Whether code may run without torch: it does not go by a name of it already."""
    if module.names.loads_torch:
        return False
    asked = (node, *module.tree.above(node))
    functions = (one.func if isinstance(one, cst.Call) else one for one in asked)
    return not any((module.name(one) or "").partition(".")[0] == "torch" for one in functions)


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
