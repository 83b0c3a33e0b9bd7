"""Which lines of a source the rules need, given those in which something may be found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from neuronlint.line_names import COMMON, FUNCTION, KEYWORDS, LineNames
from neuronlint.logical import Lines, Text
from neuronlint.triggers import Hit

# The names that may hold a program's device, and the one that fixes bind.
_DEVICES = frozenset({b"device", b"DEVICE", b"dev", b"_device", b"torch_device"})
# What tells CUDA from other devices in a condition.
_TELLS = re.compile(rb"cuda|gpu|cpu|xpu|mps|npu|hpu|neuron|mlu|musa|tpu|xla|rocm|hip")
_VISIBLE = b"_VISIBLE_"  # what sets the devices that a program sees
_IMPORT = re.compile(rb"(?:from|import)\b")
_CHOICE = re.compile(rb"(?:if|elif|while)\b")
_QUESTION = re.compile(rb"(?:if|elif|while|assert)\b")
_TELLING = re.compile(rb"(?:if|elif|while|class)\b|@")  # what holds a statement and tells of it
_LEAVES = re.compile(rb"(?:return|raise|continue|break)\b|[\w.]*(?:exit|quit|skip|Skip|error)")
_PARAMETER = re.compile(rb"[(,][\s*]*(\w+)[^,]*$")
_ENDS_TOP = re.compile(rb"@|(?:async[ \t]+def|def|class)\b|[^\W\d]\w*[ \t]*(?::[^=\n]*)?=(?!=)")


class Choice:
    """The lines of one source that are kept.

    `asking` are those of which every name is needed, `told` those that something may be found in:
    the rest is there for what it says about them. `context` and `decided` are the words of rules.
    """

    def __init__(
        self, text: Text, lines: Lines, context: Iterable[str] = (), decided: Iterable[str] = ()
    ) -> None:
        self._context = [word.encode() for word in sorted({*context})]
        self._decided = [word.encode() for word in sorted({*decided})]
        self._text = text
        self._lines = lines
        self._names = LineNames(text, lines)
        self._kept = bytearray(len(lines.starts))
        self.asking: set[int] = set()
        self.told: set[int] = set()
        self._surrounded: set[int] = set()  # statements that are kept with what holds them
        self._asked: dict[int, Set[bytes]] = defaultdict(frozenset)  # names that are looked up
        self._new: list[tuple[int, Set[bytes]]] = []  # those that are to be
        self._known: set[tuple[int, bytes]] = set()

    def kept(self, hits: Mapping[int, Hit]) -> bytearray:
        """A flag for each line, given the triggers by offset."""
        found: dict[int, list[int]] = defaultdict(list)
        for hit in hits:
            found[self._lines.of(hit)].append(hit)
        given = {line for line in found if all(self._names.is_given(line, h) for h in found[line])}
        named = [
            line for line in found.keys() - given if any(hits[hit].is_used for hit in found[line])
        ]
        aliases = self._names.reached(named)
        self._keep_top()
        for line in given - aliases:
            self._keep(line, self._names.called(line))
        for line in (*(found.keys() - given), *aliases):
            self._keep(line, self._names.words(line))
            self._keep_decided(line)
        values = set(self._names.uses(self._names.meanings(named, aliases=False)))
        for line in values:
            self._keep(line)
        looked_at = set(self._names.holding([*self._context, _VISIBLE]))
        for line in looked_at:
            self._keep(line)
            self.asking.add(line)
        values |= self._keep_uses({line: found.get(line, ()) for line in (*named, *aliases)})
        reached = self._names.reached(values)
        for line in reached:
            self._keep(line, self._names.words(line))
            self._keep_decided(line)
        self.told.update(found, aliases, values, looked_at, reached)
        self._keep_exits([*found, *aliases])
        self._keep_devices({self._names.units[line] for line in (*found, *aliases)})
        self._keep_bound()
        self._keep_ends()
        return self._kept

    def _keep(self, line: int, names: Set[bytes] = frozenset()) -> None:
        """Keep a line with what holds it, and have names of it looked up."""
        self._ask(line, names)
        while line >= 0 and (head := self._lines.heads[line]) not in self._surrounded:
            self._surrounded.add(head)
            for part in self._names.statements[head]:
                self._kept[part] = 1
                if self._names.starts_with(part, _TELLING):
                    self._ask(part, self._names.deciding(part))
            line = self._lines.parents[line]

    def _ask(self, line: int, names: Set[bytes]) -> None:
        """Have names of a line looked up."""
        new = names - self._asked[line]
        if new:
            self._asked[line] |= new
            self.asking.add(line)
            self._new.append((line, new))

    def _keep_ends(self) -> None:
        """Keep the last statement under each condition where it leaves the block."""
        last: dict[int, int] = {}  # the last line that stands directly under another
        for line, parent in enumerate(self._lines.parents):
            last[parent] = line
        for choice, end in last.items():
            is_kept = choice >= 0 and self._kept[choice]
            if is_kept and self._names.starts_with(choice, _CHOICE):
                self._kept[end] |= self._names.starts_with(end, _LEAVES)

    def _keep_all(self, line: int) -> None:
        """Keep of a statement what is looked for in code that a question decides about."""
        for part in self._names.statements[self._lines.heads[line]]:
            self._keep(part, self._names.words(part))
            for one in self._lines.below(part):
                if one in self._telling:
                    self._keep(one, self._names.words(one))

    @cached_property
    def _telling(self) -> set[int]:
        """The lines with a word that is looked for there, and those that use what such imports."""
        holding = set(self._names.holding(self._decided))
        imports = [line for line in holding if self._names.starts_with(line, _IMPORT)]
        return holding.union(self._names.uses(self._names.meanings(imports, aliases=True)))

    def _keep_decided(self, line: int) -> None:
        """Keep everything that a condition with a trigger decides about."""
        start, end = self._lines.span(line)
        gates = self._text.code.startswith(b"@", start) and b"cuda" in self._text.words[start:end]
        if gates or self._names.starts_with(line, _CHOICE):
            self._keep_all(line)

    def _keep_top(self) -> None:
        """Keep the imports, and all that stands before the first definition."""
        leading = True
        for line, parent in enumerate(self._lines.parents):
            if parent >= 0:
                continue
            leading = leading and not self._names.starts_with(line, _ENDS_TOP)
            if leading or self._names.starts_with(line, _IMPORT):
                self._kept[line] = 1
                under = self._lines.below(line)
                if under:
                    self._kept[under[0]] = 1
        for line in self._names.uses({b"torch"}):
            if self._names.starts_with(line, _IMPORT):
                self._keep(line)

    def _keep_uses(self, found: Mapping[int, Sequence[int]]) -> set[int]:
        """Keep the lines that use the names which these bind, function by function."""
        using: set[int] = set()
        bound: dict[int, set[bytes]] = defaultdict(set)
        for line, hits in found.items():
            bound[self._names.units[line]] |= self._names.binds(line)
            if self._names.starts_with(line, FUNCTION):
                bound[self._names.units[line]].update(self._parameters(line, hits))
        for unit, names in bound.items():
            names -= COMMON
            for line in self._names.members[unit] if names else ():
                if not names.isdisjoint(self._names.words(line)):
                    using.add(line)
                    self._keep(line)
                    if self._names.starts_with(line, _CHOICE):
                        self._keep_all(line)
        return using

    def _parameters(self, line: int, hits: Iterable[int]) -> Iterator[bytes]:
        """The parameters of a function that triggers stand in."""
        start = self._lines.starts[line]
        for hit in hits:
            if found := _PARAMETER.search(self._text.code, start, hit):
                yield found[1]

    def _keep_exits(self, found: Iterable[int]) -> None:
        """Keep the questions for a backend that come before lines, or around them."""
        blocks = {above for line in found for above in self._lines.above(line)} | {-1}
        for line, parent in enumerate(self._lines.parents):
            if parent in blocks and self._names.starts_with(line, _QUESTION):
                start, end = self._lines.span(line)
                if _TELLS.search(self._text.words[start:end].lower()):
                    self._keep(line)

    def _keep_devices(self, units: Iterable[int]) -> None:
        """Keep what may bind the program's device: a variable, a field, a parameter."""
        for unit in {*units, -1}:
            for name in _DEVICES:
                for line in self._names.binders(unit, name):
                    self._keep(line, self._names.deciding(line))
        for line in self._names.uses(_DEVICES):
            if not _DEVICES.isdisjoint(self._names.fields(line)):
                self._keep(line, self._names.deciding(line))

    def _keep_bound(self) -> None:
        """Keep whatever binds a name that a kept line uses."""
        while self._new:
            line, names = self._new.pop()
            for name in names - KEYWORDS:
                for unit in {self._names.units[line], -1}:
                    if (unit, name) not in self._known:
                        self._known.add((unit, name))
                        for other in self._names.binders(unit, name):
                            self._keep(other, self._names.deciding(other))
