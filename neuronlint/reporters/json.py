"""One JSON list of all findings, in the shape that readers of ruff's output know."""

from __future__ import annotations

from collections.abc import Sequence

from neuronlint.report import Look, Report, cell_of
from neuronlint.reporters.data import absolute, dumps, edits_of
from neuronlint.rule import Cell, Edit, Finding, Fix
from neuronlint.source import Source
from neuronlint.suppressions import marker_row


def report(report: Report, look: Look) -> str:
    """All findings as a JSON list."""
    return dumps(rows(report, look), indent=2) + "\n"


def rows(report: Report, look: Look) -> list[dict[str, object]]:
    """All findings as data."""
    return [_finding(finding, report, look.links.get(finding.code)) for finding in report.findings]


def _finding(finding: Finding, report: Report, url: str | None) -> dict[str, object]:
    source, cell = report.source(finding), finding.cell
    cells = report.cells.get(finding.path, ())
    row = marker_row(finding, report.sources.get(finding.path, b""))
    return {
        "cell": cell.number if cell else None,
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "severity": finding.severity.value,
        **({"targets": list(finding.targets)} if finding.targets else {}),
        "filename": absolute(finding.path),
        "location": _place(finding.line, finding.column, cell),
        "end_location": _place(finding.end_line, finding.end_column, cell),
        "noqa_row": cell.line(row) if cell and row else row,
        "url": url,
        "fix": _fix(finding.fix, finding, source, cells) if finding.fix else None,
    }


def _fix(fix: Fix, finding: Finding, source: Source, cells: Sequence[Cell]) -> dict[str, object]:
    return {
        "applicability": fix.applicability.value,
        # A message says what to do after its semicolon.
        "message": finding.message.partition("; ")[2] or None,
        "edits": [
            _edit(edit, source, cell_of(cells, source.place(edit.start)[0]))
            for edit in edits_of(fix, source)
        ],
    }


def _edit(edit: Edit, source: Source, cell: Cell | None) -> dict[str, object]:
    return {
        **({"cell": cell.number} if cell else {}),
        "content": edit.text,
        "location": _place(*source.place(edit.start), cell),
        "end_location": _place(*source.place(edit.end), cell),
    }


def _place(row: int, column: int, cell: Cell | None) -> dict[str, int]:
    return {"row": cell.line(row) if cell else row, "column": column}
