"""A JUnit report: a suite for each file, a failed test for each finding."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from neuronlint.report import FAILURES, Look, Report, told
from neuronlint.reporters.data import absolute, rows
from neuronlint.reporters.lines import visible
from neuronlint.rule import Finding


def report(report: Report, look: Look) -> str:
    """The report as XML; one without findings has a test that passed."""
    suites = Element("testsuites", {"name": "neuronlint", **_counts(report.findings)})
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        _suite(suites, path, list(findings))
    if not report.findings:
        fields = {"name": "neuronlint", **_counts([]), "tests": "1", "package": "org.neuronlint"}
        suites.set("tests", "1")
        suite = SubElement(suites, "testsuite", fields)
        SubElement(suite, "testcase", {"name": "No findings", "classname": "neuronlint"})
    indent(suites, "    ")
    # Characters beyond ASCII are written as numbers, so any encoding of the output will do.
    body = tostring(suites, encoding="us-ascii", xml_declaration=False).decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _suite(parent: Element, path: Path, findings: list[Finding]) -> None:
    name = visible(absolute(path))
    fields = {"name": name, **_counts(findings), "package": "org.neuronlint"}
    suite = SubElement(parent, "testsuite", fields)
    for finding in findings:
        _case(suite, finding, name.removesuffix(path.suffix))


def _case(suite: Element, finding: Finding, classname: str) -> None:
    cell, where = finding.cell, f"line {finding.line}, col {finding.column}"
    fields = {
        "name": f"org.neuronlint.{finding.code}",
        "classname": classname,
        "line": str(rows(finding)[0]),
        "column": str(finding.column),
    }
    if cell:
        where = f"cell {cell.number}, line {cell.line(finding.line)}, col {finding.column}"
        del fields["column"]
    case = SubElement(suite, "testcase", fields)
    properties = SubElement(case, "properties")
    SubElement(properties, "property", {"name": "severity", "value": finding.severity.value})
    message = visible(told(finding))
    failed = SubElement(case, _outcome(finding), {"message": message})
    failed.text = f"{where}, {message}"


def _outcome(finding: Finding) -> str:
    """What JUnit calls a test that failed, or one that could not be run."""
    return "error" if finding.code in FAILURES else "failure"


def _counts(findings: Sequence[Finding]) -> dict[str, str]:
    errors = sum(_outcome(finding) == "error" for finding in findings)
    return {
        "tests": str(len(findings)),
        "skipped": "0",
        "failures": str(len(findings) - errors),
        "errors": str(errors),
    }
