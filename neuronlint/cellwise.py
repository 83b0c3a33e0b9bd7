"""Check or fix a notebook as the program that its cells make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from neuronlint import engine, unused
from neuronlint.gate import may_match
from neuronlint.ipynb import NotebookError
from neuronlint.lines import Lines
from neuronlint.notebook import Fault, Notebook
from neuronlint.own import UNUSED
from neuronlint.report import UNFIXED, UNPARSABLE, failure
from neuronlint.rule import Finding, Rule
from neuronlint.settings import Settings


@dataclass(frozen=True)
class Fixed:
    """What fixing made of a notebook: before and after, the findings that are in each, and the
    lines of the program that were to be fixed.
    """

    before: Notebook
    found: tuple[Finding, ...]
    after: Notebook
    left: tuple[Finding, ...]
    applied: tuple[Finding, ...] = ()
    lines: Lines | None = None


def read(
    raw: bytes, path: Path, rules: Sequence[Rule], settings: Settings
) -> Notebook | Finding | None:
    """The notebook in a file, or the finding that there is none; None if nothing can be found."""
    try:
        notebook = Notebook.read(raw)
    except NotebookError as error:
        unread = _unparsed(path, f"the file {error}", error.line, error.column)
        return unread if _may_find(raw, rules, settings) else None
    return notebook if notebook and _may_find(notebook.text, rules, settings) else None


def check(
    notebook: Notebook, path: Path, rules: Sequence[Rule], settings: Settings
) -> tuple[Notebook, tuple[Finding, ...]]:
    """The notebook as far as it can be read, and every finding in it.

    A cell that is not Python has one that says so.
    """
    findings = engine.check(notebook.program, path, rules, settings)
    faults = list(notebook.faults()) if _is_unread(findings) else []
    if faults:
        notebook = notebook.without(fault[0] for fault in faults)
        findings = engine.check(notebook.program, path, rules, settings)
    return notebook, _located(notebook, path, findings, faults)


def fix(
    notebook: Notebook,
    path: Path,
    rules: Sequence[Rule],
    settings: Settings,
    unsafe: bool = False,
    lines: Lines | None = None,
) -> Fixed:
    """The notebook with its fixes made, but for those that would not leave the cells apart.

    `lines` are lines of the file.
    """
    fixed = _fixed(notebook, path, rules, settings, unsafe, lines)
    faults = list(notebook.faults()) if _is_unread(fixed.found) else []
    if faults:
        notebook = notebook.without(fault[0] for fault in faults)
        fixed = _fixed(notebook, path, rules, settings, unsafe, lines)
    found = _located(notebook, path, fixed.found, faults)
    after = _written(notebook, fixed.source)
    if after is None:
        message = "fixes do not leave the cells apart; the file is as it was before them"
        left = (failure(path, UNFIXED, "fix-failed", message), *found)
        return Fixed(notebook, found, notebook, left, lines=notebook.chosen(lines))
    left = _located(after, path, fixed.left, faults)
    return Fixed(notebook, found, after, left, tuple(fixed.applied), fixed.lines)


def _may_find(text: bytes, rules: Sequence[Rule], settings: Settings) -> bool:
    """Whether anything can be found in a text, unused suppressions among it."""
    looking = [rule for rule in rules if rule is not UNUSED]
    return may_match(text, looking, settings.words) or unused.may_be_in(text, rules)


def _fixed(
    notebook: Notebook,
    path: Path,
    rules: Sequence[Rule],
    settings: Settings,
    unsafe: bool,
    lines: Lines | None,
) -> engine.Fixed:
    chosen = notebook.chosen(lines)
    return engine.fix(
        notebook.program, path, rules, settings, unsafe, chosen, allows=notebook.keeps
    )


def _written(notebook: Notebook, program: bytes) -> Notebook | None:
    """The notebook with another program, None where the file would not have that in it."""
    if program == notebook.program:
        return notebook
    try:
        after = Notebook.read(notebook.written(program))
    except NotebookError:
        return None
    after = after and after.without(notebook.broken)
    return after if after and after.program == program else None


def _is_unread(findings: Sequence[Finding]) -> bool:
    return any(finding.code == UNPARSABLE for finding in findings)


def _located(
    notebook: Notebook, path: Path, findings: Sequence[Finding], faults: Sequence[Fault]
) -> tuple[Finding, ...]:
    """The findings with their cells, and one for each cell that is not Python."""
    before = {cell.number: cell.before for cell in notebook.cells}
    unread = (
        _unparsed(path, "the cell is not valid Python", before[number] + line, column)
        for number, line, column in faults
    )
    return tuple(sorted(notebook.located([*unread, *findings])))


def _unparsed(path: Path, message: str, line: int, column: int) -> Finding:
    whole = failure(path, UNPARSABLE, "unparsed-file", message)
    return replace(whole, line=line, column=column, end_line=line, end_column=column)
