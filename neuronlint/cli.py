"""The command line: turn arguments into calls, findings into an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from neuronlint.config import Config, ConfigError
from neuronlint.options import Asked, options, settings
from neuronlint.report import FAILURES, Look, Report, count
from neuronlint.reporters import REPORTERS
from neuronlint.rule import Severity

if TYPE_CHECKING:
    from neuronlint.rule import Rule

# The engine, the rules and what they need are imported where they are used: they are slow to
# load, and neither --help nor a wrong option waits for them.

CLEAN, FINDINGS, WRONG_USE = 0, 1, 2


class _WrongUse(click.ClickException):
    """A mistake in what was asked for, told in one line."""

    exit_code = WRONG_USE


class _DefaultToCheck(click.Group):
    """A group in which anything that is no other command is given to `check`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with `check` before them where no command is named."""
        if not args or args[0] not in (*self.commands, "--help", "-h", "--version", "-V"):
            args = ["check", *args]
        return super().parse_args(ctx, args)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run neuronlint on the arguments of the process, or on these, and leave with its status."""
    if hasattr(sys.stdout, "reconfigure"):  # a terminal may lack a character of the code
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = cli.main(args, prog_name="neuronlint", standalone_mode=False) or CLEAN
        sys.stdout.flush()
    except click.ClickException as error:
        click.echo(f"neuronlint: {' '.join(error.format_message().split())}", err=True)
        status = WRONG_USE
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = FINDINGS
    except (click.Abort, KeyboardInterrupt):
        status = 130
    sys.exit(status)


@click.group(
    cls=_DefaultToCheck,
    subcommand_metavar="[check] [PATHS]... | rule CODE | rules",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(
    None, "-V", "--version", package_name="neuronlint", message="neuronlint %(version)s"
)
def cli() -> None:
    """Find PyTorch code that runs on CUDA only, and fix it.

    Without a command, the paths are checked: `neuronlint src` is `neuronlint check src`, whose
    options `neuronlint check --help` lists.
    """


@cli.command()
@options
def check(paths: tuple[Path, ...], **given: Any) -> int:
    """Check files and folders, by default the current one.

    The exit status is 0 if nothing is left to report, 1 if something is, 2 for wrong use.
    """
    asked = Asked(paths=paths or (Path(),), **given)
    try:
        chosen = settings(asked)
    except ConfigError as error:
        raise _WrongUse(str(error)) from None
    report = _run(asked, chosen)
    return _show_diff(asked, report) if asked.diff else _show(asked, report)


@cli.command("rule")
@click.argument("code")
def show_rule(code: str) -> None:
    """Print the page of a rule, by its code or name."""
    from neuronlint import page, registry

    try:
        rule = registry.find(_installed(), code)
    except registry.RuleError as error:
        raise _WrongUse(str(error)) from None
    click.echo(page.read(rule).rstrip("\n"))


@cli.command("rules")
def list_rules() -> None:
    """List the rules: code, severity, name."""
    for each in _installed():
        click.echo(f"{each.code}  {each.severity.value:<7}  {each.name}")


def _run(asked: Asked, chosen: Config) -> Report:
    from neuronlint import files, registry, runner

    try:
        rules = registry.select(_installed(), chosen.select, chosen.ignore, chosen.extend_select)
    except registry.RuleError as error:
        raise _WrongUse(str(error)) from None
    excluded = files.DEFAULT_EXCLUDE if chosen.exclude is None else chosen.exclude
    found = files.find(
        asked.paths,
        (*excluded, *chosen.extend_exclude),
        chosen.folder,
        asked.force_exclude,
    )
    if not found.files and not found.unreadable:
        click.echo("neuronlint: warning: no Python files found under the given paths", err=True)
    plan = runner.Plan(rules, chosen.torch, asked.fix, asked.diff, asked.unsafe_fixes)
    return runner.run(found, plan)


def _installed() -> list[Rule]:
    from neuronlint import registry

    try:
        return registry.installed()
    except registry.RuleError as error:
        raise _WrongUse(str(error)) from None


def _show(asked: Asked, report: Report) -> int:
    """Print the report; the exit status it calls for."""
    look = Look(_has_colour(), asked.quiet, asked.unsafe_fixes)
    click.echo(REPORTERS[asked.output_format](report, look), nl=False, color=look.colour)
    return _status(asked, report)


def _show_diff(asked: Asked, report: Report) -> int:
    """Print what would change, and on the other stream how much; the exit status."""
    click.echo("".join(report.diffs), nl=False)
    failures = tuple(finding for finding in report.findings if finding.code in FAILURES)
    failed = replace(report, findings=failures)
    if failures:
        click.echo(REPORTERS["text"](failed, Look(quiet=True)), nl=False, err=True)
    if not asked.quiet:
        fixes, changed = count(len(report.applied), "finding"), count(len(report.diffs), "file")
        click.echo(f"Would fix {fixes} in {changed}.", err=True)
    if report.diffs and not asked.exit_zero:
        return FINDINGS
    return _status(asked, failed)


def _status(asked: Asked, report: Report) -> int:
    if report.failed:
        return FINDINGS
    counted = list(Severity)[: list(Severity).index(Severity(asked.fail_on)) + 1]
    failing = any(finding.severity in counted for finding in report.findings)
    return FINDINGS if failing and not asked.exit_zero else CLEAN


def _has_colour() -> bool:
    """Whether to colour what is printed: on a terminal, unless the environment says."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()
