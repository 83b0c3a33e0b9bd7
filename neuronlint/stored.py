"""The sources of cells as a notebook file has them, and how a changed one is written.

It is written in place of the old one; no other byte of the file moves.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

_PIECE = re.compile(
    r"(?P<end>\\(?:r|u000[dD])(?:\\(?:n|u000[aA]))?|\\(?:n|u000[aA]))|\\.|[^\\]+", re.DOTALL
)
_NEWLINE = re.compile(r"\r\n|\r|\n")
_ESCAPED = re.compile(r"\\u(?!00[0-7])")  # a character beyond ASCII, written as a number


@dataclass(frozen=True)
class Line:
    """A line of a cell: its text, the pieces in which the file writes it, its end, and where.

    Jupyter starts a new piece at a form feed, too.
    """

    offset: int
    text: str = ""
    pieces: tuple[str, ...] = ()
    end: str = ""


@dataclass(frozen=True)
class Stored:
    """The source of a cell as the file has it: a text, or a list of texts.

    `elements` are the offsets at which the texts start and end, with their quotes.
    """

    start: int
    end: int
    elements: tuple[tuple[int, int], ...]
    listed: bool


@dataclass(frozen=True)
class RawCell:
    """A cell, by its number among all cells, and the language it is in, "" for the notebook's."""

    number: int
    is_code: bool
    language: str
    stored: Stored


@dataclass(frozen=True)
class Document:
    """The text of a file, the cells in it, and the language they are in, "" if it does not say."""

    text: str
    cells: tuple[RawCell, ...]
    language: str

    def lines(self, stored: Stored) -> list[Line]:
        """The lines of a source; the last one has no end."""
        lines: list[Line] = []
        begun = Line(stored.start)
        for start, end in stored.elements:
            begun = begun if begun.pieces else Line(start)
            for line in _lines(self.text[start + 1 : end - 1], start):
                pieces = begun.pieces + line.pieces
                begun = Line(begun.offset, begun.text + line.text, pieces, line.end)
                if line.end:
                    lines.append(begun)
                    begun = Line(start)
        return [*lines, begun]

    def source(self, stored: Stored) -> str:
        """A source in one piece."""
        return "".join(json.loads(self.text[start:end]) for start, end in stored.elements)

    def row(self, offset: int) -> int:
        """The line of the file that an offset is on."""
        return bisect_right(self._row_ends, offset) + 1

    def written(self, changed: Mapping[int, Sequence[str]]) -> str:
        """The file's text with new lines in the cells of these numbers."""
        parts, position = [], 0
        for cell in self.cells:
            if cell.number in changed:
                stored = cell.stored
                parts += [
                    self.text[position : stored.start],
                    self._source(stored, changed[cell.number]),
                ]
                position = stored.end
        return "".join([*parts, self.text[position:]])

    @cached_property
    def _row_ends(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    @cached_property
    def _ascii(self) -> bool:
        """Whether the file writes all characters beyond ASCII as numbers."""
        return self.text.isascii() and bool(_ESCAPED.search(self.text))

    def _source(self, stored: Stored, texts: Sequence[str]) -> str:
        """The JSON of a cell's new lines; those that were there before look as they did."""
        pieces = self._pieces(self.lines(stored), texts)
        if not stored.listed:
            return f'"{"".join(pieces)}"'
        pieces = [f'"{piece}"' for piece in pieces]
        if not pieces or not stored.elements:
            return f"[{', '.join(pieces)}]"
        first, last = stored.elements[0], stored.elements[-1]
        opening = self.text[stored.start + 1 : first[0]]
        between = f",{opening or ' '}"
        if len(stored.elements) > 1:
            between = self.text[first[1] : stored.elements[1][0]]
        closing = self.text[last[1] : stored.end]
        return f"[{opening}{between.join(pieces)}{closing}"

    def _pieces(self, old: Sequence[Line], texts: Sequence[str]) -> list[str]:
        """The lines as JSON, with their ends, without quotes."""
        end = next((line.end for line in old if line.end), r"\n")
        rows: list[tuple[tuple[str, ...], str]] = []
        matcher = SequenceMatcher(None, [line.text for line in old], texts, autojunk=False)
        for tag, start, stop, new_start, new_stop in matcher.get_opcodes():
            if tag == "equal":
                rows += [(line.pieces, line.end or end) for line in old[start:stop]]
            else:
                rows += [(self._dumped(text), end) for text in texts[new_start:new_stop]]
        ended = [
            piece
            for pieces, own in rows[:-1]
            for piece in (*pieces[:-1], "".join(pieces[-1:]) + own)
        ]
        return [*ended, *(piece for pieces, _ in rows[-1:] for piece in pieces)]

    def _dumped(self, text: str) -> tuple[str, ...]:
        return (json.dumps(text, ensure_ascii=self._ascii)[1:-1],) if text else ()


def _lines(raw: str, offset: int) -> Iterator[Line]:
    """The lines in the JSON of one text, given without its quotes."""
    texts = iter(_NEWLINE.split(json.loads(f'"{raw}"')))
    start = 0
    for piece in _PIECE.finditer(raw):
        if piece["end"]:
            yield Line(offset, next(texts), (raw[start : piece.start()],), piece[0])
            start = piece.end()
    if start < len(raw) or not raw:
        yield Line(offset, next(texts), (raw[start:],))
