"""A choice of lines, and what editing makes of it."""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from neuronlint.lines import EVERY, Lines
from neuronlint.rule import Edit, Finding, Severity
from neuronlint.source import Source


def finding(first: int, last: int) -> Finding:
    place = (first, 1, last, 2)
    return Finding(Path("a.py"), *place, "NL101", "cuda-call", "message", Severity.ERROR)


def test_a_finding_counts_if_any_of_its_lines_is_added() -> None:
    lines = Lines.of([(3, 3), (7, 9)])
    met = {
        (first, last): lines.meet(finding(first, last))
        for first, last in [(1, 2), (1, 3), (3, 3), (4, 6), (2, 5), (5, 8), (9, 9), (10, 11)]
    }
    assert [place for place, yes in met.items() if yes] == [
        *((1, 3), (3, 3), (2, 5), (5, 8), (9, 9))
    ]


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        (Edit(0, 0, "new\n"), ((1, 1), (3, 4))),
        (Edit(0, 1, "b"), ((1, 3),)),
        (Edit(6, 7, "b\nc\n"), ((2, 5),)),
        (Edit(3, 6, ""), ((2, 2),)),
        (Edit(9, 12, ""), ((2, 3),)),
        (Edit(12, 12, "new"), ((2, 3), (5, 5))),
    ],
)
def test_lines_follow_an_edit(edit: Edit, after: tuple[tuple[int, int], ...]) -> None:
    source = Source(b"a1\na2\na3\na4\n")
    assert Lines(((2, 3),)).after(source, [edit]).ranges == after


_TEXTS = st.sampled_from(["", "q", "q\nr", "new\n", "a\nb\n"])


@settings(deadline=None)  # a machine may be busy
@given(st.sets(st.integers(1, 8)), st.lists(st.integers(0, 39), min_size=2, max_size=6), _TEXTS)
def test_lines_that_no_edit_touches_stay_chosen_or_not(
    chosen: set[int], points: list[int], text: str
) -> None:
    lines = [f"l{row}x{row}" for row in range(1, 9)]
    source = Source("".join(f"{line}\n" for line in lines).encode())
    points = sorted(set(points))
    made = [Edit(a, b, text) for a, b in zip(points[::2], points[1::2], strict=False)]
    assume(made)
    after = Lines.of((row, row) for row in chosen).after(source, made)
    new = source.edited(made).data.decode().split("\n")
    for row, line in enumerate(lines, 1):
        start = source.line_starts[row - 1]
        if all(edit.end < start or edit.start > start + len(line) for edit in made):
            at = new.index(line) + 1
            assert after.meet(finding(at, at)) == (row in chosen)


def test_every_line_is_every_line_for_good() -> None:
    after = EVERY.after(Source(b"a\nb\n"), [Edit(0, 2, ""), Edit(2, 2, "x\ny\n")])
    assert all(after.meet(finding(row, row)) for row in (1, 2, 3, 10_000))
