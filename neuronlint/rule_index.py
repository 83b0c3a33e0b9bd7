"""The words of the installed rules, kept so that a run that checks nothing loads no rule."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from zlib import crc32

from neuronlint import stamps, store
from neuronlint.rule import Rule, Severity

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Packs = Callable[[], "Sequence[EntryPoint]"]


def known(packs: Packs) -> list[Rule] | None:
    """The installed rules as they were last loaded, None if they may be others now."""
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        data = store.read(_name())
        if data is not None and stamps.holds(data["installation"]):
            return [_rule(row, packs) for row in data["rules"]]
    return None


def keep(packages: Iterable[str], rules: Sequence[Rule]) -> None:
    """Keep the words of rules that have just been loaded from these packages."""
    rows = [_row(rule) for rule in rules]
    store.write(_name(), {"installation": stamps.installation(packages), "rules": rows})


def installation(packages: Callable[[], Iterable[str]]) -> dict[str, Any]:
    """What stands for all that is installed, as it was kept or is now."""
    data = store.read(_name())
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        if data is not None and stamps.holds(data["installation"]):
            return dict(data["installation"])
    return stamps.installation(packages())


def _name() -> str:
    """What the rules are stored by: where packs are looked for, which depends on the process."""
    return f"rules-{crc32(repr(sys.path).encode(errors='replace')):08x}"


def _row(rule: Rule) -> list[Any]:
    severities = (rule.severity, rule.guarded, rule.branches)
    levels = [severity.value if severity else None for severity in severities]
    words = [rule.code, rule.name, rule.message, rule.source]
    rest = [rule.triggers, rule.context, rule.whole, rule.project, rule.optional, rule.needs]
    return [*words, *levels, *rest]


def _rule(row: list[Any], packs: Packs) -> Rule:
    code, name, message, source, severity, guarded, branches, *rest = row
    triggers, context, whole, project, optional, needs = rest

    def load() -> Rule:
        rules: Iterator[Rule] = (rule for point in packs() for rule in point.load())
        return next(rule for rule in rules if rule.code == code)

    return Rule(
        *(code, name, message, source, Severity(severity)),
        guarded=Severity(guarded) if guarded else None,
        branches=Severity(branches) if branches else None,
        triggers=tuple(triggers),
        context=tuple(context),
        whole=whole,
        project=project,
        optional=optional,
        needs=needs,
        load=load,
    )
