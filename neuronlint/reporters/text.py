"""Findings for people: a line that problem matchers read, then the code it is about."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

import click

from neuronlint.report import Look, Report, applies, count
from neuronlint.rule import Applicability, Finding, Severity
from neuronlint.source import Source

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "bright_blue"}
_WIDTH = 160  # of a source line that is shown whole
_LEAD = 40  # characters shown before a finding in a longer one


@dataclass(frozen=True)
class _Paint:
    """Colours text, or leaves it as it is."""

    colour: bool

    def __call__(self, text: str, fg: str | None = None, bold: bool | None = None) -> str:
        return click.style(text, fg=fg, bold=bold) if self.colour else text


def report(report: Report, look: Look) -> str:
    """Every finding with its source line, then what there is in all."""
    parts = [_finding(finding, report, look) for finding in report.findings]
    if not look.quiet:
        parts += [f"{line}\n" for line in _summary(report, look)]
    return "".join(parts)


def visible(text: str) -> str:
    """The text on one line, with everything that a terminal would obey written out."""
    return "".join(char if _is_plain(char) else _written_out(char) for char in text)


def _is_plain(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _written_out(char: str) -> str:
    if char == "\t":
        return "    "
    return char.encode("unicode_escape").decode()


def _finding(finding: Finding, report: Report, look: Look) -> str:
    paint = _Paint(look.colour)
    colour = _COLOURS[finding.severity]
    place = f"{visible(str(finding.path))}:{finding.line}:{finding.column}"
    mark = f"{paint('[*]', 'cyan')} " if applies(finding, look.unsafe) else ""
    head = (
        f"{paint(place, bold=True)}: {paint(finding.severity.value, colour)} "
        f"{paint(finding.code, colour, bold=True)} {mark}{visible(finding.message)}\n"
    )
    return head + _frame(finding, report, look) + _help(finding, look)


def _frame(finding: Finding, report: Report, look: Look) -> str:
    """The source line a finding starts on, with the part it is about underlined."""
    line = _line(report.source(finding), finding.line)
    if not line:
        return ""
    start = min(finding.column - 1, len(line))
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line)
    before, found, after = _cropped(line, start, max(min(end, len(line)), start))
    paint = _Paint(look.colour)
    row = paint(f"{finding.line:>5} |", "bright_blue")
    bar = paint("      |", "bright_blue")
    carets = paint("^" * max(_columns(found), 1), _COLOURS[finding.severity])
    return f"{row} {before}{found}{after}\n{bar} {' ' * _columns(before)}{carets}\n"


def _line(source: Source, row: int) -> str:
    """A line of the source without its end, "" where there is no such line."""
    starts = [*source.line_starts[row - 1 : row + 1], len(source.data)]
    return source.data[starts[0] : starts[1]].decode().rstrip() if len(starts) > 1 else ""


def _cropped(line: str, start: int, end: int) -> tuple[str, str, str]:
    """The line before, in and after a finding, made visible; a long line loses its ends."""
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
    return f"      {_Paint(look.colour)('= help:', 'cyan')} {hint}\n"


def _summary(report: Report, look: Look) -> list[str]:
    left = len(report.findings)
    if report.applied:
        return [
            f"Fixed {count(len(report.applied), 'finding')}, {left} left.",
            *_to_fix(report, look),
        ]
    if not left:
        return ["All checks passed!"]
    kinds = ", ".join(
        count(number, severity.value, "info" if severity is Severity.INFO else "")
        for severity, number in report.by_severity.items()
        if number
    )
    files = len({finding.path for finding in report.findings})
    total = count(report.checked, "file")
    return [
        f"Found {count(left, 'finding')} ({kinds}) in {files} of {total}.",
        *_to_fix(report, look),
    ]


def _to_fix(report: Report, look: Look) -> list[str]:
    """The line that says how many findings the fixing options would settle."""
    kinds = Counter(finding.fix.applicability for finding in report.findings if finding.fix)
    safe, unsafe = kinds[Applicability.SAFE], kinds[Applicability.UNSAFE]
    if not safe + unsafe:
        return []
    mark = _Paint(look.colour)("[*]", "cyan")
    if look.unsafe:
        return [f"{mark} {safe + unsafe} fixable with --fix --unsafe-fixes."]
    if not safe:
        return [f"{unsafe} fixable with --fix --unsafe-fixes."]
    more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
    return [f"{mark} {safe} fixable with --fix{more}."]
