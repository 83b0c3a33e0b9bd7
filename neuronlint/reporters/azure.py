"""Logging commands that Azure Pipelines shows among the problems of a run."""

from __future__ import annotations

from neuronlint.report import Look, Report, told
from neuronlint.reporters.data import absolute, rows
from neuronlint.reporters.lines import visible
from neuronlint.rule import Finding, Severity


def report(report: Report, look: Look) -> str:
    """One logging command a finding."""
    return "".join(f"{_command(finding)}\n" for finding in report.findings)


def _command(finding: Finding) -> str:
    fields = {
        # Azure knows these two types only.
        "type": "error" if finding.severity is Severity.ERROR else "warning",
        "sourcepath": absolute(finding.path),
        "linenumber": str(rows(finding)[0]),
        "columnnumber": str(finding.column),
        "code": finding.code,
    }
    if finding.cell:
        del fields["columnnumber"]
    listed = "".join(f"{key}={_property(value)};" for key, value in fields.items())
    message = visible(told(finding), keep="\r\n")
    return f"##vso[task.logissue {listed}]{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace("]", "%5D").replace(";", "%3B")
