"""Find the installed rule packs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from neuronlint import near, rule_index
from neuronlint.rule import Rule
from neuronlint.user_error import UserError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "neuronlint.rules"


class RuleError(UserError):
    """A rule pack that cannot be used, or a code that no rule has."""


def installed() -> list[Rule]:
    """The rules of every installed pack, by code; their checks are loaded when they are needed."""
    if (rules := rule_index.known(packs)) is None:
        rules = _loaded(packs())
        rule_index.keep(packages(), rules)
    return rules


def packages() -> list[str]:
    """The names of the packages whose code makes findings what they are."""
    return ["neuronlint", *(point.module.partition(".")[0] for point in packs())]


def packs() -> tuple[EntryPoint, ...]:
    """The installed rule packs; to look for them takes longer than all else in a short run."""
    return _packs(tuple(sys.path))


@lru_cache(maxsize=8)
def _packs(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The rule packs that are found in these places, which are those of this process."""
    from importlib.metadata import entry_points  # takes longer to load than a short run has

    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


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
    raise RuleError(f"no rule has the code {code!r}{hint(code, rules)}")


def hint(word: str, rules: Sequence[Rule], *others: str) -> str:
    """A remark that helps with a code or name that no rule has, "" where nothing is like it.

    `others` are further words that would have done.
    """
    codes = [rule.code for rule in rules]
    families = sorted({code.rstrip("0123456789") for code in codes})
    for end in range(len(word), 0, -1):
        start = word[:end].upper()
        fitting = [code for code in codes if code.startswith(start)]
        if fitting and re.fullmatch(r"\d*", word[end:]) and start.startswith(tuple(families)):
            same = start != word and end == len(word)
            return near.hint(word, [start]) if same else _range(start, fitting)
    return near.hint(word, [*others, *families, *codes, *(rule.name for rule in rules)], 0.5)


def _range(start: str, codes: Sequence[str]) -> str:
    if len(codes) == 1:
        return f"; did you mean {codes[0]!r}?"
    return f"; those that start with {start} are {codes[0]} to {codes[-1]}"
