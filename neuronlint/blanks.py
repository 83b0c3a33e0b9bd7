"""A source with blanks for what is not needed of it, and everything else where it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from neuronlint.logical import Lines, Text

_STAND_IN = b"..."
_NAME = re.compile(rb"[^\W\d]\w*")
# What is imported from torch itself stays, for fixes to use.
_LIST = re.compile(
    rb"(?:from[ \t]+(?!torch[ \t])[\w.]+[ \t]+)?import\b[ \t]*\(?"
    rb"|(?:async[ \t]+)?def[ \t]+\w+[^(\n]*\("
)
_BREAK = re.compile(rb"[,()\[\]{};]")
_VISIBLE = re.compile(rb"\S")
_BLANK_LINES = re.compile(rb"\n(?:[ \t]*\n){2,}")


def blanked(
    text: Text, lines: Lines, kept: bytearray, asking: Set[int], looked_up: Set[bytes]
) -> tuple[bytes, list[int]]:
    """The source with stand-ins for the lines that are not kept, and shorter lists of names.

    With it the offsets at which its logical lines start. `asking` are the kept lines of which every
    name is needed; of the imports and the parameters in others those go that no kept line uses and
    that are not looked up.
    """
    lists = {line: found for line, found in _lists(text, lines, kept) if line not in asking}
    used = looked_up | {
        name
        for line in range(len(kept))
        if kept[line] and line not in lists
        for name in _NAME.findall(text.words, *lines.span(line))
    }
    parts: list[bytes] = []
    starts: list[int] = []
    position, line, total = 0, 0, len(kept)
    while line < total:
        if kept[line]:
            starts.append(lines.starts[line])
            if line in lists:
                for start, end in _unused(text.code, lists[line].end(), lines.ending(line), used):
                    parts += [text.bare[position:start], _VISIBLE.sub(b" ", text.bare[start:end])]
                    position = end
            line += 1
            continue
        last = line + 1
        while last < total and not kept[last] and lines.indents[last] >= lines.indents[line]:
            last += 1
        start, end = lines.first(line), lines.first(last) if last < total else lines.end
        stand_in = text.bare[start : lines.starts[line]] + _STAND_IN
        if end - start > len(stand_in):
            parts += [text.bare[position:start], stand_in.ljust(end - start - 1), b"\n"]
            position = end
            starts.append(lines.starts[line])
        else:
            starts += lines.starts[line:last]
        line = last
    return _BLANK_LINES.sub(_joined, b"".join([*parts, text.bare[position:]])), starts


def _lists(text: Text, lines: Lines, kept: bytearray) -> Iterator[tuple[int, re.Match[bytes]]]:
    """The kept lines that list names, each with what comes before the first."""
    for line in range(len(kept)):
        if kept[line] and (found := _LIST.match(text.code, lines.starts[line])):
            yield line, found


def _unused(code: bytes, start: int, end: int, used: Set[bytes]) -> Iterator[tuple[int, int]]:
    """The items of a list, with the comma before each, that have no name of those used.

    The first stays, and so does all from a star on: names have to follow it.
    """
    first = True
    for item in _items(code, start, end):
        names = _NAME.findall(code, *item)
        if b"*" in code[slice(*item)]:
            return
        if names and not first and used.isdisjoint(names):
            yield item
        first = False


def _items(code: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The items of a list, up to the bracket that closes it."""
    depth, last = 0, start
    for found in _BREAK.finditer(code, start, end):
        match found[0]:
            case b"(" | b"[" | b"{":
                depth += 1
            case b")" | b"]" | b"}":
                depth -= 1
            case b"," if depth == 0:
                yield last, found.start()
                last = found.start()
        if depth < 0 or found[0] == b";":
            yield last, found.start()
            return
    yield last, end


def _joined(blank: re.Match[bytes]) -> bytes:
    """Several blank lines as one that is as long."""
    return b"\n" + b" " * (len(blank[0]) - 2) + b"\n"
