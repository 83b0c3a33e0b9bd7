"""Reports for tests of what shows them."""

from pathlib import Path

from neuronlint.report import Look, Report
from neuronlint.reporters import REPORTERS
from neuronlint.rule import Applicability, Edit, Finding, Fix, Severity

PATH = Path("a.py")
MESSAGE = "`old` runs on CUDA only; `new` runs on any device"


def finding(
    line: int = 1,
    column: int = 5,
    end: tuple[int, int] | None = None,
    fix: Fix | None = None,
    severity: Severity = Severity.ERROR,
    message: str = MESSAGE,
    path: Path = PATH,
    code: str = "NL201",
) -> Finding:
    place = (line, column, *(end or (line, column + 3)))
    return Finding(path, *place, code, "cuda-runtime", message, severity, fix)


def fix(applicability: Applicability = Applicability.SAFE, text: str = "new") -> Fix:
    return Fix((Edit(4, 7, text),), applicability)


def of(*findings: Finding, source: str = "x = old()\n") -> Report:
    """A report on findings that are all in sources of the same text."""
    return Report(findings, 1, sources={each.path: source.encode() for each in findings})


def shown(
    style: str, *findings: Finding, source: str = "x = old()\n", look: Look | None = None
) -> str:
    return REPORTERS[style](of(*findings, source=source), look or Look(quiet=True))
