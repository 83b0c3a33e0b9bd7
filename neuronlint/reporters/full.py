"""Findings for people with the code they are about and the change that fixes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest

from neuronlint.report import Look, Report, cell_of
from neuronlint.reporters import lines, text
from neuronlint.reporters.data import edits_of, patched
from neuronlint.rule import Applicability, Cell, Edit, Finding
from neuronlint.source import Source

_TITLES = {
    Applicability.SAFE: "fix:",
    Applicability.UNSAFE: "unsafe fix; neuronlint rule {code} says what may change:",
    Applicability.DISPLAY: "possible fix, not made for you:",
}


@dataclass(frozen=True)
class Hunk:
    """Lines that are replaced: the first one's number, before and after the fix.

    In a notebook the numbers are those in the `cell`.
    """

    old_row: int
    new_row: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    cell: Cell | None = None


def report(report: Report, look: Look) -> str:
    """Every finding with its source line and its fix, then what there is in all."""
    parts = [
        lines.line(finding, look) + text.frame(finding, report, look) + _fix(finding, report, look)
        for finding in report.findings
    ]
    return "".join([*parts, lines.summary(report, look)])


def _fix(finding: Finding, report: Report, look: Look) -> str:
    """The fix as a diff under its title, "" where there is none."""
    if finding.fix is None:
        return ""
    paint = lines.Paint(look.colour)
    title = _TITLES[finding.fix.applicability].format(code=finding.code)
    source = report.source(finding)
    cell, parts = finding.cell, []
    for hunk in hunks(edits_of(finding.fix, source), source, report.cells.get(finding.path, ())):
        if hunk.cell and hunk.cell != cell:
            parts.append(f"      cell {hunk.cell.number}:\n")
        cell = hunk.cell
        parts += _shown(hunk, paint)
    diff = "".join(parts)
    return f"      {paint(f'= {title}', 'cyan')}\n{diff}"


def _shown(hunk: Hunk, paint: lines.Paint) -> Iterator[str]:
    """The lines of a hunk, each with its number in the file before or after the fix."""
    pairs = list(zip_longest(hunk.old, hunk.new, fillvalue=""))
    starts = [_common(*pair) for pair in pairs]
    for row, (line, start) in enumerate(zip(hunk.old, starts, strict=False), hunk.old_row):
        yield f"{row:>5} {paint(f'- {_cropped(line, start)}'.rstrip(), 'red')}\n"
    for row, (line, start) in enumerate(zip(hunk.new, starts, strict=False), hunk.new_row):
        yield f"{row:>5} {paint(f'+ {_cropped(line, start)}'.rstrip(), 'green')}\n"


def _common(one: str, other: str) -> int:
    """How many characters both start with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _cropped(line: str, start: int) -> str:
    return "".join(text.cropped(line, start, start))


def hunks(edits: Iterable[Edit], source: Source, cells: Sequence[Cell]) -> Iterator[Hunk]:
    """The lines that sorted edits change, found without comparing the rest of the file."""
    shift, cell = 0, None
    for first, last, own in _grouped(edits, source):
        before, cell = cell, cell_of(cells, first)
        shift = shift if before == cell else 0
        ends = [*source.line_starts, len(source.data)]
        old, new = (patched(source, each, ends[first - 1], ends[last]) for each in ((), own))
        row = cell.line(first) if cell else first
        hunk = _trimmed(row, row + shift, _split(old), _split(new))
        shift += len(hunk.new) - len(hunk.old)
        yield replace(hunk, cell=cell)


def _grouped(edits: Iterable[Edit], source: Source) -> list[tuple[int, int, list[Edit]]]:
    """Edits that touch a common line together, with the first and the last line of each group."""
    groups: list[tuple[int, int, list[Edit]]] = []
    for edit in edits:
        first, last = source.place(edit.start)[0], source.place(edit.end)[0]
        if groups and first <= groups[-1][1]:
            before, end, own = groups.pop()
            groups.append((before, max(end, last), [*own, edit]))
        else:
            groups.append((first, last, [edit]))
    return groups


def _trimmed(old_row: int, new_row: int, old: list[str], new: list[str]) -> Hunk:
    """The hunk without the lines at its ends that stay as they are."""
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return Hunk(
        old_row + head,
        new_row + head,
        tuple(old[head : len(old) - tail]),
        tuple(new[head : len(new) - tail]),
    )


def _split(code: str) -> list[str]:
    """The lines without their ends, whatever ends them."""
    rows = [row.rstrip() for row in Source(code.encode()).parsable.split("\n")]
    return rows if rows[-1] else rows[:-1]
