"""What a source must hold for a rule to find anything in it: the words that rules declare.

A trigger is a word of the code, or of a text without blanks: `cuda`. It is met as a whole, and
blanks may stand between its parts. In it stand

* a star for the rest of a longer name (`*gpu*`) or a chain of names (`.to(*rank`);
* `#` for a digit;
* `...` for a piece of a statement (`skipif...gpu`);
* `'` for a quote of either kind: `'inductor'` is a whole text;
* `!(`, at the end, for no call: `is_cuda!(`;
* `import apex` for the module of that name, imported or imported from;
* `must import apex` for the same where one of the imports in a source has to succeed: no `try`,
  `if` or `with` is around it;
* `must use cupy` for such an import and whatever uses what it binds;
* `cuda with seed` for the first word in a source that has the other name, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from neuronlint.glance import names_in
from neuronlint.rule import Rule

if TYPE_CHECKING:
    from neuronlint.glance import Clue

_MODULE = "import "
_MUST, _USE, _WITH = "must ", "must use ", " with "
_NAME = re.compile(r"[^\W\d]\w*")
_OPEN = ("*", "#", "...")  # what stands beside them is a part of a name
_BLANKS = r"(?:[\s\\]|#[^\n]*)*"
_GAP = "..."
_SIGNS = {  # as escaped, and in this order
    r"\.\.\.": r"(?:(?!:\s*\n)[^@]){0,160}?",  # a piece of one statement, of two lines at most
    r"\.": rf"\.{_BLANKS}",
    r"\(": rf"{_BLANKS}\({_BLANKS}",
    "=": f"{_BLANKS}={_BLANKS}",
    r"\ ": r"[\s\\]+",
    r"\*": r"[\w.]*",
    r"\#": r"\d",
    "'": "['\"]",
}
_UNCALLED = "!("
_FIRST = re.compile(r"\w+")


@dataclass(frozen=True)
class _Told:
    """A trigger with the names that a text must have to hold it, and parts of names."""

    word: str
    names: frozenset[bytes]
    parts: frozenset[bytes]

    @classmethod
    def by(cls, word: str) -> _Told:
        """What tells of a trigger."""
        names, parts = set[bytes](), set[bytes]()
        for text in (_plain(word).removeprefix(_MODULE), word.partition(_WITH)[2]):
            for piece in _NAME.finditer(text):
                before, after = text[: piece.start()], text[piece.end() :]
                is_part = before.endswith(_OPEN) or after.startswith(_OPEN)
                (parts if is_part else names).add(piece[0].encode())
        return cls(word, frozenset(names), frozenset(parts))

    def fits(self, names: Set[bytes], joined: bytes) -> bool:
        """Whether a text that has these names may hold the trigger."""
        return self.names <= names and all(part in joined for part in self.parts)

    @cached_property
    def pattern(self) -> re.Pattern[bytes] | None:
        """What a source must hold beside the names, if only in a comment; None for nothing."""
        is_name = len(self.names) == 1 and self.word.isidentifier()
        # What stands in a gap is another thing once the texts are made blank.
        return None if is_name or _GAP in self.word else _pattern(_plain(self.word))

    def may_be_in(self, source: bytes) -> bool:
        """Whether a source that has its names may hold the trigger."""
        return self.pattern is None or self.pattern.search(source) is not None

    def clue(self) -> Clue:
        """What tells of it at the first glance."""
        names, parts = (sorted(each.decode() for each in some) for some in (self.names, self.parts))
        return names, parts, self.pattern.pattern.decode() if self.pattern else ""


@dataclass(frozen=True)
class Hit:
    """The triggers that stand at one place, and whether what uses its names is looked at, too."""

    words: frozenset[str] = frozenset()
    is_used: bool = True

    def joined(self, other: Hit) -> Hit:
        """Two that stand at one place."""
        return Hit(self.words | other.words, self.is_used or other.is_used)


class Triggers:
    """The triggers of some rules, made ready to be looked for."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_name: dict[bytes, list[_Told]] = defaultdict(list)
        self._by_part: dict[bytes, list[_Told]] = defaultdict(list)
        for told in map(_Told.by, sorted(set(words))):
            if told.names:
                self._by_name[max(told.names, key=len)].append(told)
            else:
                self._by_part[max(told.parts, key=len, default=b"")].append(told)

    def clues(self) -> list[Clue]:
        """What tells of each at the first glance."""
        lists = (*self._by_name.values(), *self._by_part.values())
        return [told.clue() for told in chain.from_iterable(lists)]

    def may_be_in(self, source: bytes) -> bool:
        """Whether a source holds any, or looks so at the first glance."""
        return any(told.may_be_in(source) for told in self._present(source))

    def places(
        self, text: bytes, may_fail: Callable[[int], bool] = lambda offset: False
    ) -> dict[int, Hit]:
        """The offsets at which triggers stand in a text, each with those, in order.

        `may_fail` says of the offset of an import whether the code goes on without it.
        """
        found: dict[int, Hit] = {}
        for told in self._present(text):
            matches = list(_matches(told.word, text))
            if told.word.startswith(_MUST) and all(may_fail(one.start()) for one in matches):
                continue
            one = Hit(frozenset({told.word}), is_used=_MODULE not in told.word)
            for match in matches:
                at = match.start()
                found[at] = found[at].joined(one) if at in found else one
        return dict(sorted(found.items()))

    def _present(self, text: bytes) -> list[_Told]:
        """The triggers that a text may hold, by the names in it."""
        names = names_in(text)
        joined = b" ".join(names)
        asked = [told for name in names & self._by_name.keys() for told in self._by_name[name]]
        asked += [told for part, some in self._by_part.items() if part in joined for told in some]
        return [told for told in asked if told.fits(names, joined)]


def _matches(word: str, text: bytes) -> Iterator[re.Match[bytes]]:
    """Where a trigger stands in a text."""
    pattern = _pattern(_plain(word))
    match = pattern.search(text)
    while match is not None:
        yield match
        # What fills a gap may be the start of another one.
        match = pattern.search(text, match.start() + 1 if _GAP in word else match.end())


def _plain(word: str) -> str:
    """A trigger as it stands in a text, whatever else is asked of it."""
    if word.startswith(_USE):
        return _MODULE + word.removeprefix(_USE)
    return word.removeprefix(_MUST).partition(_WITH)[0]


@lru_cache(maxsize=64)
def triggers(rules: tuple[Rule, ...], also: frozenset[str] = frozenset()) -> Triggers | None:
    """What a source must hold for these rules to find anything, None where any may do.

    `also` are further triggers, the project's own.
    """
    if not all(rule.triggers for rule in rules):
        return None
    return Triggers([*also, *(word for rule in rules for word in rule.triggers)])


@lru_cache(maxsize=1024)
def _pattern(word: str) -> re.Pattern[bytes]:
    """What finds a trigger. One by one they are searched faster than all at once: by letters."""
    if not word.startswith(_MODULE):
        return re.compile(_expression(word).encode())
    blank, module = r"[ \t\\\n]+", _expression(word.removeprefix(_MODULE))
    imported = rf"(?:[\w. \t]+,[ \t\\\n]*)*{module}"
    # No look behind comes first: a search goes by the letters that it starts with.
    lone = r"(?<!\w{0})(?<!\w[ \t]{0})"
    ways = (
        f"from{lone.format('from')}{blank}{module}",
        f"import{lone.format('import')}{blank}{imported}",
    )
    return re.compile("|".join(ways).encode())


def _expression(word: str) -> str:
    """The expression that finds a trigger, or of a name with stars what tells it."""
    plain = word.removesuffix(_UNCALLED)
    text = plain.strip("*").lstrip(".")
    name = _FIRST.match(text)
    whole = name is not None and not word.startswith("*")
    # What comes before is looked at last: a search goes by the letters that it starts with.
    lead = f"{name[0]}(?<!\\w{name[0]})" if name is not None and whole else ""
    rest = re.escape(text[len(name[0]) :] if name is not None and whole else text)
    for sign, meaning in _SIGNS.items():
        rest = rest.replace(sign, meaning)
    ends = not plain.endswith("*") and _FIRST.match(text[-1])
    after = "(?!\\w)" if ends else ""
    return lead + rest + after + (r"(?![ \t\\]*\()" if plain != word else "")
