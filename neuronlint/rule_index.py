"""The words of the installed rules, kept so that a run that checks nothing loads no rule."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from neuronlint import stamps, store
from neuronlint.packs import Pack
from neuronlint.rule import Rule, Severity

_NAME = "rules"
_read: dict[str, Any] = {}  # what was kept, if it held when it was last asked for


def known() -> list[Rule] | None:
    """The installed rules as they were last loaded, None if they may be others now."""
    _read.clear()
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        data = store.read(_NAME)
        if data is not None and stamps.holds(data["installation"]):
            packs = tuple(Pack(*row) for row in data["packs"])
            rules = [_rule(row, packs) for row in data["rules"]]
            _read.update(data, of=[*sys.path])
            return rules
    return None


def keep(packs: Sequence[Pack], rules: Sequence[Rule]) -> None:
    """Keep the words of rules that have just been loaded from these packs."""
    data = {
        "installation": installed_with(packs),
        "packs": [[pack.name, pack.value] for pack in packs],
        "rules": [_row(rule) for rule in rules],
    }
    store.write(_NAME, data)


def packs() -> tuple[Pack, ...]:
    """The installed packs, none if `known` has not told them."""
    return tuple(Pack(*row) for row in _read["packs"]) if _is_read() else ()


def installation() -> dict[str, Any] | None:
    """What stands for all that is installed, None if `known` has not told it."""
    return dict(_read["installation"]) if _is_read() else None


def installed_with(packs: Sequence[Pack]) -> dict[str, Any]:
    """What stands for all that is installed, with the code of these packs."""
    return stamps.installation(["neuronlint", *(pack.package for pack in packs)])


def _is_read() -> bool:
    return bool(_read) and _read["of"] == sys.path


def _row(rule: Rule) -> list[Any]:
    severities = (rule.severity, rule.guarded, rule.branches)
    levels = [severity.value if severity else None for severity in severities]
    words = [rule.code, rule.name, rule.message, rule.source]
    rest = [rule.triggers, rule.context, rule.decided, rule.whole, rule.project]
    rest += [rule.optional, rule.needs]
    return [*words, *levels, *rest]


def _rule(row: list[Any], packs: Sequence[Pack]) -> Rule:
    code, name, message, source, severity, guarded, branches, *rest = row
    triggers, context, decided, whole, project, optional, needs = rest

    def load() -> Rule:
        rules: Iterator[Rule] = (rule for pack in packs for rule in pack.load())
        return next(rule for rule in rules if rule.code == code)

    return Rule(
        *(code, name, message, source, Severity(severity)),
        guarded=Severity(guarded) if guarded else None,
        branches=Severity(branches) if branches else None,
        triggers=tuple(triggers),
        context=tuple(context),
        decided=tuple(decided),
        whole=whole,
        project=project,
        optional=optional,
        needs=needs,
        load=load,
    )
