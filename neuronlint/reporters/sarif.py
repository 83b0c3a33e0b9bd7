"""A SARIF 2.1.0 log, which code scanning services and editors read."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from neuronlint.report import Look, Report
from neuronlint.reporters.data import absolute, dumps, edits_of, fingerprints, from_root, root, rows
from neuronlint.reporters.sarif_rules import LEVELS, descriptors
from neuronlint.rule import Applicability, Edit, Finding, Fix
from neuronlint.source import Source

Json = dict[str, object]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_BASE = "%SRCROOT%"
# GitHub works out its own primaryLocationLineHash and warns of any other value under that name.
_FINGERPRINT = "neuronlint/v1"


def report(report: Report, look: Look) -> str:
    """All findings as a log with one run, and what the rules they broke are about."""
    return dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(report)]}, indent=2) + "\n"


def _run(report: Report) -> Json:
    top, rules = root(), descriptors(report.findings)
    indexes = {rule["id"]: index for index, rule in enumerate(rules)}
    driver = {"name": "neuronlint", "version": version("neuronlint"), "rules": rules}
    return {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": not report.failed}],
        "originalUriBaseIds": {_BASE: {"uri": f"{top.as_uri().rstrip('/')}/"}},
        "columnKind": "unicodeCodePoints",
        "results": [
            {
                "ruleId": finding.code,
                "ruleIndex": indexes[finding.code],
                **_result(finding, report.source(finding), top),
                "partialFingerprints": {_FINGERPRINT: mark},
            }
            for finding, mark in zip(report.findings, fingerprints(report), strict=True)
        ],
    }


def _result(finding: Finding, source: Source, top: Path) -> Json:
    file = _artifact(finding.path, top)
    region = _region((finding.line, finding.column), (finding.end_line, finding.end_column))
    if finding.cell:
        region = dict(zip(("startLine", "endLine"), rows(finding), strict=True))
    result: Json = {
        "level": LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {"artifactLocation": file, "region": region}}],
    }
    if finding.targets:
        result["properties"] = {"targets": list(finding.targets)}
    if finding.cell:  # a fix of it is none of the file's JSON
        return result
    if finding.fix and finding.fix.applicability is not Applicability.DISPLAY:
        result["fixes"] = [_fix(finding.fix, finding, source, file)]
    return result


def _fix(fix: Fix, finding: Finding, source: Source, file: Json) -> Json:
    change = {
        "artifactLocation": file,
        "replacements": [_replacement(edit, source) for edit in edits_of(fix, source)],
    }
    return {
        # A message says what to do after its semicolon.
        "description": {"text": finding.message.partition("; ")[2] or finding.message},
        "artifactChanges": [change],
        "properties": {"applicability": fix.applicability.value},
    }


def _replacement(edit: Edit, source: Source) -> Json:
    deleted = _region(source.place(edit.start), source.place(edit.end))
    content: Json = {"insertedContent": {"text": edit.text}} if edit.text else {}
    return {"deletedRegion": deleted, **content}


def _region(start: tuple[int, int], end: tuple[int, int]) -> Json:
    (line, column), (end_line, end_column) = start, end
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def _artifact(path: Path, top: Path) -> Json:
    """The file's address, from the root of the repository where it lies in it."""
    inner = from_root(path, top)
    if inner is None:
        return {"uri": Path(absolute(path)).as_uri()}
    return {"uri": quote(os.fsencode(inner)), "uriBaseId": _BASE}
