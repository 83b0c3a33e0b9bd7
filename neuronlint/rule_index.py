"""The words of the installed rules, kept so that a run that checks nothing loads no rule."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint
from typing import Any

from neuronlint import store
from neuronlint.rule import Rule, Severity
from neuronlint.stamps import stamp

_NAME = "rules"


def known(points: Sequence[EntryPoint]) -> list[Rule] | None:
    """The rules of these packs as they were last loaded, None if they may be others now."""
    with suppress(KeyError, TypeError, ValueError):
        data = store.read(_NAME)
        if data is not None and data["stamp"] == _stamp(points):
            return [_rule(row, points) for row in data["rules"]]
    return None


def keep(points: Sequence[EntryPoint], rules: Sequence[Rule]) -> None:
    """Keep the words of rules that have just been loaded."""
    store.write(_NAME, {"stamp": _stamp(points), "rules": [_row(rule) for rule in rules]})


def _stamp(points: Sequence[EntryPoint]) -> str:
    packs = [(p.name, p.value, stamp(p.module.partition(".")[0])) for p in points]
    return json.dumps([sys.version_info[:2], stamp("neuronlint"), packs])


def _row(rule: Rule) -> list[Any]:
    severities = (rule.severity, rule.guarded, rule.branches)
    levels = [severity.value if severity else None for severity in severities]
    words = [rule.code, rule.name, rule.message, rule.source]
    rest = [rule.triggers, rule.context, rule.decided, rule.whole, rule.project]
    rest += [rule.optional, rule.needs]
    return [*words, *levels, *rest]


def _rule(row: list[Any], points: Sequence[EntryPoint]) -> Rule:
    code, name, message, source, severity, guarded, branches, *rest = row
    triggers, context, decided, whole, project, optional, needs = rest

    def load() -> Rule:
        rules: Iterator[Rule] = (rule for point in points for rule in point.load())
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
