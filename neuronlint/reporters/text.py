"""Findings for people: a line that problem matchers read, then the code it is about."""

from __future__ import annotations

import unicodedata

from neuronlint.report import Look, Report, applies
from neuronlint.reporters import data, lines
from neuronlint.reporters.lines import COLOURS, Paint, visible
from neuronlint.rule import Applicability, Finding

_WIDTH = 160  # of a source line that is shown whole
_LEAD = 40  # characters shown before a finding in a longer one


def report(report: Report, look: Look) -> str:
    """Every finding with its source line, then what there is in all."""
    parts = [
        lines.line(finding, look) + frame(finding, report, look) + _help(finding, look)
        for finding in report.findings
    ]
    return "".join([*parts, lines.summary(report, look)])


def frame(finding: Finding, report: Report, look: Look) -> str:
    """The source line a finding starts on, with the part it is about underlined."""
    cell, number = finding.cell, finding.line
    if cell is None:
        line = data.line(report.source(finding), number).rstrip()
    else:
        line, number = cell.text(number).rstrip(), cell.line(number)
    if not line:
        return ""
    start = min(finding.column - 1, len(line))
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line)
    before, found, after = cropped(line, start, max(min(end, len(line)), start))
    paint = Paint(look.colour)
    row = paint(f"{number:>5} |", "bright_blue")
    bar = paint("      |", "bright_blue")
    carets = paint("^" * max(_columns(found), 1), COLOURS[finding.severity])
    return f"{row} {before}{found}{after}\n{bar} {' ' * _columns(before)}{carets}\n"


def cropped(line: str, start: int, end: int) -> tuple[str, str, str]:
    """The line before, in and after a part, made visible; a long line loses its ends."""
    first, last, left, right = 0, len(line), "", ""
    if len(line) > _WIDTH:
        first = max(0, start - _LEAD)
        last = min(len(line), first + _WIDTH)
        end = min(end, last)
        left, right = "..." if first else "", "..." if last < len(line) else ""
    return (
        left + visible(line[first:start]),
        visible(line[start:end]),
        visible(line[end:last]) + right,
    )


def _columns(text: str) -> int:
    """How many columns a terminal gives the text."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) != 0 for char in text)


def _help(finding: Finding, look: Look) -> str:
    """A hint where there is a fix that `--fix` would not make as things are."""
    if finding.fix is None or applies(finding, look.unsafe):
        return ""
    if finding.fix.applicability is Applicability.UNSAFE:
        hint = f"--unsafe-fixes makes this fix; neuronlint rule {finding.code} says what may change"
    else:
        text = max((edit.text for edit in finding.fix.edits), key=len, default="")
        first, _, more = text.strip().partition("\n")
        hint = f"possible fix, not made for you: {visible(first)}{' ...' if more else ''}"
    return f"      {Paint(look.colour)('= help:', 'cyan')} {hint}\n"
