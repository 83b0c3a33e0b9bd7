"""Put comments into a source that suppress its findings."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from neuronlint import edits
from neuronlint.comments import layout_of
from neuronlint.markers import Marker, markers
from neuronlint.own import UNUSED
from neuronlint.report import FAILURES
from neuronlint.rule import Edit, Finding
from neuronlint.source import Source
from neuronlint.suppressions import row_for


class NoqaError(Exception):
    """A source that cannot take the comments; the text says why."""


def suppressible(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that a comment can suppress."""
    return [each for each in findings if each.code not in (*FAILURES, UNUSED.code)]


def suppressed(raw: bytes, findings: Sequence[Finding], reason: str = "") -> bytes:
    """The source with a comment for every finding, and without suppressions found to be unused.

    Raises NoqaError where the encoding lacks a character of the reason, or the code would change.
    """
    unused, _, _ = edits.merge(
        each.fix for each in findings if each.code == UNUSED.code and each.fix
    )
    source = Source.read(raw)
    rest = _moved(suppressible(findings), source, unused)
    source = source.edited(unused)
    return _checked(source.edited(_additions(source, rest, reason)), raw)


def _moved(findings: list[Finding], source: Source, changes: list[Edit]) -> list[Finding]:
    """The findings where they are once the lines of some comments are deleted."""
    places = [(source.place(edit.start), source.place(edit.end)) for edit in changes]
    gone = [start[0] for start, end in places if start[1] == end[1] == 1 and start != end]
    return [
        replace(
            each,
            line=each.line - bisect_left(gone, each.line),
            end_line=each.end_line - bisect_left(gone, each.end_line),
        )
        for each in findings
    ]


def _additions(source: Source, findings: list[Finding], reason: str) -> Iterator[Edit]:
    """The edits, in source order, that suppress the findings."""
    if not findings:
        return
    lines = layout_of(findings[0].path)(source.data)
    if lines.above:
        raise NoqaError("no comment can stand behind its lines; put one above them")
    rows: dict[int, set[str]] = {}
    for finding in findings:
        rows.setdefault(row_for(finding, lines), set()).add(finding.code)
    listing = {marker.row: marker for marker in markers(lines) if _lists_noqa(marker)}
    for row, codes in sorted(rows.items()):
        yield _addition(source, row, sorted(codes), listing, reason)


def _lists_noqa(marker: Marker) -> bool:
    """Whether more codes may be put into a marker."""
    return bool(marker.codes) and "noqa" in marker.comment.text[marker.start :][:12].lower()


def _addition(
    source: Source, row: int, codes: list[str], listing: Mapping[int, Marker], reason: str
) -> Edit:
    """The edit that suppresses codes on a line: more codes in its comment, or one more comment."""
    start = source.line_starts[row - 1]
    end = source.line_starts[row] if row < len(source.line_starts) else len(source.data)
    line = source.data[start:end].decode()
    text = line.rstrip()
    marker = listing.get(row)
    if marker is None:
        comment = f"  # noqa: {', '.join(codes)} {reason}".rstrip()
        ending = line[len(line.rstrip("\r\n")) :]
        return Edit(start + len(text.encode()), end - len(ending), comment)
    at = marker.comment.column + marker.listed[1]
    more = "".join(f", {code}" for code in codes)
    if at == len(text) and reason:
        more += f" {reason}"
    place = start + len(line[:at].encode())
    return Edit(place, place, more)


def _checked(source: Source, before: bytes) -> bytes:
    """The bytes of a source, if its code is still what it was before."""
    try:
        after = source.write()
    except UnicodeEncodeError as error:
        raise NoqaError(f"{source.encoding} has no {error.object[error.start]!r}") from None
    if _tree(before) not in (None, _tree(after)):
        raise NoqaError("the code would not be the same")
    return after


def _tree(source: bytes) -> str | None:
    """The syntax of a source, None where this Python cannot read it."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
