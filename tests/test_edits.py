"""How the edits of several fixes come together."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from neuronlint import Edit, Fix, edits
from neuronlint.source import Source

IMPORT = Edit(0, 0, "import torch\n")


def merged(source: str, *fixes: Fix) -> tuple[str, int]:
    """The source with the fixes made, and how many of them wait."""
    changes, _, postponed = edits.merge(fixes)
    return Source.read(source.encode()).edited(changes).data.decode(), len(postponed)


def replaced(start: int, end: int, text: str, *more: Edit) -> Fix:
    return Fix((Edit(start, end, text), *more))


def test_fixes_share_an_identical_insertion() -> None:
    found = merged("a b", replaced(0, 1, "x", IMPORT), replaced(2, 3, "y", IMPORT))
    assert found == ("import torch\nx y", 0)


def test_a_fix_may_ask_for_one_insertion_twice() -> None:
    assert merged("a", replaced(0, 1, "x", IMPORT, IMPORT)) == ("import torch\nx", 0)


def test_an_overlapping_fix_waits_whole() -> None:
    later = replaced(1, 3, "y", Edit(3, 3, "!"))
    assert merged("abc", replaced(0, 2, "x"), later) == ("xc", 1)


def test_a_fix_that_overlaps_only_one_that_waits_is_made() -> None:
    fixes = replaced(0, 2, "x"), replaced(1, 3, "y"), replaced(2, 4, "z")
    assert merged("abcd", *fixes) == ("xz", 1)


def test_touching_replacements_are_both_made() -> None:
    assert merged("ab", replaced(0, 1, "x"), replaced(1, 2, "y")) == ("xy", 0)


def test_the_same_replacement_twice_is_made_once() -> None:
    assert merged("ab", replaced(0, 1, "x"), replaced(0, 1, "x")) == ("xb", 1)


def test_an_insertion_inside_a_replacement_waits() -> None:
    assert merged("abcd", replaced(0, 4, "x"), replaced(2, 2, "!")) == ("x", 1)


def test_an_insertion_at_the_edge_of_a_replacement_is_made() -> None:
    fixes = replaced(1, 2, "x"), replaced(1, 1, "<"), replaced(2, 2, ">")
    assert merged("abc", *fixes) == ("a<x>c", 0)


def test_two_insertions_at_one_place_are_both_made() -> None:
    fixes = replaced(0, 0, "import b\n"), replaced(0, 0, "import a\n")
    assert merged("a", *fixes) == ("import b\nimport a\na", 0)


def test_whole_lines_come_before_what_is_put_inside_a_line() -> None:
    fixes = replaced(0, 0, "("), replaced(0, 0, "import a\n")
    assert merged("a", *fixes) == ("import a\n(a", 0)


def test_edits_come_in_source_order() -> None:
    changes, _, _ = edits.merge([replaced(4, 5, "y"), replaced(0, 1, "x")])
    assert [edit.start for edit in changes] == [0, 4]


def test_no_fixes_make_no_edits() -> None:
    assert edits.merge([]) == ([], [], [])


@st.composite
def fixes(draw: st.DrawFn) -> list[Fix]:
    spot = st.tuples(st.integers(0, 12), st.integers(0, 4), st.sampled_from(["", "x", "yy\n"]))
    edit = spot.map(lambda at: Edit(at[0], at[0] + at[1], at[2]))
    found: list[Fix] = []
    for own in draw(st.lists(st.lists(edit, min_size=1, max_size=3), max_size=6)):
        spans = sorted((one.start, one.end) for one in own)
        if all(a[1] <= b[0] for a, b in pairwise(spans)):
            found.append(Fix(tuple(own)))
    return found


@settings(deadline=None)  # a machine may be busy
@given(fixes())
def test_edits_that_are_made_never_overlap(found: list[Fix]) -> None:
    changes, accepted, postponed = edits.merge(found)
    assert len(accepted) + len(postponed) == len(found)
    for first, second in pairwise(changes):
        assert first.end <= second.start
