"""Which lines of a source the rules need, given those in which something may be found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from neuronlint.answers import Answers
from neuronlint.held import DEVICE_NAMES
from neuronlint.line_names import COMMON, FUNCTION, KEYWORDS, LineNames
from neuronlint.logical import Lines, Text
from neuronlint.triggers import Hit

# The names that may hold a program's device, and the one that fixes bind.
_DEVICES = frozenset(name.encode() for name in DEVICE_NAMES)
_CLOCK = b"time"  # what takes the place of events, unless the name means something else
LOOKED_UP = _DEVICES | {  # by fixes, wherever they stand
    *(_CLOCK, b"torch", b"SDPBackend", b"sdpa_kernel", b"get_default_backend_for_device")
}
_GUARDED = (b"wait_stream", b"record_stream")  # what fixes elsewhere in a file put under a question
_VISIBLE = b"_VISIBLE_"  # what sets the devices that a program sees
_IMPORT = re.compile(rb"(?:from|import)\b")
_ASKS_TORCH = frozenset({b"is_available", b"device_count"})
_CHOICE = re.compile(rb"(?:if|elif|while)\b")
_ENDS = re.compile(rb"(?:if|elif|else|except|while)\b")
_QUESTION = re.compile(rb"(?:if|elif|while|assert)\b")
_TELLING = re.compile(rb"(?:if|elif|while|class)\b|@")  # what holds a statement and tells of it
_LEAVES = re.compile(
    rb"(?:.*;[ \t]*)?(?:(?:return|raise|continue|break)\b|[\w.]*(?:exit|quit|skip|Skip|error))"
)
_STAR = re.compile(rb"import[ \t]*\*")
# What draws no random numbers, by its shape, so that a seed may be that of a line before.
_QUIET = re.compile(rb"(?:import|from|if|pass)\b|x\s|[\w.]+\(|\w+(?:\.\w+|\[[^\n]*\])+[ \t]*=(?!=)")
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
        self._answers = Answers(text, lines, self._names)
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
            line
            for line in found.keys() - given
            if any(hits[hit].is_used and not self._names.moves(hit) for hit in found[line])
        ]
        aliases = self._names.reached(named)
        self._keep_top()
        for line in given - aliases:
            self._keep(line, self._names.called(line))
        for line in (*(found.keys() - given), *aliases):
            self._keep(line, self._names.words(line))
            self._keep_decided(line)
        bound = (*named, *aliases)
        values = set(self._names.uses(self._names.meanings(bound, aliases=False)))
        for line in values:
            self._keep(line)
        self._keep_answered(aliases.union(line for line in named if self._asks_for_cuda(line)))
        looked_at = set(self._names.holding([*self._context, _VISIBLE]))
        for line in looked_at:
            self._keep(line)
            self.asking.add(line)
        self._keep_places()
        values |= self._keep_uses({line: found.get(line, ()) for line in bound})
        reached = self._names.reached(values)
        for line in reached:
            self._keep(line, self._names.words(line))
            self._keep_decided(line)
        self.told.update(found, aliases, values, looked_at, reached)
        self._keep_exits({*found, *aliases, *values, *self._names.holding(_GUARDED)})
        self._keep_devices({self._names.units[line] for line in (*found, *aliases)})
        self._keep_spelled(found)
        self._keep_seeds([*found, *aliases])
        self._keep_indent()
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

    @cached_property
    def _last(self) -> dict[int, int]:
        """The last line that stands directly under each other."""
        return {parent: line for line, parent in enumerate(self._lines.parents)}

    def _keep_ends(self) -> None:
        """Keep the last statement under each condition or handler where it leaves the block."""
        for choice, end in self._last.items():
            is_kept = choice >= 0 and self._kept[choice]
            if is_kept and self._names.starts_with(choice, _ENDS):
                self._kept[end] |= self._names.starts_with(end, _LEAVES)

    def _keep_telling(self, line: int) -> None:
        """Keep a statement's own lines, and those under them that rules want of decided code."""
        for part in self._names.statements[self._lines.heads[line]]:
            self._keep(part, self._names.words(part))
            for one in self._lines.below(part):
                if one in self._telling:
                    self._keep(one, self._names.words(one))

    @cached_property
    def _telling(self) -> set[int]:
        """The lines with a word that is looked for there, and those that use what these rename."""
        holding = set(self._names.holding(self._decided))
        return holding | self._names.reached(holding)

    def _keep_answered(self, lines: Iterable[int]) -> None:
        """Keep what is looked for in code that a name decides about to which lines give a value."""
        names: set[bytes] = set()
        for line in lines if self._decided else ():
            if not self._names.starts_with(line, _IMPORT):
                names |= self._names.binds(line) | self._names.fields(line)
        for line in set(self._names.uses(names - COMMON)):
            if line in self._telling:
                self._keep(line, self._names.words(line))
            elif self._names.starts_with(line, _CHOICE) and self._tells_below(line):
                self._keep_telling(line)

    def _asks_for_cuda(self, line: int) -> bool:
        """Whether a line may ask torch whether CUDA is there."""
        return not _ASKS_TORCH.isdisjoint(self._names.words(line))

    def _tells_below(self, line: int) -> bool:
        """Whether something that is looked for stands in a statement."""
        parts = self._names.statements[self._lines.heads[line]]
        last = self._lines.below(parts[-1]).stop
        return not self._telling.isdisjoint(range(parts[0], last))

    def _keep_decided(self, line: int) -> None:
        """Keep what rules want of the code that a line decides about: a question, a skip."""
        start, end = self._lines.span(line)
        is_skip = self._text.code.startswith(b"@", start) and b"cuda" in self._text.words[start:end]
        if is_skip or self._names.starts_with(line, _CHOICE):
            self._keep_telling(line)

    def _keep_top(self) -> None:
        """Keep imports, and what stands before the first definition or variable of the module."""
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
        libraries = (
            one for one in self._names.holding(self._decided) if self._names.units[one] < 0
        )
        for line in (*self._names.uses({b"torch"}), *libraries):
            if self._names.starts_with(line, _IMPORT):
                self._keep(line)
        if b"DEVICE" in self._text.words:  # a star may bring that name
            for star in _STAR.finditer(self._text.code):
                self._keep(self._lines.of(star.start()))

    def _keep_places(self) -> None:
        """Keep where statements end behind which fixes bind the device, as they set its number."""
        for line in set(self._names.holding([_VISIBLE])):
            *_, top = (line, *self._lines.above(line))
            part = self._names.statements[self._lines.heads[top]][-1]
            self._keep(self._lines.below(part).stop - 1)

    def _keep_indent(self) -> None:
        """Keep the first line that is indented where that is not by four blanks: fixes do as it."""
        lines = self._lines
        first = next((line for line, indent in enumerate(lines.indents) if indent), None)
        if first is None:
            return
        tabs = self._text.source.startswith(b"\t", lines.first(first))
        if tabs or any(indent % 4 for indent in lines.indents):
            self._keep(first)

    def _keep_uses(self, found: Mapping[int, Sequence[int]]) -> set[int]:
        """Keep the lines that use the names which these bind, function by function; give them."""
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
                        self._keep_telling(line)
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
                end = self._last.get(line, -1)
                leaves = end < 0 or self._names.starts_with(end, _LEAVES)
                if self._answers.names_backend(line) or (leaves and self._answers.asks(line)):
                    self._keep(line, self._names.deciding(line))

    def _keep_spelled(self, found: Iterable[int]) -> None:
        """Keep the texts with names that are imported and not used otherwise."""
        for line in found:
            if self._names.starts_with(line, _IMPORT):
                for name in self._names.meanings([line], aliases=True):
                    if set(self._names.uses([name])) == {line}:
                        for one in self._names.holding([name]):
                            self._keep(one)

    def _keep_seeds(self, found: Iterable[int]) -> None:
        """Keep what stands between the seeds of a block, if none of it draws random numbers."""
        seeds = {line for line in found if b"seed" in b" ".join(self._names.words(line))}
        blocks = {parent for seed in seeds for parent in (seed, self._lines.parents[seed])}
        before: dict[int, int] = {}  # the last seed in each block
        for line in sorted({*self._names.holding([b"seed"]), *blocks - {-1}}):
            parent = self._lines.parents[line]
            if parent in before:
                between = range(before[parent] + 1, line)
                if all(self._names.starts_with(one, _QUIET) for one in between):
                    for one in between:
                        self._keep(one, self._names.words(one))
            before[parent] = line

    def _keep_devices(self, units: Iterable[int]) -> None:
        """Keep what may bind the program's device: a variable, a field, a parameter."""
        names = _DEVICES | {_CLOCK} if b"elapsed_time" in self._text.words else _DEVICES
        for unit in {*units, -1}:
            for name in names:
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
