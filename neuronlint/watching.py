"""The command `check` again and again, whenever a file changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from neuronlint import files
from neuronlint.options import Asked
from neuronlint.projects import Projects
from neuronlint.report import Report, count
from neuronlint.user_error import UserError

INTERRUPTED = 130
_PAUSE = 0.3  # seconds between two looks, and at least so many times as long as a look takes:
_SHARE = 5

Seen = Mapping[Path | str, tuple[int, int]]  # modification time and size by file, or an error


def watch(
    asked: Asked, once: Callable[[Asked], Report], projects_of: Callable[[Asked], Projects]
) -> int:
    """Do what was asked whenever a file changes; the exit status once somebody interrupts."""
    _refuse(asked)
    again = replace(asked, quiet=True)
    try:
        _begin("Starting linter in watch mode...")
        seen = _look(asked, projects_of)
        report = once(again)
        while True:
            _say(f"Found {count(len(report.findings), 'finding')}. Watching for file changes.")
            seen = _changed(asked, projects_of, {**seen, **_written(report)})
            _begin("File change detected...")
            try:
                report = once(again)
            except UserError as error:  # such as a configuration that is not finished
                click.echo(f"neuronlint: {error}", err=True)
                report = Report()
    except KeyboardInterrupt:
        return INTERRUPTED


def _refuse(asked: Asked) -> None:
    """Raise UserError for what makes no sense more than once."""
    once_only = {
        "--diff": asked.diff,
        "--statistics": asked.statistics,
        "--show-files": asked.show_files,
        "--show-settings": asked.show_settings,
        "--stdin-filename": asked.stdin_filename,
        "standard input": Path("-") in asked.paths,
        "--added-lines": asked.added_lines,
        "--add-noqa": asked.add_noqa is not None,
        "--update-baseline": asked.update_baseline,
        "--prune-baseline": asked.prune_baseline,
    }
    for name, given in once_only.items():
        if given:
            raise UserError(f"--watch does not go with {name}")


def _changed(asked: Asked, projects_of: Callable[[Asked], Projects], seen: Seen) -> Seen:
    """Wait for a change; what there is after it."""
    while True:
        started = time.monotonic()
        if (now := _look(asked, projects_of)) != seen:
            # What changed during a look may be half in it; two that are the same saw it whole.
            while (again := _look(asked, projects_of)) != now:
                now = again
            return now
        time.sleep(max(_PAUSE, _SHARE * (time.monotonic() - started)))


def _look(asked: Asked, projects_of: Callable[[Asked], Projects]) -> Seen:
    """What tells the files of a run, and their configurations, from later ones."""
    try:
        projects = projects_of(asked)
        found = files.find(asked.paths or (Path(),), projects.filter).files
        folders = {path.absolute().parent for path in found} | {Path.cwd()}
        layers = [layer for folder in folders for layer in projects.config(folder).layers]
    except UserError as error:
        return {str(error): (0, 0)}
    return dict(_stamped({*found, *(layer.file for layer in layers if layer.file)}))


def _written(report: Report) -> Seen:
    """The stamps of the files that were fixed: our own changes are no reason to look again."""
    return dict(_stamped({finding.path for finding in report.applied}))


def _stamped(paths: set[Path]) -> Iterator[tuple[Path | str, tuple[int, int]]]:
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            yield path, (status.st_mtime_ns, status.st_size)


def _begin(line: str) -> None:
    """Print a line on a screen that is empty; where there is no screen, it just comes next."""
    click.clear()
    _say(line)


def _say(line: str) -> None:
    """Print a line with the time; editors wait for these."""
    click.echo(f"[{time.strftime('%H:%M:%S')}] {line}")
