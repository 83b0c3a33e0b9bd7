"""One JSON list of all findings, in the shape that readers of ruff's output know."""

from __future__ import annotations

from neuronlint.report import Look, Report
from neuronlint.reporters.data import absolute, dumps, edits_of
from neuronlint.rule import Applicability, Edit, Finding, Fix
from neuronlint.source import Source
from neuronlint.suppressions import marker_row

_APPLICABILITIES = {
    Applicability.SAFE: "safe",
    Applicability.UNSAFE: "unsafe",
    Applicability.DISPLAY: "display",
}


def report(report: Report, look: Look) -> str:
    """All findings as a JSON list."""
    return dumps(rows(report), indent=2) + "\n"


def rows(report: Report) -> list[dict[str, object]]:
    """All findings as data."""
    return [_finding(finding, report) for finding in report.findings]


def _finding(finding: Finding, report: Report) -> dict[str, object]:
    source = report.source(finding)
    return {
        "cell": None,
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "severity": finding.severity.value,
        "filename": absolute(finding.path),
        "location": _place(finding.line, finding.column),
        "end_location": _place(finding.end_line, finding.end_column),
        "noqa_row": marker_row(finding, report.sources.get(finding.path, b"")),
        "url": None,
        "fix": _fix(finding.fix, finding, source) if finding.fix else None,
    }


def _fix(fix: Fix, finding: Finding, source: Source) -> dict[str, object]:
    return {
        "applicability": _APPLICABILITIES[fix.applicability],
        # A message says what to do after its semicolon.
        "message": finding.message.partition("; ")[2] or None,
        "edits": [_edit(edit, source) for edit in edits_of(fix, source)],
    }


def _edit(edit: Edit, source: Source) -> dict[str, object]:
    return {
        "content": edit.text,
        "location": _place(*source.place(edit.start)),
        "end_location": _place(*source.place(edit.end)),
    }


def _place(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column}
