"""Which files can have findings at all: the rest costs no more than reading it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from neuronlint.own import UNUSED
from neuronlint.rule import Rule
from neuronlint.triggers import Triggers, triggers


def may_match(source: bytes, rules: Sequence[Rule], also: frozenset[str] = frozenset()) -> bool:
    """Whether a source holds a word without which no rule finds anything in it.

    `also` are the project's own, which no rule can know beforehand.
    """
    python, words = _looked_for(tuple(rules), also)
    return python is None or python.may_be_in(source) or any(word in source for word in words)


@lru_cache(maxsize=64)
def _looked_for(
    rules: tuple[Rule, ...], also: frozenset[str]
) -> tuple[Triggers | None, tuple[bytes, ...]]:
    """What rules for Python look for, None for anything, and the words of those for other files."""
    python = tuple(rule for rule in rules if not rule.project and rule is not UNUSED)
    others = [rule for rule in rules if rule.project]
    words = {word.encode() for rule in others for word in rule.triggers or ("",)}
    return triggers(python, also if python else frozenset()), tuple(sorted(words))
