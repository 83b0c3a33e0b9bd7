"""What neuronlint has to say of a text that is open in an editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from neuronlint import edits, noqa, runner
from neuronlint.noqa import NoqaError
from neuronlint.plans import Plans
from neuronlint.projects import Projects
from neuronlint.rule import Edit, Finding, Rule
from neuronlint.runner import Plan
from neuronlint.source import Source, SourceError
from neuronlint.texts import encoded

_LIBRARIES = {"site-packages", "dist-packages"}  # to look into, not to mend


@dataclass(frozen=True)
class Document:
    """A text with its findings, none where it is left out, and the plan that made them."""

    text: str
    path: Path
    plan: Plan | None = None
    findings: tuple[Finding, ...] = ()

    @cached_property
    def raw(self) -> bytes:
        """The text as the bytes of its file."""
        return encoded(self.text)

    @cached_property
    def source(self) -> Source | None:
        """The text as fixes count in it, None where its encoding cannot hold it."""
        try:
            source = Source.read(self.raw)
        except SourceError:
            return None
        return source if source.data.decode() == self.text.removeprefix("\ufeff") else None

    def fix(self, finding: Finding) -> list[Edit]:
        """The edits that fix a finding, in source order."""
        return edits.merge([finding.fix] if finding.fix else [])[0]

    def fixed(self) -> list[Edit]:
        """The edits that make of the text what `--fix` makes of it."""
        if self.plan is None:
            return []
        plan = replace(self.plan, fix=True, diff=True)  # with diff, no file is written
        return self._edits_to(runner.treat(self.path, self.raw, plan).source)

    def suppressed(self, finding: Finding) -> list[Edit]:
        """The edits that put a comment behind a finding, none where none can be put."""
        if not noqa.suppressible([finding]):
            return []
        try:
            return self._edits_to(noqa.suppressed(self.raw, [finding]))
        except NoqaError:
            return []

    def _edits_to(self, raw: bytes) -> list[Edit]:
        """One edit that makes the text another, none for the same."""
        if self.source is None or raw == self.raw:
            return []
        before, after = self.source.data, Source.read(raw).data
        start, end = _difference(before, after)
        text = after[start : len(after) - (len(before) - end)].decode()
        return [Edit(start, end, text)]


def check(text: str, path: Path, projects: Projects, installed: Sequence[Rule]) -> Document:
    """What there is to say of a text; raises ConfigError."""
    plan = planned(path, projects, installed)
    if plan is None:
        return Document(text, path)
    document = Document(text, path, plan)
    return replace(document, findings=runner.treat(path, document.raw, plan).findings)


def planned(path: Path, projects: Projects, installed: Sequence[Rule]) -> Plan | None:
    """The plan for a file, None for one that is left out; raises ConfigError."""
    project = projects.filter(path.parent)
    if project.excludes_within(path) or _LIBRARIES.intersection(path.parts):
        return None
    unsafe = bool(projects.config(path.parent).value("unsafe-fixes"))
    return Plans(projects, installed, Plan((), unsafe=unsafe)).of(path)


def _difference(before: bytes, after: bytes) -> tuple[int, int]:
    """The part of the first, in whole lines, that is not the same in the second."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    top = _same(old, new, lambda lines, at: lines[at])
    bottom = _same(old[top:], new[top:], lambda lines, at: lines[-at - 1])
    return sum(map(len, old[:top])), sum(map(len, old[: len(old) - bottom]))


def _same(
    old: Sequence[bytes], new: Sequence[bytes], line: Callable[[Sequence[bytes], int], bytes]
) -> int:
    """How many lines are the same, counted from one end."""
    shorter = min(len(old), len(new))
    return next((at for at in range(shorter) if line(old, at) != line(new, at)), shorter)
