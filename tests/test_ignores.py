"""Most paths are told at a glance to be meant by no line of a .gitignore file; the rest by all."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from neuronlint import formats
from neuronlint.files import DEFAULT_EXCLUDE
from neuronlint.ignores import Patterns

PIECES = [
    "a",
    "b.py",
    ".c",
    "*",
    "**",
    "*.py",
    "*.b.py",
    "/",
    "/",
    "!",
    "?",
    "[ab]",
    " ",
    "\\",
    "#",
]
NAMES = ["a", "b.py", ".c", "a b", "x.b.py", ".py", "..py", "#", " a", "a.", "!a", "c\\"]

lines = st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join), max_size=4)
paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)


def _plainly(lines: list[str], inner: str, is_folder: bool) -> bool | None:
    try:
        spec = GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return _plainly([line for line in lines if _is_pattern(line)], inner, is_folder)
    return spec.check_file(f"{inner}/" if is_folder else inner).include


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


@given(lines, paths, st.booleans())
@example([*DEFAULT_EXCLUDE], "a/build/b.py", False)
@example([*formats.INCLUDE], "a/requirements.txt", False)
@example([" a"], "a", False)
@example([" a"], " a", False)
@example(["a\t"], "a\t", False)
@example(["*.py", "!b.py"], "a/b.py", False)
def test_the_verdict_is_that_of_all_lines(lines: list[str], inner: str, is_folder: bool) -> None:
    patterns = Patterns.of(Path("/top"), lines)
    assert patterns.verdict(Path("/top") / inner, is_folder) == _plainly(lines, inner, is_folder)


@pytest.mark.parametrize(("path", "verdict"), [("/top", None), ("/other/a", True), ("/topa", None)])
def test_only_its_name_counts_of_a_path_elsewhere(path: str, verdict: bool | None) -> None:
    assert Patterns.of(Path("/top"), ["a"]).verdict(Path(path), False) is verdict
