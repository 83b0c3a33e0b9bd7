"""What the formats for people share: a finding on one line, and what there is in all."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

import click

from neuronlint.report import Look, Report, applies, count, told
from neuronlint.rule import Applicability, Finding, Severity

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "bright_blue"}


@dataclass(frozen=True)
class Paint:
    """Colours text, or leaves it as it is."""

    colour: bool

    def __call__(self, text: str, fg: str | None = None, bold: bool | None = None) -> str:
        """The text in a colour, where there are colours."""
        return click.style(text, fg=fg, bold=bold) if self.colour else text


def visible(text: str, keep: str = "") -> str:
    """The text on one line, with everything that a terminal would obey written out."""
    if text.isprintable():  # as nearly all are: it leaves out more than what is obeyed
        return text
    return "".join(char if char in keep or _is_plain(char) else _written_out(char) for char in text)


def _is_plain(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _written_out(char: str) -> str:
    if char == "\t":
        return "    "
    return char.encode("unicode_escape").decode()


def place(finding: Finding) -> str:
    """Where a finding is, as editors and problem matchers read it."""
    return f"{visible(str(finding.path))}:{within(finding)}"


def within(finding: Finding) -> str:
    """Where in its file a finding is: `3:1`, or in a notebook `cell 2:3:1`."""
    if finding.cell is None:
        return f"{finding.line}:{finding.column}"
    line = finding.cell.line(finding.line)
    return f"cell {finding.cell.number}:{line}:{finding.column}"


def line(finding: Finding, look: Look) -> str:
    """A finding on the one line that problem matchers read."""
    return f"{Paint(look.colour)(place(finding), bold=True)}: {said(finding, look)}\n"


def said(finding: Finding, look: Look) -> str:
    """A finding without its place: severity, code, a mark if it can be fixed, message."""
    paint, colour = Paint(look.colour), COLOURS[finding.severity]
    mark = f"{paint('[*]', 'cyan')} " if applies(finding, look.unsafe) else ""
    severity, code = paint(finding.severity.value, colour), paint(finding.code, colour, bold=True)
    code = _linked(code, look.links.get(finding.code))
    return f"{severity} {code} {mark}{visible(told(finding))}"


def _linked(text: str, address: str | None) -> str:
    """The text, which leads to an address where a terminal can do that."""
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\" if address else text


def summary(report: Report, look: Look) -> str:
    """The lines after the findings that say what there is in all; none where quiet is asked."""
    return "" if look.quiet else "".join(f"{line}\n" for line in _summary(report, look))


def _summary(report: Report, look: Look) -> list[str]:
    left = len(report.findings)
    if report.applied:
        return [
            f"Fixed {count(len(report.applied), 'finding')}, {left} left.",
            *to_fix(report, look),
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
        *to_fix(report, look),
    ]


def to_fix(report: Report, look: Look) -> list[str]:
    """The lines that say how many findings which options would settle."""
    return [*_by_fixing(report, look), *_by_newer_torch(report)]


def _by_newer_torch(report: Report) -> list[str]:
    needed = [finding.needs for finding in report.findings if finding.needs]
    if not needed:
        return []
    newest = max(needed, key=lambda release: [int(part) for part in release.split(".")])
    held, need, them = ("fix", "needs", "it") if len(needed) == 1 else ("fixes", "need", "them")
    return [
        f"{len(needed)} {held} {need} a newer torch than the oldest that the project supports; "
        f"--torch {newest} offers {them}."
    ]


def _by_fixing(report: Report, look: Look) -> list[str]:
    kinds = Counter(finding.fix.applicability for finding in report.findings if finding.fix)
    safe, unsafe = kinds[Applicability.SAFE], kinds[Applicability.UNSAFE]
    if not safe + unsafe:
        return []
    mark = Paint(look.colour)("[*]", "cyan")
    if look.unsafe:
        return [f"{mark} {safe + unsafe} fixable with --fix --unsafe-fixes."]
    if not safe:
        return [f"{unsafe} fixable with --fix --unsafe-fixes."]
    more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
    return [f"{mark} {safe} fixable with --fix{more}."]
