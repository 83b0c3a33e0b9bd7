"""The command `check`, from what was asked to the exit status."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from neuronlint import batch, clock, config, files, own, page, registry, runner, store
from neuronlint.adoption import Adoption
from neuronlint.cache import Cache
from neuronlint.config import Config
from neuronlint.options import Asked
from neuronlint.output import CLEAN, Output
from neuronlint.plans import Plans
from neuronlint.progress import Progress
from neuronlint.projects import Projects
from neuronlint.recording import Recording
from neuronlint.report import Report, count
from neuronlint.resolved import resolved
from neuronlint.rule import Rule
from neuronlint.user_error import UserError

_STDIN = Path("-")


def check(asked: Asked, words: Sequence[str] | None = None) -> int:
    """Do what was asked, in these words if it was on a command line; the exit status."""
    if asked.watch:
        from neuronlint import watching

        return watching.watch(asked, lambda again: _check(again)[1], projects_of)
    if not asked.profile:
        return _check(asked, words)[0]
    clock.start()
    status, _ = _check(asked)
    _tell_times(asked)
    return status


def _check(asked: Asked, words: Sequence[str] | None = None) -> tuple[int, Report]:
    """Do what was asked once; the exit status, and what was found."""
    started = time.perf_counter()
    recording = Recording.of(asked, words)
    projects = projects_of(asked)
    paths = asked.paths or (Path(),)
    root = projects.root(path for path in paths if path != _STDIN)
    with clock.phase("load rules"):
        installed = [own.UNUSED, *registry.installed()]
    plans = Plans(projects, installed, _base(asked, root))
    plans.chosen(root)  # a wrong selector is wrong where there is no file, too
    output = Output(asked, root, links=_links([*own.FAILED, *installed]))
    from_stdin = bool(asked.stdin_filename) or asked.paths == (_STDIN,)
    adopting = Adoption.of(asked, root, from_stdin)
    if from_stdin:
        return _check_stdin(asked, projects, plans, output, adopting), Report()
    with clock.phase("walk"):
        named = files.find(paths, projects.filter)
        found = adopting.files(named)
    if asked.show_files:
        return _show_files(found), Report()
    if asked.show_settings:
        return _show_settings(found, projects, plans), Report()
    if not named.files and not named.unreadable and not (asked.quiet or asked.silent):
        click.echo("neuronlint: warning: no files to check found under the given paths", err=True)
    outcomes = outcomes_of(asked, root, found, lambda path: adopting.plan(path, plans.of(path)))
    report = runner.gather(adopting.narrowed(outcomes, plans.of))
    if asked.verbose:
        _tell(projects, found, time.perf_counter() - started)
    if adopting.settles:
        output = replace(output, asked=replace(asked, quiet=True))
    with clock.phase("output"):
        text, status = ("", output.show_diff(report)) if asked.diff else output.told(report)
        output.write(text)
    if recording is not None:
        with clock.phase("cache"):
            recording.keep(output, plans, found, report, (text, status))
    if not (asked.quiet or asked.silent):
        adopting.tell()
    return status, report


def outcomes_of(
    asked: Asked, root: Config, found: files.Found, plan_of: Callable[[Path], runner.Plan]
) -> list[runner.Outcome]:
    """What becomes of the files; the cache keeps it, and the user sees how far it is."""
    with clock.phase("cache"):
        cache = _cache(asked, root)
    with Progress.of(asked.quiet or asked.silent) as progress:
        jobs = asked.jobs or (1 if asked.profile else os.cpu_count() or 1)
        way = batch.Way(jobs, asked.profile and jobs == 1, cache=cache, progress=progress.show)
        outcomes = batch.outcomes(found, plan_of, way)
    if cache is not None:
        with clock.phase("cache"):
            cache.save()
    return outcomes


def projects_of(asked: Asked) -> Projects:
    """The configurations that hold, from --config, --isolated and the other options."""
    return Projects.asked(asked.config, asked.isolated, config.given(asked.settings))


def _base(asked: Asked, root: Config) -> runner.Plan:
    fix = (root.value("fix") or root.value("fix-only")) and asked.add_noqa is None
    rules = (own.WHOLE,) if asked.no_cut else ()
    return runner.Plan(rules, fix=fix, diff=asked.diff, unsafe=root.value("unsafe-fixes"))


def _cache(asked: Asked, root: Config) -> Cache | None:
    """The cache of the project; with --debug every file is checked anew."""
    if asked.no_cache or asked.debug or store.directory() is None:
        return None
    return Cache(root.folder.absolute())


def _links(installed: Sequence[Rule]) -> dict[str, str]:
    return {rule.code: url for rule in installed if (url := page.url(rule))}


def _check_stdin(
    asked: Asked, projects: Projects, plans: Plans, output: Output, adopting: Adoption
) -> int:
    """Check standard input; with --fix the fixed source goes to standard output."""
    path = asked.stdin_filename or _STDIN
    source = sys.stdin.buffer.read()
    plan = adopting.plan(path, plans.of(path))
    fixing = plan.fix and not plan.diff
    project = projects.filter(path.absolute().parent)
    if project.forced and project.excludes_within(path.absolute()):
        outcome = runner.Outcome(path, source)
    else:  # as for --diff, no file is written
        outcome = runner.treat(path, source, replace(plan, diff=plan.fix or plan.diff))
    report = runner.gather(adopting.narrowed([outcome], plans.of))
    if asked.diff:
        return output.show_diff(report)
    if fixing:
        sys.stdout.flush()
        sys.stdout.buffer.write(outcome.file(outcome.source))
    return replace(output, to_stderr=fixing).show(report)


def _show_files(found: files.Found) -> int:
    from neuronlint.reporters.lines import visible

    for path in sorted(path.absolute() for path in found.files):
        click.echo(visible(str(path)))
    return CLEAN


def _show_settings(found: files.Found, projects: Projects, plans: Plans) -> int:
    """Print the settings for the first file, as a configuration would have them."""
    if not found.files:
        raise UserError("--show-settings: no files to check found under the given paths")
    path = found.files[0].absolute()
    chosen = projects.config(path.parent)
    plan = plans.of(path)
    click.echo(f"# The settings for {path}")
    click.echo(f"# from {chosen.file.absolute() if chosen.file else 'no configuration file'}")
    click.echo(resolved(chosen, plan.settings.torch), nl=False)
    click.echo(f"# The rules that run on it: {', '.join(rule.code for rule in plan.rules)}")
    return CLEAN


def _tell_times(asked: Asked) -> None:
    """Say on the other stream where the time went."""
    if asked.jobs and asked.jobs > 1:
        click.echo("neuronlint: what other processes do is not measured; -j1 has none", err=True)
    click.echo(clock.told(), nl=False, err=True)


def _tell(projects: Projects, found: files.Found, seconds: float) -> None:
    """Say on the other stream what was read and how long it took."""
    named = {projects.config(path.absolute().parent).file for path in found.files}
    for file in sorted(str(file) for file in named if file):
        click.echo(f"neuronlint: settings from {file}", err=True)
    if None in named:
        click.echo("neuronlint: some files have no configuration file", err=True)
    click.echo(f"neuronlint: {count(len(found.files), 'file')} in {seconds:.2f} s", err=True)
