"""What our command lines are made of: click's options, under headings and with better hints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from neuronlint.near import hint

F = TypeVar("F", bound=Callable[..., Any])


class Choice(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on only
    """One of several words; a wrong one is told the right one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            told = f"{error.message.rstrip('.')}{hint(str(value), self.choices)}"
            raise click.BadParameter(told, ctx, param) from None


class Word(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on only
    """A word that is taken as it is, from the environment too."""

    name = "word"

    def split_envvar_value(self, rv: str) -> list[str]:
        """The one word: a path may hold spaces."""
        return [rv]


class TargetName(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on only
    """The name of a target, which a shell completes."""

    name = "target"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names, behind those that are there already in a comma-separated list."""
        from neuronlint import profiles

        before, comma, started = incomplete.rpartition(",")
        found = (name for name in profiles.names() if name.startswith(started))
        return [CompletionItem(f"{before}{comma}{name}") for name in found]


class Command(click.Command):
    """A command whose options are listed under headings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments; what follows an option that needs no value is not its value."""
        options = [param for param in self.params if isinstance(param, _Option)]
        alone = {name for each in options if each.only_after_equals for name in each.opts}
        return super().parse_args(ctx, [f"{arg}=" if arg in alone else arg for arg in args])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, the headings in the order in which they first come."""
        for heading, listed in headed(self, ctx).items():
            records = [each.get_help_record(ctx) for each in listed]
            with formatter.section(heading):
                formatter.write_dl([each for each in records if each], col_max=26)


def headed(command: click.Command, ctx: click.Context) -> dict[str, list[click.Option]]:
    """The options of a command by heading."""
    listed: dict[str, list[click.Option]] = {}
    for param in command.get_params(ctx):
        if isinstance(param, click.Option):
            heading = param.heading if isinstance(param, _Option) else "Other options"
            listed.setdefault(heading, []).append(param)
    return listed


class _Option(click.Option):
    """An option with the heading it is listed under.

    The value of one that has it `only_after_equals` may be left out: then it is "".
    """

    def __init__(
        self, *args: Any, heading: str, only_after_equals: bool = False, **given: Any
    ) -> None:
        super().__init__(*args, **given)
        self.heading = heading
        self.only_after_equals = only_after_equals


def option(heading: str, *names: str, text: str, **given: Any) -> Callable[[F], F]:
    """An option under a heading."""
    return click.option(*names, cls=_Option, heading=heading, help=text, **given)


def switch(heading: str, name: str, text: str) -> Callable[[F], F]:
    """A flag that goes before a configured one, on or off."""
    return option(heading, f"--{name}/--no-{name}", default=None, text=text)


def flag(heading: str, *names: str, text: str, **given: Any) -> Callable[[F], F]:
    """A flag."""
    return option(heading, *names, is_flag=True, text=text, **given)


def many(heading: str, name: str, metavar: str, text: str) -> Callable[[F], F]:
    """An option that takes a comma-separated list and may be repeated."""
    return option(heading, name, text=text, multiple=True, callback=_split, metavar=metavar)


def targets(heading: str, name: str, text: str) -> Callable[[F], F]:
    """An option that takes a comma-separated list of targets and may be repeated."""
    given: dict[str, Any] = {"multiple": True, "callback": _split, "type": TargetName()}
    return option(heading, name, text=text, metavar="NAME", **given)


def mapping(heading: str, name: str, text: str) -> Callable[[F], F]:
    """An option that takes a comma-separated list of globs with codes and may be repeated."""
    return option(heading, name, text=text, multiple=True, callback=_pairs, metavar="GLOB:CODE")


def _split(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The words in comma-separated lists; one without any was hardly meant."""
    if not all(value.strip(" ,") for value in values):
        raise click.BadParameter("it is empty", ctx, param)
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _pairs(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """Codes by glob; a code without a glob goes with the one before it."""
    table: dict[str, tuple[str, ...]] = {}
    glob = ""
    for word in _split(ctx, param, values):
        before, colon, code = word.rpartition(":")
        glob = before.strip() if colon else glob
        if not glob or not code.strip():
            raise click.BadParameter(f"{word!r} is no GLOB:CODE, such as tests/*:NL702")
        table[glob] = (*table.get(glob, ()), code.strip())
    return table
