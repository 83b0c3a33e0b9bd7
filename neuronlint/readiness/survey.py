"""What there is to report on: the findings of a run, and a glance at the files around them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from neuronlint import files, formats, ipynb, runner, there
from neuronlint.files import Filter, Filters
from neuronlint.ignores import Patterns
from neuronlint.kernels import SUFFIXES, kernels
from neuronlint.own import UNUSED
from neuronlint.report import Report
from neuronlint.rule import Finding
from neuronlint.runner import Outcome

_TORCH = re.compile(
    rb"^[ \t]*(?:from[ \t]+torch(?:\.[\w.]+)?[ \t]+import\b"
    rb"|import[ \t]+(?:[^#\n]*,[ \t]*)?torch\b)",
    re.MULTILINE,
)
_MENTION = re.compile(rb"cuda|nccl", re.IGNORECASE)
_SILENCED = re.compile(rb"#[^\n]*?(?:noqa[^\n]*?NL\d|neuronlint\s*:\s*(?:ignore|disable))", re.I)


@dataclass(frozen=True)
class Glance:
    """What a file shows without being parsed.

    `mentions` are the lines of code that name CUDA where nothing was found, `remarks` how many
    lines of comment do, `silenced` how many comments suppress findings.
    """

    path: Path
    lines: int
    torch: bool
    findings: tuple[Finding, ...]
    mentions: tuple[tuple[int, str], ...] = ()
    remarks: int = 0
    silenced: int = 0


@dataclass(frozen=True)
class Survey:
    """A run seen whole: what was found, every file looked at, and what was not looked at.

    Paths count from `root`. `kernels` are CUDA sources with their lines; `excluded` are Python
    files that the configuration leaves out; `off` are the codes of rules that did not run.
    """

    root: Path
    report: Report
    glances: tuple[Glance, ...] = ()
    kernels: tuple[tuple[Path, int], ...] = ()
    excluded: tuple[Path, ...] = ()
    off: tuple[str, ...] = ()

    def name(self, path: Path) -> str:
        """A path as the report names it."""
        full = path.absolute()
        return (full.relative_to(self.root) if full.is_relative_to(self.root) else full).as_posix()


def survey(
    root: Path,
    paths: Sequence[Path],
    outcomes: Iterable[Outcome],
    filters: Filters,
    off: tuple[str, ...] = (),
) -> Survey:
    """The survey of a run over paths; a comment that suppresses nothing is no matter here."""
    seen = [
        replace(each, findings=tuple(one for one in each.findings if one.code != UNUSED.code))
        for each in outcomes
    ]
    return Survey(
        root,
        runner.gather(seen),
        tuple(_glance(each) for each in seen if each.path.suffix not in SUFFIXES),
        tuple((path, _lines(path)) for path in kernels(paths, filters)),
        tuple(_excluded(paths, filters, {each.path for each in seen})),
        off,
    )


def _excluded(paths: Sequence[Path], filters: Filters, checked: Collection[Path]) -> Iterator[Path]:
    """The Python files under the paths that a project leaves out, but not git."""

    def all_python(folder: Path) -> Filter:
        never = Patterns.of(folder, files.DEFAULT_EXCLUDE)
        return replace(filters(folder), include=(), exclude=(never,), usual=None)

    for path in files.find(paths, all_python).files:
        if path not in checked and path.suffix in files.SUFFIXES:
            yield path


def _glance(outcome: Outcome) -> Glance:
    source = outcome.source or _read(outcome.path)
    is_notebook = outcome.path.suffix == formats.NOTEBOOK
    if is_notebook and outcome.notebook is None:
        source = ipynb.sources(source)
    found = {row for each in outcome.findings for row in range(each.line, each.end_line + 1)}
    code, remarks = [], 0
    for row, line in _mentions(source):
        if row in found:
            continue
        if line.startswith("#"):
            remarks += 1
        else:
            code.append((0 if is_notebook else row, line))
    return Glance(
        outcome.path,
        source.count(b"\n") + (not source.endswith(b"\n") and bool(source)),
        bool(_TORCH.search(source)),
        outcome.findings,
        tuple(code),
        remarks,
        len(_SILENCED.findall(source)),
    )


def _mentions(source: bytes) -> Iterator[tuple[int, str]]:
    """The lines that name CUDA, with their numbers."""
    if not _MENTION.search(source):  # most files do not
        return
    for row, line in enumerate(re.split(rb"\r\n?|\n", source), 1):
        if _MENTION.search(line):
            yield row, line.decode(errors="replace").strip()


def _lines(path: Path) -> int:
    return _read(path).count(b"\n")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes() if there.is_file(path) else b""
    except OSError:  # told as a finding
        return b""
