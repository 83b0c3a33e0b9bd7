"""What of a source has to be parsed: the rest is made blank, and nothing moves.

Parsing is what a run costs, and most lines of most files are of no use to any rule. Kept are

* the lines with a trigger, and those that use a name to which such a line gives a meaning;
* whatever binds a name that these lines use, or that may hold the device;
* what surrounds them: headers, clauses and decorators, and earlier exits that tell one backend
  from another;
* of the code that a condition with a trigger decides about, the lines that rules want of it;
* the imports of the module, and the statements before its first definition or variable.

Where lines go, `...` and blanks stand for them, as long as they were, so that every offset is
what it was, and no block becomes shorter than two statements that had more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from neuronlint.blanks import blanked
from neuronlint.choice import LOOKED_UP, Choice
from neuronlint.logical import Lines, Text, logical_lines
from neuronlint.rule import Rule
from neuronlint.triggers import Hit, triggers

# What is looked at wherever it stands: the name that fixes bind, and what they ask for.
_OWN = (
    re.compile(rb"DEVICE(?<!\wDEVICE)(?!\w)"),
    re.compile(rb"torch(?<!\wtorch)(?!\w)[^\n]{0,40}\baccelerator\b"),
    re.compile(rb"\.accelerator(?<!\bself\.accelerator)(?!\w)"),
)
_OPTIONAL = re.compile(rb"(?:try|if|with|async[ \t]+with)\b")
_SMALL = 1500  # bytes, below which a cut costs more than it saves


@dataclass(frozen=True)
class Part:
    """What is left of a source, and the rules that may find something in it.

    `starts` are the offsets at which the logical lines of the text start, none if not known,
    `told` those of the lines in which something may be found, None for all.
    """

    text: bytes
    rules: Sequence[Rule]
    starts: Sequence[int] = ()
    told: Set[int] | None = None


def needed(source: bytes, rules: Sequence[Rule], also: Iterable[str] = ()) -> Part | None:
    """The source with what no rule can need made blank, None where no rule needs any of it.

    Offsets stay as they are. Lines of the source end with single line feeds.
    """
    wanted = triggers(tuple(rules), frozenset(also))
    if wanted is None or (text := Text.read(source)) is None:
        return Part(source, rules)
    structure = _Structure(text)
    if not (hits := wanted.places(text.words, structure.may_fail)):
        return None
    looking = _looking(rules, frozenset[str]().union(*(hit.words for hit in hits.values())))
    lines = structure.lines
    if lines is None or min(hits) < lines.starts[0]:
        return Part(source, looking)
    if len(source) <= _SMALL or any(rule.whole for rule in looking):
        return Part(source, looking, lines.starts)
    hits |= _own(text.words)
    context = (word for rule in looking for word in rule.context)
    decided = (word for rule in looking for word in rule.decided)
    choice = Choice(text, lines, context, decided)
    kept = choice.kept(hits)
    left, starts = blanked(text, lines, kept, choice.asking, LOOKED_UP)
    return Part(left, looking, starts, frozenset(lines.starts[line] for line in choice.told))


class _Structure:
    """What stands under what in a text, worked out where it is asked for."""

    def __init__(self, text: Text) -> None:
        self._code = text.code

    @cached_property
    def lines(self) -> Lines | None:
        """The logical lines, None where there are none."""
        return logical_lines(self._code)

    def may_fail(self, offset: int) -> bool:
        """Whether a statement is in a `try`, an `if` or a `with`, so far as is known."""
        if self.lines is None:
            return False
        line = self.lines.of(offset)
        heads = (self.lines.heads[one] for one in (line, *self.lines.above(line)))
        return any(_OPTIONAL.match(self._code, self.lines.starts[head]) for head in heads)


def _own(words: bytes) -> dict[int, Hit]:
    """Where what fixes write stands already, as triggers are told."""
    if b"DEVICE" not in words and b"accelerator" not in words:
        return {}
    return {found.start(): Hit() for own in _OWN for found in own.finditer(words)}


def _looking(rules: Sequence[Rule], found: Set[str]) -> Sequence[Rule]:
    """The rules that look for one of the triggers that were found; all for one of the project's."""
    if not found <= {*chain.from_iterable(rule.triggers for rule in rules)}:
        return rules
    return [rule for rule in rules if not found.isdisjoint(rule.triggers)]
