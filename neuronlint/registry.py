"""Find the installed rule packs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from neuronlint import near, rule_index
from neuronlint.packs import GROUP, Pack
from neuronlint.rule import Rule
from neuronlint.user_error import UserError


class RuleError(UserError):
    """A rule pack that cannot be used, or a code that no rule has."""


def installed() -> list[Rule]:
    """The rules of every installed pack, by code; their checks are loaded when they are needed."""
    if (rules := rule_index.known()) is None:
        rules = _loaded(packs())
        rule_index.keep(packs(), rules)
    return rules


def packs() -> tuple[Pack, ...]:
    """The installed rule packs; to look for them takes longer than all else in a short run."""
    return rule_index.packs() or _packs(tuple(sys.path))


def installation() -> dict[str, Any]:
    """What stands for all that is installed."""
    return rule_index.installation() or rule_index.installed_with(packs())


@lru_cache(maxsize=8)
def _packs(path: tuple[str, ...]) -> tuple[Pack, ...]:
    """The rule packs that are found in these places, which are those of this process."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return tuple(Pack(point.name, point.value) for point in found)


def _loaded(packs: Iterable[Pack]) -> list[Rule]:
    rules: dict[str, Rule] = {}
    for one in packs:
        try:
            pack: Iterable[Rule] = one.load()
        except Exception as error:  # somebody else's pack: name it, whatever it raised
            raise RuleError(f"rule pack {one.name!r} cannot be loaded: {error}") from error
        for rule in pack:
            if rules.setdefault(rule.code, rule) is not rule:
                taken = rules[rule.code]
                raise RuleError(f"rule pack {one.name!r}: {rule.code} is already {taken.name}")
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
