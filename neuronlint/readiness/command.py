"""The command `report`, from what was asked to the file that is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from neuronlint import checking, files, own, registry, there
from neuronlint.options import Asked
from neuronlint.plans import Plans
from neuronlint.readiness import compared, words
from neuronlint.readiness.data import Data, data
from neuronlint.readiness.options import Wanted
from neuronlint.readiness.survey import Survey, survey
from neuronlint.readiness.target import Target, of
from neuronlint.rule import Rule
from neuronlint.runner import Plan
from neuronlint.user_error import UserError

_ENDINGS = {".html": "html", ".htm": "html", ".md": "md", ".markdown": "md", ".json": "json"}


def report(asked: Asked, wanted: Wanted) -> None:
    """Make a report and write it; raises UserError."""
    shown = _shown(_format(wanted))
    old = compared.read(wanted.compare) if wanted.compare else None
    made = _data(asked, wanted)
    if old is not None:
        made = compared.compare(old, made)
    if wanted.output is None:
        click.echo(shown(made), nl=False)
        return
    _write(wanted.output, shown(made))
    if not asked.quiet:
        click.echo(f"{wanted.output}: {made['title']}: {words.verdict(made)}")


def _format(wanted: Wanted) -> str:
    """The format asked for, that of the file's ending, or text for a terminal."""
    if wanted.format:
        return wanted.format
    if wanted.output is None:
        return "md"
    ending = wanted.output.suffix.lower()
    if ending not in _ENDINGS:
        raise UserError(f"--output {wanted.output}: end it in .html, .md or .json, or use --format")
    return _ENDINGS[ending]


def _shown(name: str) -> Callable[[Data], str]:
    """What makes a report of its data; raises UserError where that is not installed."""
    match name:
        case "html":
            from neuronlint.readiness import html

            html.require()
            return html.html
        case "md":
            from neuronlint.readiness import markdown

            return markdown.markdown
        case _:
            from neuronlint.reporters.data import dumps

            return lambda made: f"{dumps(made, indent=1)}\n"


def _data(asked: Asked, wanted: Wanted) -> Data:
    paths = asked.paths or (Path(),)
    for path in paths:
        if not there.exists(path):
            raise UserError(f"{path}: there is no such file or folder")
    rules = [own.UNUSED, *registry.installed()]
    seen, target = _survey(asked, paths, rules)
    if not target.ports:
        seen = replace(seen, kernels=())
    title = wanted.title or seen.root.name or "/"
    return data(seen, target, title, [*own.RULES, *rules])


def _survey(asked: Asked, paths: Sequence[Path], rules: Sequence[Rule]) -> tuple[Survey, Target]:
    """The survey of the paths, and what they are for; a baseline hides nothing here."""
    projects = checking.projects_of(asked)
    root = projects.root(paths)
    plans = Plans(projects, rules, Plan(()))
    on = {rule.code for rule in plans.chosen(root)}
    found = files.find(paths, projects.filter)
    outcomes = checking.outcomes_of(asked, root, found, plans.of)
    off = tuple(rule.code for rule in rules if rule.code not in on)
    return survey(_root(paths), paths, outcomes, projects.filter, off), of(root)


def _root(paths: Sequence[Path]) -> Path:
    """The folder that all paths lie in."""
    full = [path.absolute() for path in paths]
    try:
        common = Path(os.path.normpath(os.path.commonpath(full)))
    except ValueError:  # on different drives
        return Path.cwd()
    return common if there.is_folder(common) else common.parent


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None
