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

_PAUSE = 0.3  # seconds between two looks, and at least so many times as long as a look takes:
_SHARE = 5

Stamps = Mapping[Path, tuple[int, int]]  # modification time and size by file


def watch(
    asked: Asked, once: Callable[[Asked], Report], projects_of: Callable[[Asked], Projects]
) -> int:
    """Do what was asked whenever a file changes, until somebody interrupts."""
    _refuse(asked)
    again = replace(asked, quiet=True)
    click.clear()  # where there is no screen, nothing
    _say("Starting linter in watch mode...")
    seen = _stamps(asked, projects_of(asked))
    report = once(again)
    while True:
        _end(report)
        seen = _changed(asked, projects_of, {**seen, **_written(report)})
        click.clear()
        _say("File change detected...")
        try:
            report = once(again)
        except UserError as error:  # such as a configuration that is being written
            click.echo(f"neuronlint: {error}", err=True)
            report = Report()


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


def _changed(asked: Asked, projects_of: Callable[[Asked], Projects], seen: Stamps) -> Stamps:
    """Wait for a change; what there is after it."""
    while True:
        started = time.monotonic()
        with suppress(UserError):  # a configuration that is being written
            now = _stamps(asked, projects_of(asked))
            if now != seen:
                return now
        time.sleep(max(_PAUSE, _SHARE * (time.monotonic() - started)))


def _stamps(asked: Asked, projects: Projects) -> Stamps:
    """What tells the files of a run, and their configurations, from later ones."""
    found = files.find(asked.paths or (Path(),), projects.filter).files
    folders = {path.absolute().parent for path in found} | {Path.cwd()}
    layers = [layer for folder in folders for layer in projects.config(folder).layers]
    return dict(_stamped({*found, *(layer.file for layer in layers if layer.file)}))


def _written(report: Report) -> Stamps:
    """The stamps of the files that were fixed: our own changes are no reason to look again."""
    return dict(_stamped({finding.path for finding in report.applied}))


def _stamped(paths: set[Path]) -> Iterator[tuple[Path, tuple[int, int]]]:
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            yield path, (status.st_mtime_ns, status.st_size)


def _end(report: Report) -> None:
    _say(f"Found {count(len(report.findings), 'finding')}. Watching for file changes.")


def _say(line: str) -> None:
    """Print a line with the time; editors wait for these."""
    click.echo(f"[{time.strftime('%H:%M:%S')}] {line}")
