"""Findings for people, each file's under its name."""

from __future__ import annotations

from itertools import groupby

from neuronlint.report import Look, Report
from neuronlint.reporters import lines


def report(report: Report, look: Look) -> str:
    """Every file with its findings, then what there is in all."""
    paint, parts = lines.Paint(look.colour), []
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        parts.append(f"{paint(lines.visible(str(path)), bold=True)}:\n")
        for finding in findings:
            parts.append(f"  {lines.within(finding)} {lines.said(finding, look)}\n")
        parts.append("\n")
    return "".join([*parts, lines.summary(report, look)])
