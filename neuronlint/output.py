"""Show a report as the user asked for it, and tell the exit status it calls for."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from neuronlint import statistics, there
from neuronlint.config import Config
from neuronlint.options import Asked
from neuronlint.report import FAILURES, Look, Report, count
from neuronlint.reporters import REPORTERS
from neuronlint.rule import Applicability, Severity
from neuronlint.user_error import UserError

CLEAN, FINDINGS = 0, 1
FOR_PEOPLE = ("text", "full", "concise", "grouped")


@dataclass(frozen=True)
class Output:
    """Where and how a run tells what it found; `links` are addresses of pages by code."""

    asked: Asked
    config: Config
    to_stderr: bool = False
    links: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise UserError for a format that cannot be had, before any file is fixed."""
        name = self.config.value("output-format")
        if self.asked.statistics and name not in (*FOR_PEOPLE, "json"):
            raise UserError(f"--statistics has no format {name!r}; there are text and json")
        if self.asked.watch and name not in FOR_PEOPLE:
            raise UserError(f"--watch does not go with the format {name!r}, which is for programs")

    def show(self, report: Report) -> int:
        """Print a report; the exit status it calls for."""
        text, status = self.told(report)
        self.write(text)
        return status

    def told(self, report: Report) -> tuple[str, int]:
        """What there is to print of a report, and the exit status it calls for."""
        if self.config.value("fix-only"):
            report = _failures(report)
        return "" if self.asked.silent else self._text(report), self._status(report)

    def show_diff(self, report: Report) -> int:
        """Print what would change, and on the other stream how much; the exit status."""
        from neuronlint.reporters import lines

        failed = _failures(report)
        if not self.asked.silent:
            text = "".join(report.diffs)
            shown = self.asked.output_file is None and sys.stdout.isatty()
            self.write(lines.visible(text, keep="\n\t") if shown else text)
            if failed.findings:
                click.echo(REPORTERS["text"](failed, Look(quiet=True)), nl=False, err=True)
            if not self.asked.quiet:
                fixes = count(len(report.applied), "finding")
                changed = count(len(report.diffs), "file")
                click.echo(f"Would fix {fixes} in {changed}.", err=True)
                unsafe = bool(self.config.value("unsafe-fixes"))
                for line in lines.to_fix(report, Look(unsafe=unsafe)):
                    click.echo(line, err=True)
        if report.diffs and not self.asked.exit_zero:
            return FINDINGS
        return self._status(replace(failed, applied=()))

    def _text(self, report: Report) -> str:
        look, name = self._look(), str(self.config.value("output-format"))
        if self.asked.statistics:
            return self._statistics(report, look, name)
        if name not in FOR_PEOPLE:
            return "" if self.config.value("fix-only") else REPORTERS[name](report, look)
        body = REPORTERS[name](report, replace(look, quiet=True))
        if look.quiet:
            return body
        listed = _made(report) if self.config.value("show-fixes") else ""
        return body + listed + self._summary(report, look)

    def _statistics(self, report: Report, look: Look, name: str) -> str:
        counted = statistics.counts(report, look.unsafe)
        if name == "json":
            return statistics.as_json(counted)
        return statistics.text(counted) + ("" if look.quiet else self._summary(report, look))

    def _summary(self, report: Report, look: Look) -> str:
        from neuronlint.reporters import lines

        undo = _undo(report)
        if not self.config.value("fix-only"):
            return lines.summary(report, look) + undo
        files = count(len({finding.path for finding in report.applied}), "file")
        return f"Fixed {count(len(report.applied), 'finding')} in {files}.\n{undo}"

    def _look(self) -> Look:
        stream = sys.stderr if self.to_stderr else sys.stdout
        to_terminal = stream.isatty() and self.asked.output_file is None
        colour = _has_colour(self.asked.color, to_terminal)
        for_program = self.config.value("output-format") not in FOR_PEOPLE
        links = self.links if for_program or _has_links(to_terminal) else {}
        return Look(colour, self.asked.quiet, bool(self.config.value("unsafe-fixes")), links)

    def write(self, text: str) -> None:
        """Print a text, or write it where the report is to be; raises UserError."""
        if self.asked.silent:
            return
        try:
            if self.asked.output_file is None:
                click.echo(text, nl=False, err=self.to_stderr, color=True)
                return
            self.asked.output_file.parent.mkdir(parents=True, exist_ok=True)
            self.asked.output_file.write_text(text, encoding="utf-8", errors="backslashreplace")
        except BrokenPipeError:  # nobody's mistake
            raise
        except OSError as error:
            place = self.asked.output_file or "standard output"
            raise UserError(f"{place}: {error.strerror}") from None

    def _status(self, report: Report) -> int:
        """1 for a file that was not checked, whatever was asked, and for findings that count."""
        if report.failed:
            return FINDINGS
        if self.asked.exit_zero:
            return CLEAN
        if report.applied and self.asked.exit_non_zero_on_fix:
            return FINDINGS
        least = Severity(self.config.value("fail-on"))
        counted = list(Severity)[: list(Severity).index(least) + 1]
        failing = any(finding.severity in counted for finding in report.findings)
        return FINDINGS if failing else CLEAN


def _failures(report: Report) -> Report:
    """The report with nothing but the findings that a file could not be dealt with."""
    failures = tuple(finding for finding in report.findings if finding.code in FAILURES)
    return replace(report, findings=failures)


def _undo(report: Report) -> str:
    """How to see and undo unsafe fixes where git can, "" if none was made."""
    fixes = [finding.fix for finding in report.applied]
    unsafe = any(fix and fix.applicability is Applicability.UNSAFE for fix in fixes)
    here = Path.cwd()
    if not unsafe or not any(there.exists(each / ".git") for each in (here, *here.parents)):
        return ""
    return (
        "Some of these fixes are unsafe: `git diff` shows them, `git restore` undoes them "
        "with all else that is not committed.\n"
    )


def _made(report: Report) -> str:
    """The fixes that were made, file by file."""
    from neuronlint.reporters.lines import visible

    if not report.applied:
        return ""
    made: dict[Path, Counter[tuple[str, str]]] = {}
    for finding in report.applied:
        made.setdefault(finding.path, Counter())[finding.code, finding.name] += 1
    parts = [f"Fixed {count(len(report.applied), 'finding')}:\n"]
    for path, rules in made.items():
        parts.append(f"- {visible(str(path))}:\n")
        for (code, name), number in sorted(rules.items()):
            parts.append(f"    {number} × {code} ({name})\n")
    return "".join([*parts, "\n"])


def _has_colour(asked: str, to_terminal: bool) -> bool:
    """Whether to colour what is printed: as asked, as the environment says, or on a terminal."""
    if asked != "auto":
        return asked == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return _forced("FORCE_COLOR") or to_terminal


def _has_links(to_terminal: bool) -> bool:
    """Whether codes lead to their pages when they are clicked on."""
    if "FORCE_HYPERLINK" in os.environ:
        return _forced("FORCE_HYPERLINK")
    return to_terminal and os.environ.get("TERM") != "dumb"


def _forced(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")
