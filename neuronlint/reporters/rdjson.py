"""Diagnostics for reviewdog, which makes review comments and suggested changes of them."""

from __future__ import annotations

from neuronlint.report import Look, Report, told
from neuronlint.reporters.data import dumps, edits_of, line, patched, rows
from neuronlint.rule import Applicability, Finding, Fix
from neuronlint.source import Source

_LINES = 30  # a suggestion over more is of no use in a review


def report(report: Report, look: Look) -> str:
    """All findings as a diagnostic result."""
    listed = [
        _diagnostic(finding, report.source(finding), look.links.get(finding.code))
        for finding in report.findings
    ]
    result = {"source": {"name": "neuronlint"}, "severity": "WARNING", "diagnostics": listed}
    return dumps(result, indent=2) + "\n"


def _diagnostic(finding: Finding, source: Source, url: str | None) -> dict[str, object]:
    start = _position(finding.line, finding.column, source)
    end = _position(finding.end_line, finding.end_column, source)
    if finding.cell:
        start, end = ({"line": each} for each in rows(finding))
    row: dict[str, object] = {
        "message": told(finding),
        "location": {"path": finding.path.as_posix(), "range": {"start": start, "end": end}},
        "severity": finding.severity.value.upper(),
        "code": {"value": finding.code, **({"url": url} if url else {})},
    }
    suggestion = None
    if finding.fix and not finding.cell:  # in a notebook the lines are those of JSON
        suggestion = _suggestion(finding.fix, source)
    return {**row, "suggestions": [suggestion]} if suggestion else row


def _suggestion(fix: Fix, source: Source) -> dict[str, object] | None:
    """The whole fix as one replacement, for several would be taken for alternatives.

    None where it is never to be made, or where its edits lie far apart.
    """
    edits = edits_of(fix, source)
    if fix.applicability is Applicability.DISPLAY or not edits:
        return None
    first, last = edits[0].start, max(edit.end for edit in edits)
    start, end = source.place(first), source.place(last)
    if end[0] - start[0] >= _LINES:
        return None
    area = {"start": _position(*start, source), "end": _position(*end, source)}
    return {"range": area, "text": patched(source, edits, first, last)}


def _position(row: int, column: int, source: Source) -> dict[str, int]:
    """A place with its column counted in bytes, as reviewdog counts."""
    return {"line": row, "column": len(line(source, row)[: column - 1].encode()) + 1}
