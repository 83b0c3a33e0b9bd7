"""What the logical lines of a source name, bind and use, told by their words alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from keyword import kwlist

from neuronlint.glance import ONLY_NAMES
from neuronlint.logical import Lines, Text

KEYWORDS = frozenset(word.encode() for word in kwlist)
COMMON = KEYWORDS | {b"self", b"cls", b"torch"}  # they are in most lines, and tell nothing
FUNCTION = re.compile(rb"(?:async[ \t]+)?def\b")

_NAME = re.compile(rb"[^\W\d]\w*")
_DEFINITION = re.compile(rb"(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)")
_LOOP = re.compile(rb"(?:async[ \t]+)?for\b(.*?)\bin\b", re.DOTALL)
_AS = re.compile(rb"\bas[ \t(]+([\w, \t]+)")
_LISTS_NAMES = re.compile(rb"(?:from|import|global|nonlocal|case|del|match|type)\b")
_WALRUS = re.compile(rb"(?<!\w)(\w+)[ \t]*:=")
_EQUAL = re.compile(rb"=(?<![=!:]=)(?<![^<]<=)(?<![^>]>=)(?!=)")
_ALIAS = re.compile(rb"[\w \t,=.]*(?::[\w \t.,\[\]|]*)?=[ \t]*[\w.]+\s*$")
_HEADER = re.compile(
    rb"(?:async[ \t]+)?(?:def|for|with|class|import|from|global|del|match|case)\b|@"
)
_PART = re.compile(rb"\.[ \t]*\w+|[^\W\d]\w*|[()\[\]{}]")
_SIGNS = (b".", b"(", b"[", b"{", b")", b"]", b"}")
_ASKS = re.compile(rb"\b(?:if|and|or|not|in|is|for|lambda)\b|[=!<>]=")
_ANSWERS = re.compile(rb"\b(?:if|and|or|not|in|is|bool)\b|[=!<>]=|[<>]")
_MOVES = re.compile(rb"\.cuda[ \t]*\(")
_CALLED = re.compile(rb"(?<![\w.])[^\W\d]\w*(?=[ \t]*[.(\[])|(?<=\.)[^\W\d]\w*(?=[ \t]*\()")
_DEVICE_AS = (
    re.compile(rb"device(?<!\wdevice)[ \t]+as[ \t]+(\w+)"),
    re.compile(rb"\n[ \t]*(\w+)[ \t]*=[ \t]*\w+\.device[ \t]*(?=\n)"),
)
_PASSES_ON = frozenset({b"bool", b"device", b"getattr", b"hasattr", b"int", b"str"})
_IMPORTS = re.compile(rb"\bimport\b")
_VARIABLE = re.compile(rb"(?<![\w.])([^\W\d]\w*)(?![\w.\[(])")
_FIELD = re.compile(rb"\.[ \t]*([^\W\d]\w*)(?![\w.\[(])")


class LineNames:
    """The names in the logical lines of one source; where lines are in doubt, more than those."""

    def __init__(self, text: Text, lines: Lines) -> None:
        self._text = text
        self._lines = lines
        self._bound: dict[int, set[bytes]] = {}
        self._grouped: dict[bytes, dict[int, list[int]]] = {}
        names = text.words.translate(ONLY_NAMES)
        ends = [*lines.starts[1:], lines.end]
        self._words = [
            set(names[start:end].split()) for start, end in zip(lines.starts, ends, strict=True)
        ]

    def words(self, line: int) -> set[bytes]:
        """All names in a line, those in texts that a rule may look at among them."""
        return self._words[line]

    @cached_property
    def _using(self) -> dict[bytes, list[int]]:
        """The lines that each name is in."""
        using: dict[bytes, list[int]] = defaultdict(list)
        for line, words in enumerate(self._words):
            for word in words:
                using[word].append(line)
        return using

    def starts_with(self, line: int, pattern: re.Pattern[bytes]) -> bool:
        """Whether a line starts with what a pattern finds."""
        return pattern.match(self._text.code, self._lines.starts[line]) is not None

    def binds(self, line: int) -> set[bytes]:
        """The names that a line may bind, and some more."""
        if line not in self._bound:
            self._bound[line] = self._binds(line)
        return self._bound[line]

    def _binds(self, line: int) -> set[bytes]:
        start, end = self._lines.span(line)
        code = self._text.code
        if (definition := _DEFINITION.match(code, start)) is not None:
            return {definition[1]}
        if _LISTS_NAMES.match(code, start):
            return self.words(line)
        if (loop := _LOOP.match(code, start, end)) is not None:
            return set(_NAME.findall(loop[1]))
        names = set(_WALRUS.findall(code, start, end))
        names.update(*(_VARIABLE.findall(code, *goal) for goal in self._goals(line)))
        names.update(*(_NAME.findall(bound) for bound in _AS.findall(code, start, end)))
        return names

    def deciding(self, line: int) -> set[bytes]:
        """The names by which a line decides what the names that it binds mean.

        What a call is given tells nothing of what it returns, save by those that only pass it on.
        """
        start, end = self._lines.span(line)
        code = self._text.code
        if _HEADER.match(code, start) or b";" in code[start:end]:
            return self.words(line)
        for goal in self._goals(line):
            start = goal[1]
        return set(self._outer_names(start, end))

    def is_given(self, line: int, offset: int) -> bool:
        """Whether what stands at an offset is a text that a call is given, which is all of a line.

        What the call returns is no device then, and no answer.
        """
        start, end = self._lines.span(line)
        code = self._text.code
        if code[offset] == self._text.words[offset] or _ASKS.search(code, start, end):
            return False
        if _HEADER.match(code, start):
            return False
        around = [given for _, given in self._parts(start, offset + 1)]  # a text is a name there
        return around[-1:] == [b"("] and b"[" not in around

    def moves(self, offset: int) -> bool:
        """Whether what stands at an offset is a call of `x.cuda()`, which returns what x is."""
        return _MOVES.match(self._text.code, max(offset - 1, 0)) is not None

    def called(self, line: int) -> set[bytes]:
        """The names by which a line calls something, and those in its texts."""
        start, end = self._lines.span(line)
        code = self._text.code
        names = set(_CALLED.findall(code, start, end)) | set(self._outer_names(start, end))
        return names | (self.words(line) - set(_NAME.findall(code, start, end)))

    def outside(self, line: int) -> set[bytes]:
        """The names of the module that a line may bind."""
        unit = self.units[line]
        return self.binds(line) & self._declared.get(unit, set()) if unit >= 0 else self.binds(line)

    @cached_property
    def _declared(self) -> dict[int, set[bytes]]:
        """The names that each function declares to be the module's."""
        declared: dict[int, set[bytes]] = defaultdict(set)
        for line in self._using.get(b"global", ()):
            declared[self.units[line]] |= self.words(line)
        return declared

    def _goals(self, line: int) -> Iterator[tuple[int, int]]:
        """Where the targets of an assignment stand."""
        start, end = self._lines.span(line)
        code = self._text.code
        for equal in _EQUAL.finditer(code, start, end):
            goal = code[start : equal.start()]
            if goal.count(b"(") == goal.count(b")") and goal.count(b"[") == goal.count(b"]"):
                yield start, equal.start()
                start = equal.end()
            elif b";" not in code[equal.end() : end]:
                return

    def fields(self, line: int) -> set[bytes]:
        """The fields that a line assigns."""
        return {
            name for goal in self._goals(line) for name in _FIELD.findall(self._text.code, *goal)
        }

    def meanings(self, found: Iterable[int], aliases: bool) -> set[bytes]:
        """The names to which lines give a meaning outside their function.

        With `aliases` those that stand for what is named, as by an import, else those that hold
        what comes of it.
        """
        names: set[bytes] = set()
        for line in found:
            code = self._text.code[slice(*self._lines.span(line))]
            imports = _IMPORTS.search(code)
            if imports and aliases:
                names.update(_NAME.findall(code, imports.end()))
            elif not imports and aliases == (_ALIAS.match(code) is not None):
                names |= self.fields(line) | self.outside(line)
        return names - COMMON

    def reached(self, lines: Iterable[int]) -> set[int]:
        """The lines that use a name by which a line, or one so reached, only calls another."""
        found: set[int] = set()
        ahead = [line for line in lines if self._renames(line)]
        while ahead:
            line = ahead.pop()
            new = set(self.uses(self.meanings([line], aliases=True)))
            if (unit := self.units[line]) >= 0:
                names = self.binds(line) - COMMON
                new.update(one for one in self.members[unit] if names & self.words(one))
            ahead += [one for one in new - found if self._renames(one)]
            found |= new
        return found

    def _renames(self, line: int) -> bool:
        """Whether a line only gives another name to something: an import, `a = b.c`."""
        code = self._text.code[slice(*self._lines.span(line))]
        return _IMPORTS.search(code) is not None or _ALIAS.match(code) is not None

    def passes_on(self, line: int) -> bool:
        """Whether a line that binds a name may give it the answer that another name holds."""
        span = self._lines.span(line)
        return not _HEADER.match(self._text.code, span[0]) and (
            _ANSWERS.search(self._text.code, *span) is not None or self._renames(line)
        )

    def uses(self, names: Iterable[bytes]) -> Iterator[int]:
        """The lines that use one of some names."""
        for name in names:
            yield from self._using.get(name, ())

    def holding(self, words: Sequence[bytes]) -> Iterator[int]:
        """The lines that hold one of some words, or come right before a comment that does."""
        for word in words:
            yield from map(self._lines.of, _places(self._text.source, word, self._lines.starts[0]))

    @cached_property
    def units(self) -> list[int]:
        """For each line the outermost function that it is in, -1 for none."""
        units: list[int] = []
        for line, parent in enumerate(self._lines.parents):
            unit = units[parent] if parent >= 0 else -1
            units.append(line if unit < 0 and self.starts_with(line, FUNCTION) else unit)
        return units

    @cached_property
    def members(self) -> dict[int, list[int]]:
        """The lines of each function, and under -1 those of none; its first line is of both."""
        members: dict[int, list[int]] = defaultdict(list)
        for line, unit in enumerate(self.units):
            members[unit].append(line)
            if unit == line:
                members[-1].append(line)
        return members

    @cached_property
    def statements(self) -> dict[int, list[int]]:
        """The lines that belong to a statement of several: decorators, headers, clauses."""
        parts: dict[int, list[int]] = defaultdict(list)
        for line, head in enumerate(self._lines.heads):
            parts[head].append(line)
        return parts

    def binders(self, unit: int, name: bytes) -> list[int]:
        """The lines that may bind a name of a function, or under -1 one of the module."""
        if name not in self._grouped:
            self._grouped[name] = self._by_unit(name)
        return [line for line in self._grouped[name].get(unit, ()) if name in self.binds(line)]

    def _by_unit(self, name: bytes) -> dict[int, list[int]]:
        """The lines that use a name, by the function of which they may bind it, -1 for none."""
        lines: dict[int, list[int]] = defaultdict(list)
        for line in self._using.get(name, ()):
            own = self.units[line]
            lines[own].append(line)
            if own == line or name in self._declared.get(own, ()):
                lines[-1].append(line)
        return lines

    @cached_property
    def _passing_on(self) -> frozenset[bytes]:
        """The functions that return no more than what they are given, under all their names."""
        code = self._text.code
        if b"device as" not in code and b".device\n" not in code:
            return _PASSES_ON
        return _PASSES_ON.union(*(named.findall(code) for named in _DEVICE_AS))

    def _outer_names(self, start: int, end: int) -> Iterator[bytes]:
        """The names in a piece of code that are no attributes and that no call is given."""
        for part, given in self._parts(start, end):
            if not given and part[:1] not in _SIGNS:
                yield part

    def _parts(self, start: int, end: int) -> Iterator[tuple[bytes, bytes]]:
        """The names, attributes and brackets in a piece of code, each with what it is given to.

        That is the opening bracket of a call or of a subscript, b"" for neither.
        """
        given: list[bytes] = []
        before, last = b"", start
        for found in _PART.finditer(self._text.code, start, end):
            part = found[0]
            if part in b")]}":
                del given[-1:]
            yield part, given[-1] if given else b""
            if part in b"([{":
                callee = before.lstrip(b". \t")
                follows = not self._text.code[last : found.start()].strip(b" \t\\\n")
                called = follows and callee not in KEYWORDS and before not in b"([{"
                passed = called and callee in self._passing_on
                given.append(part if called and not passed else given[-1] if given else b"")
            before, last = part, found.end()


def _places(text: bytes, word: bytes, start: int) -> Iterator[int]:
    start = text.find(word, start)
    while start >= 0:
        yield start
        start = text.find(word, start + len(word))
