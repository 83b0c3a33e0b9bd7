"""Find the installed rule packs and choose among their rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib.metadata import entry_points

from neuronlint.rule import Rule

GROUP = "neuronlint.rules"


class RuleError(Exception):
    """A rule pack that cannot be used, or a code that no rule has."""


def installed() -> list[Rule]:
    """The rules of every installed pack, by code."""
    rules: dict[str, Rule] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
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


def select(
    rules: Sequence[Rule],
    chosen: Iterable[str] = (),
    ignored: Iterable[str] = (),
    extended: Iterable[str] = (),
) -> list[Rule]:
    """The rules that the longest matching prefix chooses; `ALL` is every rule.

    Raises RuleError for a prefix that fits no rule.
    """
    wanted, unwanted = {*(tuple(chosen) or ("ALL",)), *extended}, set(ignored)
    for prefix in sorted(wanted | unwanted):
        if not any(_fits(rule, prefix) for rule in rules):
            raise RuleError(f"no rule has the code {prefix!r}{_nearest(prefix, rules)}")
    return [rule for rule in rules if _strength(rule, wanted) > _strength(rule, unwanted)]


def find(rules: Sequence[Rule], code: str) -> Rule:
    """The rule with a code or name; raises RuleError where there is none."""
    for rule in rules:
        if code.upper() == rule.code or code == rule.name:
            return rule
    raise RuleError(f"no rule has the code {code!r}{_nearest(code, rules)}")


def _fits(rule: Rule, prefix: str) -> bool:
    return prefix == "ALL" or rule.code.startswith(prefix)


def _strength(rule: Rule, prefixes: Iterable[str]) -> int:
    lengths = [1 if p == "ALL" else len(p) + 1 for p in prefixes if _fits(rule, p)]
    return max(lengths, default=0)


def _nearest(code: str, rules: Sequence[Rule]) -> str:
    names = [*(rule.code for rule in rules), *(rule.name for rule in rules)]
    near = get_close_matches(code, names, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""
