"""The options of `neuronlint check`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from neuronlint.clicks import Choice, Word, flag, many, mapping, option, switch, targets
from neuronlint.keys import KEYS, SEVERITIES
from neuronlint.reporters import REPORTERS

F = TypeVar("F", bound=Callable[..., Any])
COLOURS = ("auto", "always", "never")


@dataclass(frozen=True)
class Asked:
    """The options of `check`; those that a configuration knows, too, are `settings` by key."""

    settings: Mapping[str, Any]
    paths: tuple[Path, ...]
    config: tuple[str, ...]
    isolated: bool
    diff: bool
    statistics: bool
    watch: bool
    show_files: bool
    show_settings: bool
    stdin_filename: Path | None
    output_file: Path | None
    update_baseline: bool
    prune_baseline: bool
    diff_base: str | None
    added_lines: Path | None
    add_noqa: str | None
    exit_zero: bool
    exit_non_zero_on_fix: bool
    color: str
    quiet: bool
    silent: bool
    verbose: bool
    debug: bool
    jobs: int | None
    no_cache: bool
    cache_dir: Path | None
    no_cut: bool
    profile: bool

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Asked:
        """The options as click gives them."""
        names = {name.replace("-", "_"): name for name in KEYS}
        settings = {
            names[word]: value
            for word, value in given.items()
            if word in names and (value or value is False)
        }
        return cls(settings, **{each.name: given[each.name] for each in fields(cls)[1:]})


_RULES, _FIXES, _FILES = "Rule selection", "Fixes", "File selection"
_ADOPTION = "Adoption"
_SPEED = "Speed"
_OUTPUT, _STATUS, _LEVEL, _CONFIG = "Output", "Exit status", "Log level", "Configuration"

_PATHS = click.Path(path_type=Path, readable=False, allow_dash=True)

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.argument(
        "paths", nargs=-1, type=click.Path(path_type=Path, readable=False, allow_dash=True)
    ),
    many(_RULES, "--select", "CODES", "Run these rules only; a start of a code will do, or ALL."),
    many(_RULES, "--extend-select", "CODES", "Run these rules too."),
    many(_RULES, "--ignore", "CODES", "Leave these rules out."),
    mapping(_RULES, "--per-file-ignores", "Leave rules out in some files, no others."),
    mapping(_RULES, "--extend-per-file-ignores", "Leave rules out in more files."),
    targets(_RULES, "--target", "What the code is for: a device, or any of them."),
    option(_RULES, "--torch", metavar="VERSION", text="The oldest torch to support."),
    switch(_FIXES, "fix", "Rewrite the files where a safe fix is known."),
    switch(_FIXES, "unsafe-fixes", "Count in fixes that may change something."),
    switch(_FIXES, "fix-only", "Fix, and report nothing that is left."),
    switch(_FIXES, "show-fixes", "List the fixes that were made."),
    flag(
        _FIXES,
        "--diff",
        text="Show what --fix would change, as a diff in any format; change nothing.",
    ),
    many(_FIXES, "--fixable", "CODES", "Fix findings of these rules only."),
    many(_FIXES, "--extend-fixable", "CODES", "Fix findings of these rules too."),
    many(_FIXES, "--unfixable", "CODES", "Fix no findings of these rules."),
    many(_FILES, "--exclude", "GLOBS", "Leave these files and folders out, no others."),
    many(_FILES, "--extend-exclude", "GLOBS", "Leave these files and folders out too."),
    switch(_FILES, "force-exclude", "Exclude even files that are named."),
    switch(_FILES, "respect-gitignore", "Leave out what git ignores."),
    option(
        *(_FILES, "--stdin-filename"),
        type=click.Path(path_type=Path),
        text="Read standard input as if it were this file.",
    ),
    flag(_FILES, "--show-files", text="List the files that would be checked."),
    option(
        *(_ADOPTION, "--baseline"),
        type=Word(),
        metavar="FILE",
        text="Leave out the findings that this file lists.",
    ),
    flag(_ADOPTION, "--update-baseline", text="Write all findings into the baseline."),
    flag(_ADOPTION, "--prune-baseline", text="Drop what is gone from the baseline."),
    option(
        *(_ADOPTION, "--diff-base"),
        metavar="REF",
        text="Only lines added since this git ref, uncommitted ones included.",
    ),
    option(
        *(_ADOPTION, "--added-lines"),
        type=click.Path(path_type=Path, allow_dash=True),
        metavar="DIFF",
        text="Only lines that a unified diff adds; - is standard input.",
    ),
    option(
        *(_ADOPTION, "--add-noqa"),
        metavar="[=REASON]",
        only_after_equals=True,
        text="Add a comment that suppresses it to every finding.",
    ),
    option(
        *(_SPEED, "--jobs", "-j"),
        type=click.IntRange(min=1),
        metavar="N",
        text="Check files in so many processes; by default, as many as there are processors.",
    ),
    flag(_SPEED, "--no-cache", envvar="NEURONLINT_NO_CACHE", text="Neither read nor keep a cache."),
    option(
        *(_SPEED, "--cache-dir"),
        type=click.Path(path_type=Path, file_okay=False),
        envvar="NEURONLINT_CACHE_DIR",
        show_envvar=True,
        text="Where to keep the cache.",
    ),
    flag(_SPEED, "--no-cut", text="Parse every file whole, whatever words rules look for."),
    flag(_SPEED, "--profile", text="Tell where the time goes: by phase and by rule."),
    option(
        *(_OUTPUT, "--output-format"),
        type=Choice(list(REPORTERS)),
        envvar="NEURONLINT_OUTPUT_FORMAT",
        show_envvar=True,
        text="How to report.",
    ),
    option(
        *(_OUTPUT, "-o", "--output-file"),
        type=click.Path(path_type=Path, dir_okay=False),
        envvar="NEURONLINT_OUTPUT_FILE",
        show_envvar=True,
        text="Write the report to this file.",
    ),
    flag(_OUTPUT, "-w", "--watch", text="Check again whenever a file changes."),
    flag(_OUTPUT, "--statistics", text="Count the findings of each rule."),
    option(
        *(_OUTPUT, "--color"),
        type=Choice(COLOURS),
        default="auto",
        text="When to use colours; NO_COLOR and FORCE_COLOR change auto.",
    ),
    option(
        *(_STATUS, "--fail-on"),
        type=Choice(SEVERITIES),
        text="The least severity that makes the exit status 1.",
    ),
    flag(_STATUS, "-e", "--exit-zero", text="Exit with 0 whatever was found."),
    flag(_STATUS, "--exit-non-zero-on-fix", text="Exit with 1 if anything was fixed."),
    option(
        *(_CONFIG, "--config"),
        multiple=True,
        type=Word(),
        metavar="FILE|KEY=VALUE",
        envvar="NEURONLINT_CONFIG",
        show_envvar=True,
        text="Read this file instead of looking for one, or set one key.",
    ),
    flag(_CONFIG, "--isolated", text="Read no configuration file."),
    flag(_CONFIG, "--show-settings", text="Show the settings of the first file."),
    flag(_LEVEL, "-v", "--verbose", text="Tell what is being done."),
    flag(_LEVEL, "-q", "--quiet", text="Print findings only."),
    flag(_LEVEL, "-s", "--silent", text="Print nothing."),
    flag(_LEVEL, "--debug", text="Show where in neuronlint something went wrong."),
)


def options(command: F) -> F:
    """The command with the arguments and options of `check`."""
    for each in reversed(_OPTIONS):
        command = each(command)
    return command
