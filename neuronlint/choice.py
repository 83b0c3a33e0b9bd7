"""Which lines of a source the rules need, given those in which something may be found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from neuronlint.line_names import COMMON, FUNCTION, KEYWORDS, LineNames
from neuronlint.logical import Lines, Text

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
    the rest is there for what it says about them.
    """

    def __init__(self, text: Text, lines: Lines) -> None:
        self._text = text
        self._lines = lines
        self._names = LineNames(text, lines)
        self._kept = bytearray(len(lines.starts))
        self.asking: set[int] = set()
        self.told: set[int] = set()
        self._met: set[tuple[int, bool]] = set()  # lines of which names are looked up, all or not
        self._new: list[tuple[int, set[bytes]]] = []  # names in lines that are to be looked up
        self._known: set[tuple[int, bytes]] = set()

    def kept(self, hits: Mapping[int, bytes], context: Sequence[bytes]) -> bytearray:
        """A flag for each line, given the triggers by offset and the words around them."""
        found: dict[int, list[int]] = defaultdict(list)
        for hit in hits:
            found[self._lines.of(hit)].append(hit)
        named = [line for line in found if any(self._names_it(line, hits[h]) for h in found[line])]
        aliases = self._names.reached(named)
        self._keep_top()
        for line in (*found, *aliases):
            self._keep(line, asks=True)
            self._keep_decided(line)
        values = set(self._names.uses(self._names.meanings(named, aliases=False)))
        for line in values:
            self._keep(line)
        context_lines = set(self._names.holding([*context, _VISIBLE]))
        for line in context_lines:
            self._keep(line)
            self.asking.add(line)
        values |= self._keep_uses({line: found.get(line, ()) for line in (*named, *aliases)})
        reached = self._names.reached(values)
        for line in reached:
            self._keep(line, asks=True)
            self._keep_decided(line)
        self.told.update(found, aliases, values, context_lines, reached)
        self._keep_exits([*found, *aliases])
        self._keep_devices({self._names.units[line] for line in (*found, *aliases)})
        self._keep_bound()
        return self._kept

    def _names_it(self, line: int, found: bytes) -> bool:
        """Whether what is found may be used by another name: a module is by its own."""
        return not _IMPORT.match(found) or b"as" in self._names.words(line)

    def _keep(self, line: int, asks: bool = False, binds: bool = False) -> None:
        """Keep a line with what holds it.

        `asks` says that what binds its names is needed, too; `binds` that it is kept for what it
        binds, so that only those names are that decide about it.
        """
        first = line
        while line >= 0:
            for part in self._names.statements[self._lines.heads[line]]:
                whole = asks and part == first
                if whole or (binds and part == first) or self._names.starts_with(part, _TELLING):
                    self._ask(part, whole)
                if not self._kept[part]:
                    self._kept[part] = 1
                    if self._names.starts_with(part, _CHOICE):
                        self._keep_end(part)
            line = self._lines.parents[line]

    def _ask(self, line: int, whole: bool) -> None:
        """Have the names of a line looked up, all of them or those that decide what it binds."""
        if (line, True) in self._met or (line, whole) in self._met:
            return
        self._met.add((line, whole))
        self.asking.add(line)
        names = self._names.words(line) if whole else self._names.deciding(line)
        self._new.append((line, names))

    def _keep_end(self, choice: int) -> None:
        """Keep the last statement under a condition where it leaves the block."""
        under = [one for one in self._lines.below(choice) if self._lines.parents[one] == choice]
        if under and self._names.starts_with(under[-1], _LEAVES):
            self._kept[under[-1]] = 1

    def _keep_all(self, line: int) -> None:
        for part in self._names.statements[self._lines.heads[line]]:
            for one in (part, *self._lines.below(part)):
                self._keep(one, asks=True)

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
                    self._keep(line, binds=True)
        for line in self._names.uses(_DEVICES):
            if not _DEVICES.isdisjoint(self._names.fields(line)):
                self._keep(line, binds=True)

    def _keep_bound(self) -> None:
        """Keep whatever binds a name that a kept line uses."""
        while self._new:
            line, names = self._new.pop()
            for name in names - KEYWORDS:
                for unit in {self._names.units[line], -1}:
                    if (unit, name) not in self._known:
                        self._known.add((unit, name))
                        for other in self._names.binders(unit, name):
                            self._keep(other, binds=True)
