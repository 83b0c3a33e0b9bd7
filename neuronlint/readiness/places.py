"""Findings as rows of a readiness report: their code, their fix as a diff, and a lasting key."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from neuronlint.baseline import Baseline
from neuronlint.readiness.survey import Glance, Survey
from neuronlint.readiness.work import settled, topic
from neuronlint.report import Report
from neuronlint.reporters import data, full, text
from neuronlint.reporters.lines import visible, within
from neuronlint.rule import Finding, Fix

_CONTEXT = 1  # lines shown before and after the one that a finding is on
_WIDTH = 160  # of a line that is shown
Row = dict[str, object]


def rows(survey: Survey) -> Iterator[Row]:
    """All findings, file by file."""
    keys = Baseline(survey.root / "report")
    for glance in survey.glances:
        source = survey.report.sources.get(glance.path, b"")
        entries = keys.keyed(glance.path, glance.findings, source)
        for finding, entry in zip(glance.findings, entries, strict=True):
            key = "\0".join((entry.path, entry.rule, entry.line, str(entry.nth)))
            yield _row(finding, _hashed(key), survey, glance)


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()[:16]


def _row(finding: Finding, key: str, survey: Survey, glance: Glance) -> Row:
    return {
        "key": key,
        "path": visible(survey.name(glance.path)),
        "place": within(finding),
        "code": finding.code,
        "name": finding.name,
        "topic": topic(finding.code),
        "severity": finding.severity.value,
        "settled": settled(finding).value,
        "targets": list(finding.targets),
        "message": visible(finding.message),
        "excerpt": list(_excerpt(finding, survey.report)),
        "fix": finding.fix.applicability.value if finding.fix else None,
        "diff": list(_diff(finding.fix, finding, survey.report)) if finding.fix else [],
    }


def _excerpt(finding: Finding, report: Report) -> Iterator[Row]:
    """The line a finding is on, in three parts, and those around it."""
    cell, source = finding.cell, report.source(finding)
    for row in range(finding.line - _CONTEXT, finding.line + _CONTEXT + 1):
        if cell is None:
            number, line = row, data.line(source, row).rstrip() if row > 0 else ""
        else:
            number = cell.line(row)
            line = cell.text(row).rstrip() if 0 < number <= len(cell.lines) else ""
        if row == finding.line:
            start = min(finding.column - 1, len(line))
            end = finding.end_column - 1 if finding.end_line == row else len(line)
            parts = text.cropped(line, start, max(min(end, len(line)), start))
            yield {"line": number, "parts": list(parts)}
        elif line:
            yield {"line": number, "parts": [short(line)]}


def _diff(fix: Fix, finding: Finding, report: Report) -> Iterator[Row]:
    """The change a fix makes: the lines it replaces, by those that come in their place."""
    source, cells = report.source(finding), report.cells.get(finding.path, ())
    for hunk in full.hunks(data.edits_of(fix, source), source, cells):
        yield {
            "cell": hunk.cell.number if hunk.cell else None,
            "old_line": hunk.old_row,
            "new_line": hunk.new_row,
            "old": _shorts(hunk.old),
            "new": _shorts(hunk.new),
        }


def _shorts(lines: Sequence[str]) -> list[str]:
    return [short(line) for line in lines]


def short(line: str) -> str:
    """A line as far as it is shown, with what a terminal would obey written out."""
    return visible(line if len(line) <= _WIDTH else f"{line[:_WIDTH]}...")
