"""Check or fix files, one by one, whatever state they are in."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from neuronlint import crashes, there
from neuronlint.clock import phase
from neuronlint.formats import NOTEBOOK
from neuronlint.lines import Lines
from neuronlint.report import CRASHED, UNREADABLE, UNWRITABLE, Report, failure
from neuronlint.rule import Finding, Rule
from neuronlint.settings import Settings
from neuronlint.source import Source, SourceError
from neuronlint.texts import on_one_line

if TYPE_CHECKING:
    from neuronlint.notebook import Notebook


@dataclass(frozen=True)
class Plan:
    """What to do with each file; with `diff` the fixes are worked out but not written.

    `lines` are those whose findings matter, None for all.
    """

    rules: Sequence[Rule]
    settings: Settings = field(default_factory=Settings)
    fix: bool = False
    diff: bool = False
    unsafe: bool = False
    lines: Lines | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of one file: `source` is what the findings' positions count in, and `lines`.

    `before` and `found` are the source and the findings before any fix. Of a notebook sources
    are programs, and `notebook` is the file that has the one in it.
    """

    path: Path
    source: bytes = b""
    findings: tuple[Finding, ...] = ()
    applied: tuple[Finding, ...] = ()
    diff: str = ""
    before: bytes = b""
    found: tuple[Finding, ...] = ()
    lines: Lines | None = None
    notebook: Notebook | None = None

    def file(self, source: bytes) -> bytes:
        """The content of the file with another source in it; raises WriteError."""
        if self.notebook is None:
            return source
        from neuronlint.ipynb import NotebookError

        try:
            return self.notebook.written(source)
        except NotebookError as error:
            raise WriteError(f"it {error}") from None


class WriteError(Exception):
    """A fixed file that could not be written; the text says why."""


def gather(outcomes: Iterable[Outcome]) -> Report:
    """The report that the outcomes of single files add up to."""
    outcomes = list(outcomes)
    return Report(
        findings=tuple(finding for each in outcomes for finding in each.findings),
        checked=len(outcomes),
        applied=tuple(finding for each in outcomes for finding in each.applied),
        sources={each.path: each.source for each in outcomes if each.findings},
        cells={
            each.path: each.notebook.cells for each in outcomes if each.notebook and each.findings
        },
        diffs=tuple(each.diff for each in outcomes if each.diff),
    )


def visit(path: Path, plan: Plan) -> Outcome:
    """What becomes of one file; no exception ends the run."""
    try:
        source = path.read_bytes()
    except (OSError, ValueError) as error:
        return unreadable(path, reason(error))
    return treat(path, source, plan)


def treat(path: Path, source: bytes, plan: Plan) -> Outcome:
    """What becomes of a source; with `diff` the path need not exist."""
    try:
        if path.suffix == NOTEBOOK:
            return _notebook(path, source, plan)
        return _fixed(path, source, plan) if plan.fix or plan.diff else _checked(path, source, plan)
    except Exception as crash:
        crashes.tell()
        return Outcome(path, source, (_crashed(path, crash),))


def _engine() -> ModuleType:
    """What parses and checks, with libcst, loaded when there is something to parse."""
    with phase("import libcst"):
        return import_module("neuronlint.engine")


def _checked(path: Path, source: bytes, plan: Plan) -> Outcome:
    engine = _engine()
    findings = tuple(engine.check(source, path, plan.rules, plan.settings))
    return Outcome(path, source, findings, lines=plan.lines)


def _fixed(path: Path, source: bytes, plan: Plan) -> Outcome:
    fixed = _engine().fix(source, path, plan.rules, plan.settings, plan.unsafe, plan.lines)
    diff = _diff(path, source, fixed.source) if plan.diff else ""
    left, applied, found = tuple(fixed.left), tuple(fixed.applied), tuple(fixed.found)
    unwritten = () if plan.diff else _unwritten(path, source, fixed.source)
    if unwritten:
        return Outcome(path, source, unwritten + found, lines=plan.lines)
    return Outcome(path, fixed.source, left, applied, diff, source, found, fixed.lines)


def _notebook(path: Path, raw: bytes, plan: Plan) -> Outcome:
    """What becomes of a notebook, in which there may be nothing to find."""
    from neuronlint import cellwise

    notebook = cellwise.read(raw, path, plan.rules, plan.settings)
    if notebook is None:
        return Outcome(path, raw, before=raw)
    if isinstance(notebook, Finding):
        return Outcome(path, raw, (notebook,), lines=plan.lines)
    if not (plan.fix or plan.diff):
        notebook, found = cellwise.check(notebook, path, plan.rules, plan.settings)
        lines = notebook.chosen(plan.lines)
        return Outcome(path, notebook.program, found, lines=lines, notebook=notebook)
    fixed = cellwise.fix(notebook, path, plan.rules, plan.settings, plan.unsafe, plan.lines)
    old, new = fixed.before, fixed.after
    before = Outcome(path, old.program, fixed.found, lines=old.chosen(plan.lines), notebook=old)
    if not plan.diff and (unwritten := _unwritten(path, raw, new.raw)):
        return replace(before, findings=unwritten + fixed.found)
    diff = old.diff(path, new) if plan.diff else ""
    return Outcome(
        *(path, new.program, fixed.left, fixed.applied, diff),
        *(old.program, fixed.found, fixed.lines, new),
    )


def _unwritten(path: Path, before: bytes, after: bytes) -> tuple[Finding, ...]:
    """Nothing once the file has its new content, or the finding that it cannot be written."""
    try:
        if after != before:
            write(path, before, after)
    except WriteError as error:
        return (failure(path, UNWRITABLE, "unwritable-file", f"cannot be fixed: {error}"),)
    return ()


def write(path: Path, before: bytes, after: bytes) -> None:
    """Put new content in a file's place, whole or not at all, if it still holds the old."""
    import tempfile  # most runs write nothing

    real = Path(os.path.realpath(path))
    if not there.is_file(real):
        raise WriteError("it is not a regular file")
    if not _is_writable(real):
        raise WriteError("it is read-only")
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{real.name}.", suffix=".tmp", dir=real.parent)
    except OSError as error:
        raise WriteError(reason(error)) from error
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        _copy_owner_and_mode(real, temporary)
        if real.read_bytes() != before:
            raise WriteError("it changed while it was being fixed; run again")
        temporary.replace(real)
    except OSError as error:
        raise WriteError(reason(error)) from error
    finally:
        temporary.unlink(missing_ok=True)


def _is_writable(file: Path) -> bool:
    """Whether the user may write to a file, which one that they can replace need not mean."""
    return os.access(file, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _copy_owner_and_mode(real: Path, temporary: Path) -> None:
    import shutil

    status = real.stat()
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only root may give files away
            os.chown(temporary, status.st_uid, status.st_gid)
    shutil.copymode(real, temporary)


def _diff(path: Path, before: bytes, after: bytes) -> str:
    """The change as a unified diff, "" for none."""
    import difflib

    name = on_one_line(str(path))
    lines = difflib.unified_diff(_lines(before), _lines(after), name, name)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(source: bytes) -> list[str]:
    """The lines with their ends; only a line feed ends one, as patch sees it."""
    try:
        text = Source.read(source).data.decode()
    except SourceError:
        text = source.decode(errors="replace")
    return list(io.StringIO(text, newline="\n"))


def unreadable(path: Path, why: str) -> Outcome:
    """What becomes of a file that cannot be read."""
    finding = failure(path, UNREADABLE, "unreadable-file", f"cannot be read: {why}")
    return Outcome(path, findings=(finding,))


def _crashed(path: Path, crash: Exception) -> Finding:
    message = f"not checked: {crashes.summary(crash)}; this is a bug in neuronlint"
    return failure(path, CRASHED, "rule-crashed", message)


def reason(error: OSError | ValueError) -> str:
    """What went wrong, without the file's name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
