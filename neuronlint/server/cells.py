"""Notebooks that are open in an editor, to which each cell is a text of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.workspace import TextDocument

from neuronlint import runner
from neuronlint.notebook import Notebook
from neuronlint.projects import Projects
from neuronlint.report import cell_of
from neuronlint.rule import Cell, Edit, Finding, Rule
from neuronlint.server.documents import Document, planned
from neuronlint.server.positions import Positions
from neuronlint.source import Source

# Only these are sent, and counted: what else is in the notebook does not matter.
SYNC = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithCells(
            [types.NotebookCellLanguage("python")],
            types.NotebookDocumentFilterNotebookType("jupyter-notebook"),
        )
    ],
    save=True,
)


@dataclass(frozen=True)
class Cells(Document):
    """A notebook, whose findings and edits are in its program; `text` is its JSON."""

    notebook: Notebook | None = None

    @cached_property
    def raw(self) -> bytes:
        """The program."""
        return self.notebook.program if self.notebook else b""

    @cached_property
    def source(self) -> Source | None:
        """The program as fixes count in it."""
        return Source.read(self.raw) if self.notebook else None

    def fixed(self) -> list[Edit]:
        """The edits that make of each cell what `--fix` makes of it."""
        if self.plan is None or self.notebook is None or self.source is None:
            return []
        plan = replace(self.plan, fix=True, diff=True)
        after = runner.treat(self.path, self.text.encode(), plan).notebook
        if after is None:
            return []
        starts = [*self.source.line_starts, len(self.raw)]
        return [
            Edit(starts[old.before], starts[old.before + len(old.lines)], _joined(new.lines))
            for old, new in zip(self.notebook.cells, after.cells, strict=True)
            if old.lines != new.lines
        ]


@dataclass(frozen=True)
class CellPositions(Positions):
    """The places in the program of a notebook, as they are in its cells.

    `uris` are those of the cells, and `number` is the cell that the editor asks about.
    """

    notebook: Notebook
    uris: Sequence[str]
    number: int

    def has(self, finding: Finding) -> bool:
        """Whether a finding is in the cell."""
        return finding.cell is not None and finding.cell.number == self.number

    def row(self, at: types.Position) -> int:
        """The line of the program that a place in the cell is on."""
        cells = (cell for cell in self.notebook.cells if cell.number == self.number)
        return at.line + 1 + next((cell.before for cell in cells), 0)

    def home(self, edit: Edit) -> str | None:
        """The cell that an edit is in."""
        cell = self._cell(self._source.place(edit.start)[0])
        return self.uris[cell.number - 1]

    def edit(self, edit: Edit) -> types.TextEdit:
        """An edit as the editor makes it, where no line end comes behind a cell's last line."""
        text = self.notebook.restored(edit.text)
        (first, column), (last, end_column) = map(self._source.place, (edit.start, edit.end))
        cell = self._cell(first)
        behind = cell.before + len(cell.lines) + 1
        end = self.position(last, end_column)
        if last >= behind:
            end, text = self._end(cell), text.removesuffix("\n")
        if first >= behind:
            return types.TextEdit(types.Range(end, end), f"\n{text}")
        return types.TextEdit(types.Range(self.position(first, column), end), text)

    def position(self, line: int, column: int) -> types.Position:
        """The place in its cell of a line and column of the program."""
        cell = self._cell(line)
        row = cell.line(line)
        if not 0 < row <= len(cell.lines):
            return self._end(cell) if row > 0 else types.Position(0, 0)
        return types.Position(row - 1, self.units(cell.text(line)[: column - 1]))

    def _end(self, cell: Cell) -> types.Position:
        return types.Position(len(cell.lines) - 1, self.units(cell.lines[-1]))

    def _cell(self, line: int) -> Cell:
        return cell_of(self.notebook.cells, line) or self.notebook.cells[0]


def stored(cells: Sequence[TextDocument]) -> str:
    """The JSON of a notebook that has these cells."""
    return json.dumps(
        {
            "cells": [
                {"cell_type": "code" if cell.language_id == "python" else "raw", "source": text}
                for cell in cells
                if isinstance(text := cell.source, str)
            ]
        }
    )


def check(text: str, path: Path, projects: Projects, installed: Sequence[Rule]) -> Document:
    """What there is to say of a notebook; raises ConfigError."""
    plan = planned(path, projects, installed)
    if plan is None:
        return Document(text, path)
    outcome = runner.treat(path, text.encode(), plan)
    return Cells(text, path, plan, outcome.findings, outcome.notebook)


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
