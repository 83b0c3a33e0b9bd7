"""The command line: turn arguments into calls, mistakes into one line and an exit status."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from neuronlint import completion, crashes, there
from neuronlint.clicks import Choice, Command, TargetName
from neuronlint.near import hint
from neuronlint.options import Asked, options
from neuronlint.readiness import options as readiness
from neuronlint.user_error import UserError
from neuronlint.version import SAID, VERSION

# The engine, the rules and what they need are imported where they are used: they are slow to
# load, and neither --help nor a wrong option waits for them.

CLEAN, FINDINGS, WRONG_USE = 0, 1, 2
_OWN = ("--help", "-h", "--version", "-V")


class _DefaultToCheck(click.Group):
    """A group in which anything that is no other command is given to `check`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with `check` before them where no command is named."""
        completing = ctx.resilient_parsing and not args
        if not completing and (not args or args[0] not in (*self.commands, *_OWN)):
            if args:
                self._near_command(args[0])
            args = ["check", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, what `check` takes as an option, and files."""
        inner = check.make_context("check", [], parent=ctx, resilient_parsing=True)
        return [
            *super().shell_complete(ctx, incomplete),
            *check.shell_complete(inner, incomplete),
            *([] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")]),
        ]

    def _near_command(self, word: str) -> None:
        """End in a hint where a word is neither option nor path but almost a command."""
        near = hint(word, self.commands, 0.75)
        if near and not word.startswith("-") and not there.exists(Path(word)):
            raise click.UsageError(f"there is no command or path {word!r}{near}")


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run neuronlint on the arguments of the process, or on these, and leave with its status."""
    run(cli, "neuronlint", args)


def run(command: click.Command, name: str, args: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave with its status; a mistake of the user is one line."""
    _open_streams()
    gc.set_threshold(100_000, 20, 100)  # most of what a run makes it needs until its end
    warnings.simplefilter("ignore", SyntaxWarning)  # Python's, of texts in the code that is checked
    if hasattr(sys.stdout, "reconfigure"):  # a terminal may lack a character of the code
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        words = sys.argv[1:] if args is None else [*args]
        status = command.main(words, prog_name=name, standalone_mode=False, obj=words) or CLEAN
        sys.stdout.flush()
    except (click.ClickException, UserError) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        click.echo(f"neuronlint: {' '.join(text.split())}", err=True)
        status = WRONG_USE
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = FINDINGS
    except (click.Abort, KeyboardInterrupt):
        status = 130
    except Exception as crash:
        crashes.tell()
        said = f"neuronlint: {crashes.summary(crash)}; this is a bug, --debug shows where"
        click.echo(said, err=True)
        status = WRONG_USE
    sys.exit(status)


def _open_streams() -> None:
    """Have something to read and to write where whoever started the process closed a stream."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


@click.group(
    cls=_DefaultToCheck,
    subcommand_metavar="[check] [PATHS]... | COMMAND",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(VERSION, "-V", "--version", message=SAID.rstrip())
def cli() -> None:
    """Find PyTorch code that runs on CUDA only, and fix it.

    Without a command, the paths are checked: `neuronlint src` is `neuronlint check src`, whose
    options `neuronlint check --help` lists.
    """


@cli.command(cls=Command)
@options
@click.pass_obj
def check(words: list[str] | None, /, **given: Any) -> int:
    """Check files and folders, by default the current one, or standard input for `-`.

    The exit status is 0 if nothing is left to report, 1 if something is, 2 for wrong use.
    """
    from neuronlint import checking

    _begin(given)
    return checking.check(Asked.of(given), words)


@cli.command(
    "report", cls=Command, params=[each for each in check.params if each.name in readiness.SHARED]
)
@readiness.options
def make_report(**given: Any) -> None:
    """Report how far code is from running on a target, and what work is left.

    A page for people who do not know neuronlint: what is ready, what is not, what is fixed
    automatically and what a person has to do. Without -o it is text on standard output.
    """
    from neuronlint.readiness import command

    _begin(given)
    command.report(readiness.asked(given), readiness.Wanted.of(given))


@cli.command("clean")
@click.option(
    "--cache-dir",
    type=click.Path(path_type=Path),
    envvar="NEURONLINT_CACHE_DIR",
    help="Where it was kept, if not where it usually is.",
)
def clean(cache_dir: Path | None) -> None:
    """Remove what was kept to make runs faster."""
    from neuronlint import store
    from neuronlint.report import count

    if cache_dir:
        store.use(cache_dir)
    click.echo(f"Removed {count(store.clean(), 'cache file')}.")


_format = click.option(
    "--output-format", type=Choice(["text", "json"]), default="text", show_default=True
)


@cli.command("rule")
@click.argument("code", required=False, shell_complete=completion.codes)
@click.option("--all", "every", is_flag=True, help="Print the pages of all rules.")
@_format
def show_rule(code: str | None, every: bool, output_format: str) -> None:
    """Print the page of a rule, by its code or name."""
    from neuronlint import showing

    if bool(code) == every:
        raise click.UsageError("name a rule, or ask for --all")
    click.echo(showing.pages(code, output_format == "json"), nl=False)


@cli.command("rules")
@_format
def list_rules(output_format: str) -> None:
    """List the rules: code, severity, name."""
    from neuronlint import showing

    click.echo(showing.rules(output_format == "json"), nl=False)


@cli.command("test")
@click.argument("codes", nargs=-1, shell_complete=completion.codes)
def test_rules(codes: tuple[str, ...]) -> int:
    """Try rules, all or those with these codes, on the examples of their pages.

    For those who write rules: the examples are marked with the findings they promise.
    """
    from neuronlint import showing

    return FINDINGS if showing.tried(codes) else CLEAN


@cli.command("config")
@click.argument("key", required=False, shell_complete=completion.keys)
@_format
def show_config(key: str | None, output_format: str) -> None:
    """List the keys of a configuration, or tell about one."""
    from neuronlint import showing

    click.echo(showing.keys(key, output_format == "json"), nl=False)


@cli.command("targets")
@click.argument("name", required=False, type=TargetName())
@_format
def show_targets(name: str | None, output_format: str) -> None:
    """List the targets, or tell about one: its facts, and what findings mean there."""
    from neuronlint import target_page

    click.echo(target_page.shown(name, output_format == "json"), nl=False)


@cli.command("server")
@click.option(
    *("--config", "words"),
    multiple=True,
    metavar="FILE|KEY=VALUE",
    help="Read this file instead of looking for one, or set one key.",
)
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
@click.option("--stdio", is_flag=True, help="Taken for granted; some editors say so.")
def serve_editors(words: tuple[str, ...], isolated: bool, stdio: bool) -> int:
    """Serve an editor over standard input and output, by the language server protocol.

    Findings while typing, fixes, and the pages of rules. Needs pip install 'neuronlint[server]'.
    """
    from neuronlint import server

    return server.run(words, isolated)


@cli.command("generate-shell-completion")
@click.argument("shell", type=Choice([*completion.SHELLS]))
def generate_shell_completion(shell: str) -> None:
    """Print what makes a shell complete our commands, to be evaluated at its start."""
    click.echo(completion.source(shell, cli))


def _begin(given: Mapping[str, Any]) -> None:
    """Take to heart what is asked of the whole run: tracebacks, and where the cache is."""
    from neuronlint import store

    try:
        Path.cwd()
    except OSError as error:
        raise UserError(f"the current folder: {error.strerror}") from None
    crashes.SHOWN.set(given["debug"])
    if given["no_cache"] or given["cache_dir"]:
        store.use(None if given["no_cache"] else given["cache_dir"])
