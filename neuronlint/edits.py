"""Merge the edits of many fixes into one set that can be made at once."""

from __future__ import annotations

from collections.abc import Iterable

from neuronlint.rule import Edit, Fix


def merge(fixes: Iterable[Fix]) -> tuple[list[Edit], list[Fix], list[Fix]]:
    """The edits to make in source order, the fixes they belong to, and the fixes that must wait.

    Fixes are independent changes to the same source. Two may share an identical insertion
    (an import, a variable); otherwise a fix that overlaps an accepted one waits for the
    next round, as a whole.
    """
    edits: list[Edit] = []
    accepted: list[Fix] = []
    postponed: list[Fix] = []
    for fix in fixes:
        own = dict.fromkeys(fix.edits)  # a fix may ask for one import twice
        new = [edit for edit in own if edit not in edits or edit.start != edit.end]
        if any(_overlap(a, b) for a in new for b in edits):
            postponed.append(fix)
        else:
            edits += new
            accepted.append(fix)
    return sorted(edits, key=_order), accepted, postponed


def _order(edit: Edit) -> tuple[int, int, bool]:
    """Source order; at one place whole lines come before what is put inside a line."""
    return edit.start, edit.end, not edit.text.endswith("\n")


def _overlap(a: Edit, b: Edit) -> bool:
    """Whether two edits touch the same bytes; insertions never collide, nor at an edge."""
    return a.start < b.end and b.start < a.end
