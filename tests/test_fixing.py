"""What the engine makes of fixes, round by round."""

from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest
from made_rules import DISPLAY, SAFE, UNSAFE, importing, renaming, wrapping

from neuronlint import Applicability, Edit, Finding, Fix, Match, Module, Rule, engine

PATH = Path("example.py")


def found(source: str, *rules: Rule) -> list[Finding]:
    return engine.check(source.encode(), PATH, rules)


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def fixed(source: str, *rules: Rule, unsafe: bool = False) -> str:
    return engine.fix(source.encode(), PATH, rules, unsafe=unsafe).source.decode()


def test_every_fix_is_made() -> None:
    assert fixed("old(old)\n", renaming("old", "new")) == "new(new)\n"


def test_an_import_is_added_once() -> None:
    assert fixed("old(old)\n", importing("old", "os.path")) == "import os\nos.path(os.path)\n"


def test_an_overlapping_fix_waits_for_the_next_round() -> None:
    assert fixed("wrap(wrap(old))", wrapping("wrap"), renaming("old", "new")) == "WRAP(WRAP(new))"


def test_what_a_fix_brings_is_fixed_too() -> None:
    rules = renaming("one", "two", "XX101"), renaming("two", "six", "XX102")
    assert fixed("one", *rules) == "six"


def test_fixing_says_what_was_fixed_and_what_is_left() -> None:
    rules = renaming("one", "1", "XX101"), renaming("two", "2", "XX102", UNSAFE)
    result = engine.fix(b"one(two)", PATH, rules)
    assert (codes(result.applied), codes(result.left)) == (["XX101"], ["XX102"])


@pytest.mark.parametrize(
    ("trust", "unsafe", "expected"),
    [
        (SAFE, False, "new"),
        (SAFE, True, "new"),
        (UNSAFE, False, "old"),
        (UNSAFE, True, "new"),
        (DISPLAY, True, "old"),
    ],
)
def test_a_fix_is_made_as_far_as_it_is_trusted(
    trust: Applicability, unsafe: bool, expected: str
) -> None:
    assert fixed("old", renaming("old", "new", trust=trust), unsafe=unsafe) == expected


def test_a_source_without_findings_stays_as_it_is() -> None:
    assert fixed("x = 1", renaming("old", "new")) == "x = 1"


def test_a_file_that_cannot_be_parsed_is_not_fixed() -> None:
    result = engine.fix(b"old = (", PATH, [renaming("old", "new")])
    assert (result.source, codes(result.left)) == (b"old = (", ["NL001"])


def test_a_fix_that_breaks_the_file_is_undone_and_named() -> None:
    result = engine.fix(b"old", PATH, [renaming("old", "if")])
    assert (result.source, codes(result.left)) == (b"old", ["XX101", "NL004"])
    assert result.applied == []
    assert "XX101" in result.left[-1].message


def test_fixes_that_come_to_no_end_are_undone() -> None:
    rules = renaming("one", "two", "XX101"), renaming("two", "one", "XX102")
    result = engine.fix(b"one", PATH, rules)
    assert (result.source, codes(result.left)) == (b"one", ["XX101", "NL004"])


def test_a_fix_that_the_files_encoding_cannot_hold_is_undone() -> None:
    result = engine.fix(b"# coding: ascii\nold\n", PATH, [renaming("old", "é")])
    assert (result.source, codes(result.left)) == (b"# coding: ascii\nold\n", ["XX101", "NL004"])


@pytest.mark.parametrize("comment", ["# noqa", "# noqa: XX101", "# neuronlint: ignore"])
def test_a_suppressed_finding_is_neither_shown_nor_fixed(comment: str) -> None:
    source = f"old  {comment}\nold\n"
    result = engine.fix(source.encode(), PATH, [renaming("old", "new")])
    assert (result.source.decode(), result.left) == (f"old  {comment}\nnew\n", [])


def test_a_suppression_of_another_rule_changes_nothing() -> None:
    assert fixed("old  # noqa: XX999\n", renaming("old", "new")) == "new  # noqa: XX999\n"


@pytest.mark.parametrize("new", ['f("a")', "f('a')"])
@pytest.mark.parametrize("quote", ['"', "'", '"""', "'''"])
def test_a_fix_with_the_quote_of_the_text_around_it_is_not_offered(quote: str, new: str) -> None:
    (one,) = found(f"f{quote}{{old}}{quote}", renaming("old", new))
    assert (one.fix is None) == (quote[0] in new)


def test_a_fix_with_a_new_line_in_a_text_is_not_offered() -> None:
    (one,) = found('f"{old}"', renaming("old", "a\nb"))
    assert one.fix is None


def test_a_fix_of_a_whole_text_may_have_its_quote() -> None:
    rule = Rule("XX105", "text", "text", __name__)

    @rule.check
    def text(node: cst.FormattedString, module: Module) -> Iterator[Match]:
        yield rule.match(node, Fix((module.replace(node, '"plain"'),)))

    assert fixed('f"{x}"', rule) == '"plain"'


def test_an_import_for_a_text_is_no_edit_inside_it() -> None:
    assert fixed('f"{old}"', importing("old", "os.path")) == 'import os\nf"{os.path}"'


def test_a_fix_is_a_value() -> None:
    assert Fix((Edit(0, 1, "x"),)) == Fix((Edit(0, 1, "x"),))
