"""Make fixes: as many at once as leave valid code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from neuronlint import edits, parsing
from neuronlint.rule import Edit, Fix
from neuronlint.source import Source


def made(source: bytes, changes: Sequence[Edit]) -> bytes | None:
    """The source with edits made, None where its encoding cannot hold them."""
    try:
        return Source.read(source).edited(changes).write()
    except UnicodeEncodeError:
        return None


def sound(
    source: bytes, fixes: Iterable[Fix], is_python: bool = True
) -> tuple[list[Edit], list[Fix]]:
    """The edits of fixes that leave valid code together, and the fixes they belong to.

    Two that each remove one of the two statements of a block do not: one of them has to wait.
    """
    compiled = parsing.compiles(Source.read(source).parsable)
    kept: list[Fix] = []
    parts = [list(fixes)]
    while parts:
        part = parts.pop()
        changes, _, _ = edits.merge([*kept, *part])
        fixed = made(source, changes)
        if fixed is not None and (not is_python or _is_valid(fixed, compiled)):
            kept += part
        elif len(part) > 1:
            middle = len(part) // 2
            parts += [part[middle:], part[:middle]]
    changes, accepted, _ = edits.merge(kept)
    return changes, accepted


def unkept(source: bytes) -> str | None:
    """The encoding of a source that cannot be written as it was read, None where it can be."""
    read = Source.read(source)
    try:
        return None if read.write() == source else read.encoding
    except UnicodeEncodeError:
        return read.encoding


def _is_valid(fixed: bytes, compiled: bool) -> bool:
    """Whether a fixed source is a program, for the running Python if it was one before."""
    text = Source.read(fixed).parsable
    return parsing.compiles(text) if compiled else parsing.fault(text) is None
