"""A choice of lines in one file, that stays the same while the file is edited."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from neuronlint.rule import Edit, Finding
from neuronlint.source import Source

_LAST = 2**31


@dataclass(frozen=True)
class Lines:
    """Lines by their first and last numbers, in ascending order, none of them twice."""

    ranges: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, ranges: Iterable[tuple[int, int]]) -> Lines:
        """The lines in any of the ranges."""
        merged: list[tuple[int, int]] = []
        for first, last in sorted(ranges):
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
            else:
                merged.append((first, last))
        return cls(tuple(merged))

    def meet(self, finding: Finding) -> bool:
        """Whether one of the lines is in the finding's range."""
        at = bisect_right(self.ranges, (finding.end_line, _LAST + 1)) - 1
        return at >= 0 and self.ranges[at][1] >= finding.line

    def after(self, source: Source, edits: Sequence[Edit]) -> Lines:
        """The same lines once these edits are made, in source order, and those that they write."""
        ranges = list(self.ranges)
        written: list[tuple[int, int]] = []
        shift = 0
        for edit in edits:
            change = _Change.of(edit, source, shift)
            ranges = [(change.start(first), change.end(last)) for first, last in ranges]
            ranges = [(first, last) for first, last in ranges if first <= last]
            written += change.written
            shift += change.delta
        return Lines.of([*ranges, *written])


EVERY = Lines(((1, _LAST),))


@dataclass(frozen=True)
class _Change:
    """What an edit of the lines from `first` to `last` makes of line numbers.

    Where it `inserts` whole lines, `first` moves on with what follows; where it `deletes` whole
    lines, what it deletes are those before `last`.
    """

    first: int
    last: int
    delta: int
    inserts: bool
    deletes: bool
    written: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, edit: Edit, source: Source, shift: int) -> _Change:
        """The change that an edit makes where those before it have moved the lines by `shift`."""
        (first, column), (last, end_column) = source.place(edit.start), source.place(edit.end)
        first, last = first + shift, last + shift
        new = edit.text.count("\n")
        whole = end_column == 1 and edit.text.endswith("\n")
        return cls(
            first,
            last,
            new - (last - first),
            column == 1 and edit.start == edit.end,
            column == end_column == 1 and not edit.text,
            ((first, first + new - whole),) if edit.text else (),
        )

    def start(self, row: int) -> int:
        """Where lines that start with this one start."""
        if row == self.first:
            return row + self.delta if self.inserts else row
        return row if row < self.first else max(row, self.last) + self.delta

    def end(self, row: int) -> int:
        """Where lines that end with this one end."""
        if row < self.first:
            return row
        if row >= self.last and (row > self.first or self.inserts):
            return row + self.delta
        return self.first - self.deletes
