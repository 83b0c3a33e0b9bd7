"""What lets a project with many findings begin: only what is new, or comments for the rest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from neuronlint import runner, there
from neuronlint.config import Config
from neuronlint.files import Found
from neuronlint.lines import Lines
from neuronlint.options import Asked
from neuronlint.report import FAILURES, UNWRITABLE, count, failure
from neuronlint.runner import Outcome, Plan
from neuronlint.user_error import UserError

if TYPE_CHECKING:
    from neuronlint import known
    from neuronlint.added import Added
    from neuronlint.baseline import Baseline
    from neuronlint.rule import Finding

# What is not asked for is not imported: most runs need none of it.


@dataclass(frozen=True)
class Adoption:
    """What narrows the findings of a run: a baseline, or the lines that were added.

    `notes` are what there is to tell of it. Of standard input nothing is written.
    """

    asked: Asked
    baseline: Baseline | None = None
    added: Added | None = None
    from_stdin: bool = False
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, asked: Asked, root: Config, from_stdin: bool = False) -> Adoption:
        """What was asked for; raises UserError where it makes no sense or cannot be had."""
        _refuse(asked, from_stdin)
        return cls(asked, _baseline(asked, root), _added(asked), from_stdin)

    @property
    def settles(self) -> bool:
        """Whether no finding is left to report: each is listed, or suppressed, from now on."""
        return self.asked.update_baseline or self.asked.add_noqa is not None

    @property
    def writes(self) -> bool:
        """Whether the baseline follows what is fixed."""
        return not (self.asked.diff or self.from_stdin)

    def files(self, found: Found) -> Found:
        """Those files in which there is anything to find."""
        added = self.added
        if added is None:
            return found
        return replace(found, files=tuple(path for path in found.files if added.lines(path)))

    def plan(self, path: Path, plan: Plan) -> Plan:
        """The plan for a file, with the lines that it is about."""
        if self.added is None:
            return plan
        return replace(plan, lines=self.added.lines(path) or Lines())

    def narrowed(
        self, outcomes: Sequence[Outcome], plan_of: Callable[[Path], Plan]
    ) -> Sequence[Outcome]:
        """The outcomes without the findings that are not to be reported."""
        if self.baseline is not None:
            outcomes = self._without_known(self.baseline, outcomes, plan_of)
        if self.added is not None:
            outcomes = [_on_lines(each) for each in outcomes]
        if self.asked.add_noqa is not None:
            outcomes, done = _commented(outcomes, self.asked.add_noqa)
            self.notes.append(done)
        return outcomes

    def tell(self) -> None:
        """Print the notes, on the other stream: the report may be for a program."""
        for note in self.notes:
            click.echo(note, err=True)

    def _without_known(
        self,
        baseline: Baseline,
        outcomes: Sequence[Outcome],
        plan_of: Callable[[Path], Plan],
    ) -> Sequence[Outcome]:
        from neuronlint import known

        def ran(path: Path) -> set[str]:
            return {rule.code for rule in plan_of(path).rules}

        if self.asked.update_baseline:
            new = known.renewed(baseline, outcomes, ran)
            new.write()
            self.notes.append(f"Wrote {_entries(len(new.entries))} to {baseline.file}.")
            return [replace(each, findings=_failures(each)) for each in outcomes]
        compared = known.compare(baseline, outcomes, ran)
        self._keep(baseline, compared)
        if compared.count:
            findings = count(compared.count, "finding")
            self.notes.append(f"Left out {findings} that the baseline knows.")
        return compared.outcomes

    def _keep(self, baseline: Baseline, compared: known.Known) -> None:
        """Write the baseline without what has left it, if it may be written."""
        entries, gone = compared.entries, compared.gone
        if compared.fixed and self.writes:
            self.notes.append(f"Dropped {_entries(len(compared.fixed))} of the baseline: fixed.")
        if gone and self.asked.prune_baseline:
            entries -= gone
            self.notes.append(f"Dropped {_entries(len(gone))} of the baseline: gone.")
        elif gone:
            are, them = ("is", "it") if len(gone) == 1 else ("are", "them")
            said = f"{_entries(len(gone))} of the baseline {are} gone"
            self.notes.append(f"{said}; --prune-baseline drops {them}.")
        if entries != baseline.entries and self.writes:
            replace(baseline, entries=entries).write()


def _commented(outcomes: Iterable[Outcome], reason: str) -> tuple[list[Outcome], str]:
    """The outcomes once every finding left is suppressed by a comment, and what was done."""
    from neuronlint import noqa

    left, number, files = [], 0, 0
    for outcome in outcomes:
        added = len(noqa.suppressible(outcome.findings))
        failures = _failures(outcome)
        if len(failures) < len(outcome.findings):
            try:
                after = noqa.suppressed(outcome.source, outcome.findings, reason)
                runner.write(outcome.path, outcome.file(outcome.source), outcome.file(after))
            except (noqa.NoqaError, runner.WriteError) as error:
                said = f"cannot be given comments: {error}"
                failures += (failure(outcome.path, UNWRITABLE, "unwritable-file", said),)
                added = 0
        number, files = number + added, files + bool(added)
        left.append(replace(outcome, findings=failures))
    return left, f"Suppressed {count(number, 'finding')} in {count(files, 'file')}."


def _refuse(asked: Asked, from_stdin: bool) -> None:
    """Raise UserError for options that do not go together."""
    if from_stdin and asked.added_lines == Path("-"):
        raise UserError("standard input is either the source or the diff")
    chosen = {
        "--update-baseline": asked.update_baseline,
        "--prune-baseline": asked.prune_baseline,
        "--add-noqa": asked.add_noqa is not None,
        "--diff": asked.diff,
        "--fix": asked.settings.get("fix") or asked.settings.get("fix-only"),
        "--diff-base": asked.diff_base is not None,
        "--added-lines": asked.added_lines is not None,
        "standard input": from_stdin,
    }
    for pair in _NOT_TOGETHER:
        if all(chosen[name] for name in pair):
            raise UserError(f"{pair[0]} does not go with {pair[1]}")
    if asked.add_noqa and not asked.add_noqa.isprintable():
        raise UserError("--add-noqa: a reason is one line of text")


_NOT_TOGETHER = (
    ("--update-baseline", "--prune-baseline"),
    ("--update-baseline", "--diff"),
    ("--prune-baseline", "--diff"),
    ("--update-baseline", "--diff-base"),
    ("--update-baseline", "--added-lines"),
    ("--diff-base", "--added-lines"),
    ("--add-noqa", "--fix"),
    ("--add-noqa", "--diff"),
    ("--add-noqa", "--update-baseline"),
    ("--add-noqa", "standard input"),
    ("--update-baseline", "standard input"),
    ("--prune-baseline", "standard input"),
)


def _baseline(asked: Asked, root: Config) -> Baseline | None:
    """The baseline of the project; empty where it is about to be written for the first time."""
    layer = root.setter("baseline")
    name = root.value("baseline")
    if layer is None or not name:
        for option in ("update", "prune"):
            if getattr(asked, f"{option}_baseline"):
                raise UserError(f"--{option}-baseline needs to know which file: --baseline FILE")
        return None
    from neuronlint import baseline

    file = layer.folder / name
    if file.is_relative_to(Path.cwd()):
        file = file.relative_to(Path.cwd())
    if asked.update_baseline and not there.exists(file):
        return baseline.Baseline(file)
    return baseline.read(file)


def _added(asked: Asked) -> Added | None:
    if asked.diff_base is None and asked.added_lines is None:
        return None
    from neuronlint import added

    if asked.diff_base is not None:
        return added.since(asked.diff_base, _folder(asked.paths))
    try:
        if asked.added_lines == Path("-"):
            return added.told(sys.stdin.buffer.read())
        return added.told(Path(str(asked.added_lines)).read_bytes())
    except OSError as error:
        raise UserError(f"{asked.added_lines}: {error.strerror}") from None


def _folder(paths: Sequence[Path]) -> Path:
    """The folder to ask git from: the current one, as hooks expect, or where the files are."""
    here = Path.cwd()
    top = next((each for each in (here, *here.parents) if there.exists(each / ".git")), None)
    if not paths or (top and paths[0].absolute().is_relative_to(top)):
        return Path()
    return paths[0] if there.is_folder(paths[0]) else paths[0].parent


def _on_lines(outcome: Outcome) -> Outcome:
    lines = outcome.lines
    if lines is None:
        return outcome
    kept = (each for each in outcome.findings if lines.meet(each) or each.code in FAILURES)
    return replace(outcome, findings=tuple(kept))


def _failures(outcome: Outcome) -> tuple[Finding, ...]:
    return tuple(finding for finding in outcome.findings if finding.code in FAILURES)


def _entries(number: int) -> str:
    return count(number, "entry", "entries")
