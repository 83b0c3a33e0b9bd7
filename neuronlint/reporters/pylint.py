"""Findings as pylint's parseable format has them, which many CI servers read."""

from __future__ import annotations

from neuronlint.report import Look, Report, told
from neuronlint.reporters.data import rows
from neuronlint.reporters.lines import visible
from neuronlint.rule import Finding


def report(report: Report, look: Look) -> str:
    """Every finding on its line."""
    return "".join(f"{_line(finding)}\n" for finding in report.findings)


def _line(finding: Finding) -> str:
    path, message = visible(str(finding.path)), visible(told(finding))
    return f"{path}:{rows(finding)[0]}: [{finding.code}] {message}"
