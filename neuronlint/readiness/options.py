"""The options of `neuronlint report`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from neuronlint.clicks import Choice, option
from neuronlint.options import Asked

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("html", "md", "json")
# The options of `check` that hold here, too: what is checked, by which rules, how fast.
SHARED = (
    *("paths", "target", "select", "extend_select", "ignore", "per_file_ignores"),
    *("extend_per_file_ignores", "torch", "exclude", "extend_exclude", "force_exclude"),
    *("respect_gitignore", "jobs", "no_cache", "cache_dir", "config", "isolated", "quiet", "debug"),
)


@dataclass(frozen=True)
class Wanted:
    """Which report is wanted: in which format, where, since which one."""

    format: str | None
    output: Path | None
    title: str | None
    compare: Path | None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Wanted:
        """What is wanted, as click gives it."""
        return cls(*(given[each.name] for each in fields(cls)))


def asked(given: Mapping[str, Any]) -> Asked:
    """What `check` would have been asked for, with the options that are shared."""
    return Asked.of({**dict.fromkeys(each.name for each in fields(Asked)), **given})


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    option(
        *("Report", "-o", "--output"),
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        text="Write the report to this file, in the format that its ending names.",
    ),
    option(
        *("Report", "--format"),
        type=Choice(FORMATS),
        text="The format, whatever the ending; html needs pip install 'neuronlint[report]'.",
    ),
    option(
        *("Report", "--compare"),
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        text="Show what has changed since an earlier report in JSON.",
    ),
    option("Report", "--title", metavar="TEXT", text="What to call the code; its folder's name."),
)


def options(command: F) -> F:
    """The command with the options that are its own."""
    for each in reversed(_OPTIONS):
        command = each(command)
    return command
