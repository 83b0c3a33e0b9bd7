"""A notebook as one Python program, and back.

The code cells follow each other in the program, each behind a line that starts it, so that
what one cell binds the next one knows. What only IPython can read has a text in its place. An
edit that would touch these texts is not to be made; what others make of the program is taken
apart at them, and written into the sources of the cells.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from neuronlint import edits, ipynb, magics, parsing
from neuronlint.ipynb import BOM, Code, NotebookError
from neuronlint.lines import EVERY, Lines
from neuronlint.magics import Foreign
from neuronlint.rule import Cell, Finding, Fix
from neuronlint.source import Source
from neuronlint.stored import Document
from neuronlint.texts import on_one_line

Fault = tuple[int, int, int]  # a cell's number, a line of it, and a column


@dataclass(frozen=True)
class Notebook:
    """A notebook and the cells that make its program; `mark` starts the texts put into that.

    Of `broken` cells, by number, the program has nothing but such texts.
    """

    document: Document
    codes: tuple[Code, ...]
    mark: str
    bom: bool = False
    broken: frozenset[int] = frozenset()

    @classmethod
    def read(cls, raw: bytes) -> Notebook | None:
        """The notebook in a file, None where it is for another language; raises NotebookError."""
        document = ipynb.read(ipynb.decoded(raw))
        if not ipynb.is_python(document.language):
            return None
        codes = tuple(ipynb.codes(document))
        mark = "notebook"
        while any(mark in line for code in codes for line in code.lines):
            mark += "_"
        return cls(document, codes, mark, raw.startswith(BOM.encode()))

    @property
    def text(self) -> bytes:
        """The lines of all cells as they are."""
        return "\n".join(line for code in self.codes for line in code.lines).encode()

    @cached_property
    def program(self) -> bytes:
        """The program; its first line is empty, so that no comment can name an encoding."""
        rows = (row for code in self.codes for row in (self._head(code), *self._shown[code.number]))
        return "".join(f"{row}\n" for row in ("", *rows)).encode()

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Where the cells are in the program and in the file."""
        cells, before = [], 1
        for code in self.codes:
            before += 1
            rows = tuple(map(self.document.row, code.offsets))
            cells.append(Cell(code.number, before, code.lines, rows))
            before += len(code.lines)
        return tuple(cells)

    @property
    def raw(self) -> bytes:
        """The file as it is."""
        return (BOM * self.bom + self.document.text).encode()

    def without(self, broken: Iterable[int]) -> Notebook:
        """The notebook with cells that no program can be made of."""
        return replace(self, broken=self.broken.union(broken))

    def faults(self) -> Iterator[Fault]:
        """The cells that are not Python, by number, with the line and the column of the fault."""
        for cell in self.cells:
            rows = self.program.decode().split("\n")[
                cell.before - 1 : cell.before + len(cell.lines)
            ]
            if place := parsing.fault("\n".join([*rows, ""])):
                yield cell.number, min(max(place[0] - 1, 1), len(cell.lines)), place[1]

    def located(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings in the program with their cells, and without fixes that cannot be made."""
        ends = [cell.before + len(cell.lines) for cell in self.cells]
        located = []
        for finding in findings:
            at = bisect_left(ends, finding.line)
            inside = at < len(ends) and self.cells[at].before < finding.line
            can_fix = finding.fix is None or self.keeps(self.program, finding.fix)
            cell, fix = self.cells[at] if inside else None, finding.fix if can_fix else None
            located.append(replace(finding, cell=cell, fix=fix))
        return located

    def chosen(self, lines: Lines | None) -> Lines | None:
        """Those lines of the program that are among some lines of the file."""
        if lines is None or lines == EVERY:
            return lines
        rows = (
            (cell.before + at, row) for cell in self.cells for at, row in enumerate(cell.rows, 1)
        )
        return Lines.of(
            (line, line)
            for line, row in rows
            if any(first <= row <= last for first, last in lines.ranges)
        )

    def keeps(self, program: bytes, fix: Fix) -> bool:
        """Whether a fix leaves the program such that it can be taken apart."""
        changes, _, _ = edits.merge([fix])
        mark = self.mark.encode()
        touched = (
            program[program.rfind(b"\n", 0, edit.start) + 1 : program.find(b"\n", edit.end)]
            for edit in changes
        )
        if not any(mark in part for part in touched):
            return True
        after = Source.read(program).edited(changes).data
        return self._skeleton(after) == self._skeleton(program)

    def written(self, program: bytes) -> bytes:
        """The file with what the program has become; raises NotebookError where it cannot be."""
        if self._skeleton(program) != self._skeleton(self.program):
            raise NotebookError("has cells that cannot be told apart any more")
        parts = self._parts(program.decode())
        changed = {
            code.number: lines
            for code, (_, lines) in zip(self.codes, parts, strict=True)
            if lines != code.lines
        }
        return (BOM * self.bom + self.document.written(changed)).encode()

    def restored(self, text: str) -> str:
        """A part of the program with what the file has in the place of foreign texts."""
        return self._texts.sub(self._original, text)

    def diff(self, path: Path, after: Notebook) -> str:
        """The change to another state of the notebook as a unified diff of each cell."""
        parts: list[str] = []
        for old, new in zip(self.codes, after.codes, strict=True):
            name = f"{on_one_line(str(path))}:cell {old.number}"
            parts += difflib.unified_diff(old.lines, new.lines, name, name, lineterm="")
        return "".join(f"{line}\n" for line in parts)

    def _skeleton(self, program: bytes) -> tuple[str, list[str], list[str]]:
        """What no edit may change: what is outside of cells, and what is foreign in them."""
        text = program.decode()
        lead, *_ = self._heads.split(text, 1)
        return lead, self._heads.findall(text), self._texts.findall(text)

    def _parts(self, program: str) -> list[tuple[int, tuple[str, ...]]]:
        """The numbers and lines of the cells in a program, as they are in the file."""
        pieces = self._heads.split(self.restored(program))
        return [
            (int(number), tuple(rest.removesuffix("\n").split("\n")[1:]) or ("",))
            for number, rest in zip(pieces[1::2], pieces[2::2], strict=True)
        ]

    def _original(self, match: re.Match[str]) -> str:
        return self._originals[int(match[1])]

    def _head(self, code: Code) -> str:
        """The line that starts a cell, such that an indented cell can follow."""
        text = f'"{self.mark} cell {code.number}"'
        is_indented = code.number not in self.broken and magics.margin(code.lines)
        return f"if {text}:" if is_indented else text

    @cached_property
    def _shown(self) -> dict[int, list[str]]:
        """The lines of each cell as the program has them."""
        shown, number = {}, 0
        for code, foreign in self._foreign:
            rows = list(code.lines)
            for one in foreign:
                text = f"{self.mark} line {number}"
                rows[one.row] = rows[one.row][: one.start]
                rows[one.row] += f"#{text}" if one.goes_on else f'"{text}"'
                number += 1
            shown[code.number] = rows
        return shown

    @cached_property
    def _originals(self) -> list[str]:
        """What the texts stand for that are put into lines."""
        return [
            code.lines[one.row][one.start :] for code, foreign in self._foreign for one in foreign
        ]

    @cached_property
    def _foreign(self) -> list[tuple[Code, list[Foreign]]]:
        """What the program cannot have of each cell."""
        return [
            (code, [Foreign(row, goes_on=True) for row in range(len(code.lines))])
            if code.number in self.broken
            else (code, list(magics.found(code.lines)))
            for code in self.codes
        ]

    @cached_property
    def _heads(self) -> re.Pattern[str]:
        return re.compile(rf'^(?:if )?"{self.mark} cell (\d+)":?$', re.MULTILINE)

    @cached_property
    def _texts(self) -> re.Pattern[str]:
        return re.compile(rf'["#]{self.mark} line (\d+)"?')
