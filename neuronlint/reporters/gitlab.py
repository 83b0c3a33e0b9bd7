"""A code quality report, which GitLab shows in merge requests."""

from __future__ import annotations

from neuronlint.report import Look, Report, told
from neuronlint.reporters.data import absolute, dumps, fingerprints, from_root, root, rows
from neuronlint.rule import Finding, Severity

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def report(report: Report, look: Look) -> str:
    """All findings as a JSON list."""
    top = root()
    marked = zip(report.findings, fingerprints(report), strict=True)
    listed = [
        _finding(finding, mark, from_root(finding.path, top) or absolute(finding.path))
        for finding, mark in marked
    ]
    return dumps(listed, indent=2) + "\n"


def _finding(finding: Finding, mark: str, path: str) -> dict[str, object]:
    first, last = rows(finding)
    begin = {"line": first, "column": finding.column}
    end = {"line": last, "column": finding.end_column}
    place: dict[str, object] = {"positions": {"begin": begin, "end": end}}
    if finding.cell:
        place = {"lines": {"begin": first, "end": last}}
    return {
        "check_name": finding.code,
        "description": f"{finding.code}: {told(finding)}",
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": mark,
        "location": {"path": path, **place},
    }
