"""A source by logical lines, without parsing it: where each starts, and what stands under what.

Whatever looks unusual (an unmatched quote, brackets that do not close, tabs beside blanks) has
no logical lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_ONE_LINE = rb"\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_TOKEN = re.compile(
    rb"#[^\n]*"
    rb"|\"\"\"[^\"\\]*(?:(?:\\.|\"(?!\"\"))[^\"\\]*)*\"\"\""
    rb"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|" + _ONE_LINE,
    re.DOTALL,
)
_FORMATTED = re.compile(rb"(?:^|\W)(?:[fFtT][rR]?|[rR][fFtT])$")
_CLAUSE = re.compile(rb"(?:else|elif|except|finally)\b")
_BRACKETS = b"()[]{}"
_TO_ROUND = bytes.maketrans(b"[{]}", b"(())")
_REST = bytes(byte for byte in range(256) if byte not in _BRACKETS + b"\n")


@dataclass(frozen=True)
class Text:
    """A source, and the same without its comments, byte for byte as long.

    In `code` texts are names of one letter. In `words` texts of one line that a rule may look
    at stay: those without blanks, which are no prose, and those with expressions in them.
    """

    source: bytes
    bare: bytes
    code: bytes
    words: bytes

    @classmethod
    def read(cls, source: bytes) -> Text | None:
        """The text of a source whose lines end with single line feeds, None if it looks odd."""
        if b"\x0c" in source:
            return None
        bare: list[bytes] = []
        code: list[bytes] = []
        words: list[bytes] = []
        position = 0
        for match in _TOKEN.finditer(source):
            start, end = match.span()
            between = source[position:start]
            token = match[0]
            if token.startswith(b"#"):
                token = filled = told = b" " * len(token)
            else:
                filled = b"x".ljust(len(token))
                told = token if _may_tell(token, between) else filled
            bare += (between, token)
            code += (between, filled)
            words += (between, told)
            position = end
        rest = source[position:]
        text = cls(source, *(b"".join([*parts, rest]) for parts in (bare, code, words)))
        return None if b'"' in text.code or b"'" in text.code else text


def _may_tell(token: bytes, before: bytes) -> bool:
    """Whether a rule may look at what a text says."""
    if before[-1:] in b"fFtTrR" and _FORMATTED.search(before[-3:]):
        return True
    return b" " not in token and b"\n" not in token


@dataclass(frozen=True)
class Lines:
    """The logical lines of a source.

    Each has an offset at which its own text starts, an indentation, and the line that it stands
    under (-1 for none). `heads` says for every line with which the statement begins that it is a
    part of: decorators lead a definition, clauses follow.
    """

    starts: list[int]
    indents: list[int]
    parents: list[int]
    heads: list[int]
    end: int

    def of(self, offset: int) -> int:
        """The line that an offset is in, -1 before the first."""
        return bisect_right(self.starts, offset) - 1

    def span(self, line: int) -> tuple[int, int]:
        """From where the text of a line starts to where the next line's does."""
        last = line + 1 == len(self.starts)
        return self.starts[line], self.end if last else self.starts[line + 1]

    def first(self, line: int) -> int:
        """The offset at which a line starts, with its indentation."""
        return self.starts[line] - self.indents[line]

    def ending(self, line: int) -> int:
        """The offset at which what belongs to a line ends: where the next one's row starts."""
        return self.first(line + 1) if line + 1 < len(self.starts) else self.end

    def below(self, line: int) -> range:
        """The lines that stand under one, however deep."""
        last = line + 1
        while last < len(self.starts) and self.indents[last] > self.indents[line]:
            last += 1
        return range(line + 1, last)

    def above(self, line: int) -> Iterator[int]:
        """The lines that one stands under, the nearest first."""
        while (line := self.parents[line]) >= 0:
            yield line


def logical_lines(code: bytes) -> Lines | None:
    """The logical lines of a text's code, None where there are none or it looks unusual."""
    starts: list[int] = []
    indents: list[int] = []
    marks = code.translate(_TO_ROUND, _REST)
    continues = b"\\\n" in code
    depth, offset, joined = 0, 0, False
    for row, brackets in zip(code.split(b"\n"), marks.split(b"\n"), strict=True):
        if not (depth or joined) and (text := row.lstrip(b" \t")):
            indents.append(len(row) - len(text))
            starts.append(offset + indents[-1])
        if brackets:
            depth += 2 * brackets.count(b"(") - len(brackets)
            if depth < 0:
                return None
        joined = continues and row.endswith(b"\\")
        offset += len(row) + 1
    if depth or not starts or _mixes_margins(code, starts, indents):
        return None
    parents, heads = _nested(code, starts, indents)
    return Lines(starts, indents, parents, heads, len(code))


def _mixes_margins(code: bytes, starts: list[int], indents: list[int]) -> bool:
    """Whether lines are indented with blanks and tabs."""
    if b"\t" not in code:
        return False
    margins = {code[start - indent : start] for start, indent in zip(starts, indents, strict=True)}
    return len({mark for margin in margins for mark in (margin[:1], margin[-1:]) if mark}) > 1


def _nested(code: bytes, starts: list[int], indents: list[int]) -> tuple[list[int], list[int]]:
    """What each line stands under, and the first line of the statement it is a part of."""
    parents: list[int] = []
    heads: list[int] = []
    around: list[int] = []  # the lines above with less indentation; the last one is the nearest
    before: dict[int, int] = {}  # the last line that stands directly under another one
    for line, indent in enumerate(indents):
        while around and indents[around[-1]] >= indent:
            around.pop()
        parent = around[-1] if around else -1
        parents.append(parent)
        last, head = before.get(parent), line
        if last is not None and (
            code.startswith(b"@", starts[last]) or _CLAUSE.match(code, starts[line])
        ):
            head = heads[last]
        heads.append(head)
        before[parent] = line
        around.append(line)
    return parents, heads
