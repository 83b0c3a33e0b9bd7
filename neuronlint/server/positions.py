"""Places in a text as editors count them: from 0, columns in UTF-16 unless they ask otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from lsprotocol import types

from neuronlint.rule import Edit, Finding
from neuronlint.source import Source

_BOM = "\ufeff"


@dataclass(frozen=True)
class Positions:
    """The places in a text; `units` tells how long a piece of it is for the editor."""

    text: str
    units: Callable[[str], int]

    def has(self, finding: Finding) -> bool:
        """Whether a finding is in the text."""
        return True

    def row(self, at: types.Position) -> int:
        """The line that a place of the editor is on."""
        return at.line + 1

    def home(self, edit: Edit) -> str | None:
        """The other text that an edit is in."""
        return None

    def range(self, finding: Finding) -> types.Range:
        """Where a finding is."""
        return types.Range(
            self.position(finding.line, finding.column),
            self.position(finding.end_line, finding.end_column),
        )

    def edit(self, edit: Edit) -> types.TextEdit:
        """An edit as the editor makes it."""
        start, end = (self.position(*self._source.place(at)) for at in (edit.start, edit.end))
        text = edit.text.replace("\r\n", "\n").replace("\n", self.newline)
        return types.TextEdit(types.Range(start, end), text)

    def position(self, line: int, column: int) -> types.Position:
        """The place of a line and column that count from 1, the column in characters."""
        mark = _BOM if line == 1 and self.text.startswith(_BOM) else ""
        return types.Position(line - 1, self.units(mark + self.line(line)[: column - 1]))

    def line(self, number: int) -> str:
        """A line of the text, with its end."""
        starts = self._source.line_starts
        if not 0 < number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else None
        return self._source.data[starts[number - 1] : end].decode()

    @property
    def newline(self) -> str:
        """How new lines end."""
        return self._source.newline

    @cached_property
    def _source(self) -> Source:
        return Source(self.text.removeprefix(_BOM).encode(errors="replace"))
