"""Suppressions that were meant to be some: words and codes that nothing goes by."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from neuronlint.layout import Comment
from neuronlint.markers import Marker, Reach
from neuronlint.near import hint
from neuronlint.own import UNUSED
from neuronlint.rule import Finding
from neuronlint.suppressions import Suppressions

_LIKE = re.compile(
    r"#\s*neuronlint\s*:\s*(?P<word>[a-z][\w-]*)\s*(?P<list>\[[^\]]*\]?)?", re.IGNORECASE
)
_CODE = re.compile(r"([A-Z]+)[0-9]+", re.IGNORECASE)
_REACHES = tuple(reach.value for reach in Reach)


def findings(suppressions: Suppressions, path: Path, known: Collection[str]) -> Iterator[Finding]:
    """What there is to say of comments that suppress nothing by the way they are written.

    `known` are the codes and names of all rules there are; without any no code is looked at.
    """
    meant = {(one.comment, one.start) for one in suppressions.markers}
    for comment in suppressions.layout.comments:
        for match in _LIKE.finditer(comment.text):
            if (comment, match.start()) not in meant and (why := _fault(match)):
                yield _finding(comment, match.span(), path, why)
    for marker in suppressions.markers if known else ():
        for word in _unknown(marker, known):
            why = f"`{word}` is no rule's code or name{hint(word, known)}"
            yield _finding(marker.comment, (marker.start, marker.end), path, why)


def _fault(match: re.Match[str]) -> str:
    """What is wrong with a comment that is like a suppression, "" where it may be just a remark."""
    word = match["word"]
    if word.lower() in _REACHES:
        return f"`{match[0]}` suppresses nothing: it lacks a `]`" if match["list"] else ""
    near = hint(word, _REACHES, 0.75)
    return f"`{word}` suppresses nothing{near}" if near or match["list"] else ""


def _unknown(marker: Marker, known: Collection[str]) -> Iterator[str]:
    """The words of a marker that mean no rule; in a `noqa` those that look like other tools' do."""
    begins = {match[1].upper() for word in known if (match := _CODE.fullmatch(word))}
    ours = "neuronlint" in marker.comment.text[marker.start : marker.end].lower()
    for word in dict.fromkeys(marker.codes or ()):
        code = _CODE.fullmatch(word)
        if not ours and not (code and code[1].upper() in begins):
            continue
        if not any(each.startswith(word.upper()) or each == word.lower() for each in known):
            yield word


def _finding(comment: Comment, span: tuple[int, int], path: Path, message: str) -> Finding:
    start, end = (comment.column + at + 1 for at in span)
    place = (comment.row, start, comment.row, end)
    return Finding(path, *place, UNUSED.code, UNUSED.name, message, UNUSED.severity)
