"""The words of the installed rules, kept so that a run that checks nothing loads no rule."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from zlib import crc32

from neuronlint import stamps, store
from neuronlint.packs import Pack
from neuronlint.rule import Rule, Severity

_read: dict[str, dict[str, Any]] = {}  # what is kept, by its name, if it holds in this process


def known() -> list[Rule] | None:
    """The installed rules as they were last loaded, None if they may be others now."""
    _read.pop(_name(), None)
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        data = store.read(_name())
        if data is not None and stamps.holds(data["installation"]):
            packs = tuple(Pack(*row) for row in data["packs"])
            rules = [_rule(row, packs) for row in data["rules"]]
            _read[_name()] = data
            return rules
    return None


def keep(packs: Sequence[Pack], rules: Sequence[Rule]) -> None:
    """Keep the words of rules that have just been loaded from these packs."""
    data = {
        "installation": installed_with(packs),
        "packs": [[pack.name, pack.value] for pack in packs],
        "rules": [_row(rule) for rule in rules],
    }
    store.write(_name(), data)


def packs() -> tuple[Pack, ...]:
    """The installed packs, none if `known` has not told them."""
    data = _read.get(_name())
    return () if data is None else tuple(Pack(*row) for row in data["packs"])


def installation() -> dict[str, Any] | None:
    """What stands for all that is installed, None if `known` has not told it."""
    data = _read.get(_name())
    return None if data is None else data["installation"]


def installed_with(packs: Sequence[Pack]) -> dict[str, Any]:
    """What stands for all that is installed, with the code of these packs."""
    return stamps.installation(["neuronlint", *(pack.package for pack in packs)])


def _name() -> str:
    """What the rules are stored by: where packs are looked for, which depends on the process."""
    return f"rules-{crc32(repr(sys.path).encode(errors='replace')):08x}"


def _row(rule: Rule) -> list[Any]:
    severities = (rule.severity, rule.guarded, rule.branches)
    levels = [severity.value if severity else None for severity in severities]
    words = [rule.code, rule.name, rule.message, rule.source]
    rest = [rule.triggers, rule.context, rule.whole, rule.project, rule.optional, rule.needs]
    return [*words, *levels, *rest]


def _rule(row: list[Any], packs: Sequence[Pack]) -> Rule:
    code, name, message, source, severity, guarded, branches, *rest = row
    triggers, context, whole, project, optional, needs = rest

    def load() -> Rule:
        rules: Iterator[Rule] = (rule for pack in packs for rule in pack.load())
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
