"""What no parser is given: libcst dies of deep nesting, and needs minutes for long chains.

CPython itself accepts 200 brackets in each other; chains it accepts are longer than these, but
nobody writes them by hand. Times are libcst 1.9's: 3,000 brackets end the process, a sum of
3,000 terms takes ten seconds, one of 10,000 minutes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_BRACKETS = 200
_FRAMES = 10_000  # of Python's stack, for a chain of the longest kind
_CHAIN = 800
_TOKEN = re.compile(
    rb"#[^\n]*|\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''"
    rb"|\"(?:\\.|[^\\\"\n])*\"|'(?:\\.|[^\\'\n])*'"
    rb"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<end>[,;=\n])"
    rb"|(?P<link>\*\*|//|[-+*/%@|&^~<>.]|\b(?:and|or|not|if|elif|in|is|await|lambda)\b)",
    re.DOTALL,
)

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


def refused(source: bytes) -> str | None:
    """Why a source is not to be parsed, None if it is."""
    depth = [0]  # the links of the chain at each level of brackets
    for match in _TOKEN.finditer(_BLANKS.sub(b" ", source)):
        match match.lastgroup:
            case "open":
                depth.append(depth[-1])
                if len(depth) > _BRACKETS + 1:
                    return f"nests more than {_BRACKETS} brackets"
            case "close" if len(depth) > 1:
                depth.pop()
                depth[-1] += 1  # calls and subscripts are links, too
            case "end" if len(depth) == 1 or match[0] != b"\n":
                depth[-1] = 0
            case "link":
                depth[-1] += 1
        if depth[-1] > _CHAIN:
            return f"chains more than {_CHAIN} operations in one expression"
    return None
