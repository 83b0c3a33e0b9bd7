"""Find the installed rule packs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, entry_points

from neuronlint import near, rule_index
from neuronlint.rule import Rule
from neuronlint.user_error import UserError

GROUP = "neuronlint.rules"


class RuleError(UserError):
    """A rule pack that cannot be used, or a code that no rule has."""


def installed() -> list[Rule]:
    """The rules of every installed pack, by code; their checks are loaded when they are needed."""
    points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    if (rules := rule_index.known(points)) is None:
        rules = _loaded(points)
        rule_index.keep(points, rules)
    return rules


def _loaded(points: Iterable[EntryPoint]) -> list[Rule]:
    rules: dict[str, Rule] = {}
    for point in points:
        try:
            pack: Iterable[Rule] = point.load()
        except Exception as error:  # somebody else's pack: name it, whatever it raised
            raise RuleError(f"rule pack {point.name!r} cannot be loaded: {error}") from error
        for rule in pack:
            if rules.setdefault(rule.code, rule) is not rule:
                taken = rules[rule.code]
                raise RuleError(f"rule pack {point.name!r}: {rule.code} is already {taken.name}")
    if not rules:
        raise RuleError("no rule pack is installed; in a checkout, run: pip install -e .")
    return sorted(rules.values(), key=lambda rule: rule.code)


def find(rules: Sequence[Rule], code: str) -> Rule:
    """The rule with a code or name; raises RuleError where there is none."""
    for rule in rules:
        if code.upper() == rule.code or code == rule.name:
            return rule
    raise RuleError(f"no rule has the code {code!r}{near.hint(code, words(rules), 0.5)}")


def words(rules: Iterable[Rule]) -> list[str]:
    """The codes and names of rules."""
    return [word for rule in rules for word in (rule.code, rule.name)]
