"""The options of `neuronlint check`, and the settings they make together with the project's."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import click

from neuronlint import config
from neuronlint.config import Config
from neuronlint.reporters import REPORTERS
from neuronlint.rule import Severity

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Asked:
    """The options of `check` as given."""

    paths: tuple[Path, ...]
    fix: bool
    unsafe_fixes: bool
    diff: bool
    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    torch: str
    output_format: str
    fail_on: str
    exit_zero: bool
    quiet: bool
    config_file: Path | None
    isolated: bool
    exclude: tuple[str, ...]
    extend_exclude: tuple[str, ...]
    force_exclude: bool


def _split(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The words in comma-separated lists."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _many(*names: str, metavar: str, text: str) -> Callable[[F], F]:
    """An option that takes a comma-separated list and may be repeated."""
    return click.option(*names, multiple=True, callback=_split, metavar=metavar, help=text)


_OPTIONS = (
    click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path)),
    click.option("--fix", is_flag=True, help="Rewrite the files where a safe fix is known."),
    click.option("--unsafe-fixes", is_flag=True, help="Count in fixes that may change something."),
    click.option("--diff", is_flag=True, help="Show what --fix would change; change nothing."),
    _many("--select", metavar="CODES", text="Run these rules only; a start of a code will do."),
    _many("--extend-select", metavar="CODES", text="Run these rules too."),
    _many("--ignore", metavar="CODES", text="Leave these rules out."),
    click.option("--torch", metavar="VERSION", default="", help="The oldest torch to support."),
    click.option(
        "--output-format",
        type=click.Choice(list(REPORTERS)),
        default="text",
        show_default=True,
        envvar="NEURONLINT_OUTPUT_FORMAT",
        show_envvar=True,
    ),
    click.option(
        "--fail-on",
        type=click.Choice([severity.value for severity in Severity]),
        default=Severity.INFO.value,
        show_default=True,
        help="The least severity that makes the exit status 1.",
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found."),
    click.option("-q", "--quiet", is_flag=True, help="Print findings only."),
    click.option(
        "--config",
        "config_file",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Read this file instead of looking for one.",
    ),
    click.option("--isolated", is_flag=True, help="Read no configuration file."),
    _many("--exclude", metavar="GLOBS", text="Leave these files and folders out, no others."),
    _many("--extend-exclude", metavar="GLOBS", text="Leave these files and folders out too."),
    click.option("--force-exclude", is_flag=True, help="Exclude even files that are named."),
)


def options(command: F) -> F:
    """The command with the arguments and options of `check`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def settings(asked: Asked) -> Config:
    """The project's settings with those of the command line over them."""
    if asked.isolated:
        chosen = Config()
    elif asked.config_file:
        chosen = config.read(asked.config_file, asked.paths)
    else:
        chosen = config.load(asked.paths)
    if asked.torch:
        chosen = replace(chosen, torch=config.version(asked.torch))
    if asked.select:  # asks for these rules whatever the project says
        chosen = replace(chosen, select=asked.select, ignore=(), extend_select=())
    exclude = _anchored(asked.exclude, chosen.folder)
    return replace(
        chosen,
        extend_select=(*chosen.extend_select, *asked.extend_select),
        ignore=(*chosen.ignore, *asked.ignore),
        exclude=exclude or chosen.exclude,
        extend_exclude=(
            *chosen.extend_exclude,
            *_anchored(asked.extend_exclude, chosen.folder),
        ),
    )


def _anchored(globs: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Globs that count from the current folder, as they count from another."""
    return tuple(
        f"/{Path(os.path.relpath(glob, folder)).as_posix()}" if "/" in glob.rstrip("/") else glob
        for glob in globs
    )
