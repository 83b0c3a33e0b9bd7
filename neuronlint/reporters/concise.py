"""Findings for people and problem matchers, one a line."""

from __future__ import annotations

from neuronlint.report import Look, Report
from neuronlint.reporters import lines


def report(report: Report, look: Look) -> str:
    """Every finding on its line, then what there is in all."""
    parts = [lines.line(finding, look) for finding in report.findings]
    return "".join([*parts, lines.summary(report, look)])
