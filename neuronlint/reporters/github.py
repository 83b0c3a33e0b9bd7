"""Workflow commands that GitHub Actions shows as annotations."""

from __future__ import annotations

from neuronlint.report import Look, Report, count, told
from neuronlint.reporters import lines
from neuronlint.reporters.data import absolute, rows
from neuronlint.rule import Finding, Severity

LIMIT = 10  # annotations of each kind that GitHub takes from one step
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def report(report: Report, look: Look) -> str:
    """The worst findings as workflow commands, as many as GitHub shows; then the others as lines.

    A notice at the end says how many are in the log only.
    """
    annotated, others = _split(report, LIMIT)
    if others:  # the notice at the end counts, too
        annotated, others = _split(report, LIMIT - 1)
    commands = [_command(finding) for finding in annotated]
    return "".join(f"{each}\n" for each in [*commands, *map(_plain, others), *_notice(len(others))])


def _split(report: Report, infos: int) -> tuple[list[Finding], list[Finding]]:
    """The findings that become annotations if there is room for so many infos, and the others."""
    annotated: list[Finding] = []
    others: list[Finding] = []
    for severity in Severity:
        limit = infos if severity is Severity.INFO else LIMIT
        findings = [each for each in report.findings if each.severity is severity]
        annotated += findings[:limit]
        others += findings[limit:]
    return annotated, others


def _command(finding: Finding) -> str:
    first, last = rows(finding)
    fields = {
        "title": f"neuronlint ({finding.code})",
        "file": absolute(finding.path),
        "line": str(first),
        "col": str(finding.column),
        "endLine": str(last),
        "endColumn": str(finding.end_column),
    }
    if last != first or finding.cell:  # GitHub refuses columns that span lines
        del fields["col"], fields["endColumn"]
    listed = ",".join(f"{key}={_property(value)}" for key, value in fields.items())
    message = lines.visible(told(finding), keep="\r\n")
    text = _escaped(f"{lines.place(finding)}: {finding.code} {message}")
    return f"::{_COMMANDS[finding.severity]} {listed}::{text}"


def _plain(finding: Finding) -> str:
    """The finding as a line of the log that is no command, whatever its file is called."""
    line = lines.line(finding, Look()).rstrip("\n").replace("##[", "# #[")
    return f"./{line}" if line.lstrip().startswith("::") else line


def _notice(number: int) -> list[str]:
    if not number:
        return []
    kept = f"GitHub shows {LIMIT} errors, {LIMIT} warnings and {LIMIT} notices of a step"
    have = "has" if number == 1 else "have"
    text = f"{count(number, 'more finding')} {have} no annotation; {kept}, the log has all"
    return [f"::notice title=neuronlint::{text}"]


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
