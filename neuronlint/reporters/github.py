"""Workflow commands that GitHub Actions shows as annotations."""

from __future__ import annotations

import os

from neuronlint.report import Look, Report
from neuronlint.rule import Finding, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def report(report: Report, look: Look) -> str:
    """One workflow command a finding, the worst first, for GitHub shows only the first ten."""
    ranks = list(Severity)
    findings = sorted(report.findings, key=lambda finding: ranks.index(finding.severity))
    return "".join(f"{_command(finding)}\n" for finding in findings)


def _command(finding: Finding) -> str:
    fields = {
        "title": f"neuronlint ({finding.code})",
        "file": os.path.normpath(finding.path.absolute()),
        "line": str(finding.line),
        "col": str(finding.column),
        "endLine": str(finding.end_line),
        "endColumn": str(finding.end_column),
    }
    if finding.end_line != finding.line:  # GitHub refuses columns that span lines
        del fields["col"], fields["endColumn"]
    listed = ",".join(f"{key}={_property(value)}" for key, value in fields.items())
    place = f"{finding.path}:{finding.line}:{finding.column}"
    text = f"{place}: {finding.code} {finding.message}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
