"""Suppressions that suppress nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from neuronlint import glance
from neuronlint.markers import Marker, Reach
from neuronlint.own import UNUSED
from neuronlint.rule import Edit, Finding, Fix, Rule
from neuronlint.source import Source
from neuronlint.suppressions import Suppressions

_NEXT = re.compile(r"\s+(?=#\s*[a-z])", re.IGNORECASE)  # another comment behind the first


def may_be_in(source: bytes, rules: Sequence[Rule]) -> bool:
    """Whether a source may hold a suppression of one of the rules, and somebody looks for it."""
    return UNUSED in rules and glance.may_suppress(source, _starts(tuple(rules)))


def findings(
    suppressions: Suppressions, path: Path, source: Source, rules: Sequence[Rule]
) -> Iterator[Finding]:
    """What there is to say of the markers that were of no use to any finding of these rules."""
    known = {
        word.upper(): rule.code
        for rule in rules
        if rule is not UNUSED
        for word in (rule.code, rule.name)
    }
    for marker in suppressions.markers:
        unused = [word for word in _unused(marker, suppressions, known) if word.upper() in known]
        if unused:
            finding = _finding(marker, unused, path, source, suppressions)
            if not any(one.codes and one.naming(finding) for one in suppressions.reaching(finding)):
                yield finding


@lru_cache(maxsize=32)
def _starts(rules: tuple[Rule, ...]) -> list[str]:
    return glance.starts_of(rule.code for rule in rules)


def _unused(marker: Marker, suppressions: Suppressions, known: Mapping[str, str]) -> list[str]:
    """The words of a marker that mean nothing that is there."""
    named = list(dict.fromkeys(marker.codes or ()))
    if marker.reach is not Reach.END:
        return [word for word in named if (marker, word) not in suppressions.used]
    begun = {
        known.get(word.upper(), word.upper())
        for one in suppressions.markers
        if one.reach is Reach.START and one.row < marker.row
        for word in (one.codes or ("",))
        if (one, word) in suppressions.used or word.upper() not in known  # or it goes, too
    }
    return [word for word in named if not _ends(known.get(word.upper(), word.upper()), begun)]


def _ends(word: str, begun: set[str]) -> bool:
    """Whether a word is among those of the ranges that have begun, or some of them."""
    return any(word.startswith(one) or one.startswith(word) for one in begun)


def _finding(
    marker: Marker, unused: list[str], path: Path, source: Source, suppressions: Suppressions
) -> Finding:
    named = ", ".join(f"`{word}`" for word in unused)
    one, several = ("ends", "end") if marker.reach is Reach.END else ("suppresses", "suppress")
    does = one if len(unused) == 1 else several
    message = UNUSED.message.format(what=f"{named} {does} nothing")
    column = marker.comment.column
    place = (marker.row, column + marker.start + 1, marker.row, column + marker.end + 1)
    keep = [word for word in marker.codes or () if word not in unused]
    edit = _less(marker, keep, source) if keep else _gone(marker, source, suppressions)
    return Finding(path, *place, UNUSED.code, UNUSED.name, message, UNUSED.severity, Fix((edit,)))


def _less(marker: Marker, keep: list[str], source: Source) -> Edit:
    """The edit that leaves some of the codes."""
    start, end = (_offset(marker, source, at) for at in marker.listed)
    return Edit(start, end, ", ".join(keep))


def _gone(marker: Marker, source: Source, suppressions: Suppressions) -> Edit:
    """The edit that removes a marker with its reason, and what would be left empty by that."""
    text = marker.comment.text
    following = _NEXT.search(text, marker.end)
    if following:
        start = _offset(marker, source, marker.start)
        return Edit(start, _offset(marker, source, following.end()), "")
    start = _offset(marker, source, len(text[: marker.start].rstrip()))
    end = _past_blanks(source.data, _offset(marker, source, len(text)))
    if text[: marker.start].strip():
        return Edit(start, end, "")
    line = source.line_starts[marker.row - 1]
    if suppressions.layout.is_alone(marker.comment):
        following_line = source.line_starts[marker.row : marker.row + 1] or [len(source.data)]
        return Edit(line, following_line[0], "")
    return Edit(line + len(source.data[line:start].rstrip()), end, "")


def _offset(marker: Marker, source: Source, at: int) -> int:
    """The offset in the source of a character of the marker's comment."""
    start = source.line_starts[marker.row - 1]
    line = source.data[start:].partition(b"\n")[0].decode()
    return start + len(line[: marker.comment.column + at].encode())


def _past_blanks(data: bytes, at: int) -> int:
    """The offset of the first byte from one on that is no blank."""
    while data[at : at + 1] in (b" ", b"\t"):
        at += 1
    return at
