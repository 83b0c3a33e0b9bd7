"""What a run found out: plain data, for any reporter to show."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from neuronlint.rule import Applicability, Cell, Finding, Severity
from neuronlint.source import Source, SourceError

# The codes of findings that say a file could not be dealt with; no rule looks for them.
UNPARSABLE = "NL001"
UNREADABLE = "NL002"
CRASHED = "NL003"
UNFIXED = "NL004"
UNWRITABLE = "NL005"
FAILURES = (UNPARSABLE, UNREADABLE, CRASHED, UNFIXED, UNWRITABLE)


@dataclass(frozen=True)
class Report:
    """The findings of a run, file by file, and the sources their positions count in.

    `cells` are those of notebooks, in whose programs positions count.
    """

    findings: tuple[Finding, ...] = ()
    checked: int = 0
    applied: tuple[Finding, ...] = ()
    sources: Mapping[Path, bytes] = field(default_factory=dict)
    diffs: tuple[str, ...] = ()
    cells: Mapping[Path, Sequence[Cell]] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether a file could not be read, parsed, checked or written."""
        return any(finding.code in FAILURES for finding in self.findings)

    @property
    def by_severity(self) -> dict[Severity, int]:
        """How many findings each severity has, the worst first, none left out."""
        counts = Counter(finding.severity for finding in self.findings)
        return {severity: counts[severity] for severity in Severity}

    def source(self, finding: Finding) -> Source:
        """The text a finding's positions count in, with marks for what cannot be decoded."""
        return _text(self.sources.get(finding.path, b""))


@dataclass(frozen=True)
class Look:
    """How a report is to be shown; `unsafe` says which fixes count as to be had.

    `links` are the addresses of the rules' pages by code, where these are to be told.
    """

    colour: bool = False
    quiet: bool = False
    unsafe: bool = False
    links: Mapping[str, str] = field(default_factory=dict)


def cell_of(cells: Sequence[Cell], line: int) -> Cell | None:
    """The cell of a notebook that a line of its program is in, or comes right behind."""
    at = bisect_left(cells, line, key=lambda cell: cell.before) - 1
    return cells[at] if at >= 0 else None


def applies(finding: Finding, unsafe: bool) -> bool:
    """Whether `--fix` makes this finding's fix, with `--unsafe-fixes` or without."""
    match finding.fix:
        case None:
            return False
        case fix if fix.applicability is Applicability.SAFE:
            return True
        case fix:
            return unsafe and fix.applicability is Applicability.UNSAFE


def told(finding: Finding) -> str:
    """The message, and which of several targets it concerns."""
    concerned = f" ({', '.join(finding.targets)})" if finding.targets else ""
    return finding.message + concerned


def failure(path: Path, code: str, name: str, message: str) -> Finding:
    """A finding about a whole file."""
    return Finding(path, 1, 1, 1, 1, code, name, message, Severity.ERROR)


def count(number: int, word: str, plural: str = "") -> str:
    """A number of things in words: `1 file`, `2 files`."""
    return f"{number} {word if number == 1 else plural or word + 's'}"


@lru_cache(maxsize=2)  # findings come file by file
def _text(raw: bytes) -> Source:
    try:
        return Source.read(raw)
    except SourceError:
        return Source(raw.decode(errors="replace").encode())
