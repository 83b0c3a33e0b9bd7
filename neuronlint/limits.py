"""What no parser is given: libcst dies of deep nesting, and needs minutes for long chains.

CPython itself accepts 200 brackets in each other; chains it accepts are longer than these, but
nobody writes them by hand. Times are libcst 1.9's: 3,000 brackets end the process, a sum of
3,000 terms takes ten seconds, one of 10,000 minutes, and 100,000 words and signs take about
three seconds and 300 MB.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, pairwise

_BRACKETS = 200
_PATTERN = 8  # brackets in a pattern: each more makes libcst take up to five times as long
_FRAMES = 10_000  # of Python's stack, for a chain of the longest kind
_CHAIN = 800
_PARTS = 350_000
_STRING = (
    rb"(?:\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''"
    rb"|\"(?:\\.|[^\\\"\n])*\"|'(?:\\.|[^\\'\n])*')"
)
_TOKEN = re.compile(
    rb"#[^\n]*|(?P<formatted>(?<!\w)(?:[fFtT][rR]?|[rR][fFtT])" + _STRING + rb")|" + _STRING + rb""
    rb"|(?P<case>^[ \t]*case\b)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<end>[,;=\n])"
    rb"|(?P<link>\*\*|//|[-+*/%@|&^~<>.]|\b(?:and|or|not|if|elif|in|is|await|lambda)\b)",
    re.DOTALL | re.MULTILINE,
)
_PART = re.compile(rb"#[^\n]*|" + _STRING + rb"|\w+|[^\w\s]|\n", re.DOTALL)

_BLANKS = re.compile(rb"  +")


@contextmanager
def deep() -> Iterator[None]:
    """Let Python recurse as deep as what is not refused may need."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def refused(source: bytes, starts: Sequence[int] = ()) -> str | None:
    """Why a source is not to be parsed, None if it is.

    Where the offsets are given at which its logical lines start, only those are looked at that are
    long enough.
    """
    if b"\0" in source:
        return "holds a null byte"
    if len(source) > _PARTS and any(islice(_PART.finditer(source), _PARTS, None)):
        return f"has more than {_PARTS:,} words and signs"
    looked_at = _long(source, starts) if starts else source
    return _refused(_TOKEN.finditer(_BLANKS.sub(b" ", looked_at)), [0])


def _long(source: bytes, starts: Sequence[int]) -> bytes:
    """The logical lines that may nest or chain too much."""
    lines = (source[a:b].rstrip() for a, b in pairwise((*starts, len(source))))
    return b"\n".join(one for one in lines if len(one) > _BRACKETS or one.startswith(b"case"))


def _refused(tokens: Iterable[re.Match[bytes]], depth: list[int]) -> str | None:
    """Why tokens are not to be parsed; `depth` has the links of the chain at each bracket."""
    most, goals = _BRACKETS, 0
    for match in tokens:
        match match.lastgroup:
            case "case" if len(depth) == 1:
                most = _PATTERN
            case "formatted":
                if (why := _refused(_inside(match[0]), depth.copy())) is not None:
                    return why
            case "open":
                depth.append(depth[-1])
                if len(depth) > most + 1:
                    return f"nests more than {most} brackets"
            case "close" if len(depth) > 1:
                depth.pop()
                depth[-1] += 1  # calls and subscripts are links, too
            case "end" if len(depth) == 1 or match[0] != b"\n":
                depth[-1] = 0
                goals = goals + 1 if match[0] == b"=" and len(depth) == 1 else goals
                goals = 0 if match[0] in (b"\n", b";") else goals
                if goals > _CHAIN:
                    return f"chains more than {_CHAIN} assignments in one statement"
                most = _BRACKETS if match[0] == b"\n" else most
            case "link":
                depth[-1] += 1
        if depth[-1] > _CHAIN:
            return f"chains more than {_CHAIN} operations in one expression"
    return None


def _inside(text: bytes) -> Iterator[re.Match[bytes]]:
    """The tokens between the braces of an f-string."""
    position = text.find(b"{")
    while position >= 0:
        end, level = position + 2, 0
        if text[position + 1 : end] != b"{":  # two stand for one in the text
            for match in _TOKEN.finditer(text, position):
                yield match
                end = match.end()
                level += (match.lastgroup == "open") - (match.lastgroup == "close")
                if level == 0:
                    break
        position = text.find(b"{", end)
