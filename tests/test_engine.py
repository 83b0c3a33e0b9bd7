"""What the engine makes of rules and sources."""

from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from neuronlint import Applicability, Edit, Finding, Fix, Match, Module, Rule, Severity, engine

PATH = Path("example.py")
SAFE, UNSAFE, DISPLAY = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY


def renaming(
    old: str,
    new: str,
    code: str = "XX101",
    trust: Applicability = SAFE,
    since: str = "",
    guarded: Severity | None = Severity.INFO,
) -> Rule:
    """A rule that finds a name and replaces it."""
    rule = Rule(
        code, "renaming", "{old} is {new}", __name__, Severity.ERROR, guarded, triggers=(old,)
    )

    @rule.check
    def renamed(node: cst.Name, module: Module) -> Iterator[Match]:
        if node.value == old:
            fix = Fix((module.replace(node, new),), trust, since)
            yield rule.match(node, fix, old=old, new=new)

    return rule


def importing(old: str, name: str) -> Rule:
    """A rule that replaces a name with one that it imports."""
    rule = Rule("XX102", "importing", "{old}", __name__, triggers=(old,))

    @rule.check
    def imported(node: cst.Name, module: Module) -> Iterator[Match]:
        if node.value == old:
            text, edits = module.use(name, node)
            yield rule.match(node, Fix((module.replace(node, text), *edits)), old=old)

    return rule


def wrapping(function: str) -> Rule:
    """A rule that rewrites a call whole, what it is given included."""
    rule = Rule("XX103", "wrapping", "{name}", __name__)

    @rule.check
    def wrapped(node: cst.Call, module: Module) -> Iterator[Match]:
        if isinstance(node.func, cst.Name) and node.func.value == function:
            inner = module.text(node.args[0].value)
            fix = Fix((module.replace(node, f"{function.upper()}({inner})"),))
            yield rule.match(node, fix, name=function)

    return rule


def failing() -> Rule:
    rule = Rule("XX104", "failing", "never", __name__)

    @rule.check
    def failed(node: cst.Name, module: Module) -> Iterator[Match]:
        raise ZeroDivisionError("too small")
        yield  # makes it a generator

    return rule


def found(source: str, *rules: Rule, torch: str = "") -> list[Finding]:
    return engine.check(source.encode(), PATH, rules, torch)


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def fixed(source: str, *rules: Rule, unsafe: bool = False) -> str:
    return engine.fix(source.encode(), PATH, rules, unsafe=unsafe).source.decode()


# -- finding --


def test_findings_come_in_source_order() -> None:
    findings = found("b(a)\na(b)\n", renaming("b", "c", "XX102"), renaming("a", "c", "XX101"))
    assert [(f.line, f.column, f.code) for f in findings] == [
        (1, 1, "XX102"),
        (1, 3, "XX101"),
        (2, 1, "XX101"),
        (2, 3, "XX102"),
    ]


def test_a_finding_says_where_it_starts_and_ends() -> None:
    (one,) = found("é = '日本'; old\n", renaming("old", "new"))
    assert (one.line, one.column, one.end_line, one.end_column) == (1, 11, 1, 14)


def test_a_finding_says_what_the_rule_says() -> None:
    (one,) = found("old", renaming("old", "new"))
    assert (one.path, one.name, one.message) == (PATH, "renaming", "old is new")
    assert one.severity is Severity.ERROR


def test_a_file_without_the_rules_words_is_not_parsed() -> None:
    assert found("this is no Python", renaming("old", "new")) == []


def test_a_rule_without_words_looks_at_every_file() -> None:
    assert codes(found("wrap(1)", wrapping("wrap"))) == ["XX103"]


def test_a_rule_sees_only_files_with_its_own_words() -> None:
    assert codes(found("one", renaming("one", "x", "XX101"), renaming("two", "x", "XX102"))) == [
        "XX101"
    ]


@pytest.mark.parametrize(
    ("source", "place"),
    [("old\nx = (", (2, 6)), ("old = = 1", (1, 7)), ("if old:\npass", (2, 1)), ("old(\n\n", (3, 1))],
)
def test_a_file_that_cannot_be_parsed_has_one_finding(source: str, place: tuple[int, int]) -> None:
    (one,) = found(source, renaming("old", "new"))
    assert (one.code, one.severity) == ("NL001", Severity.ERROR)
    assert one.line in (place[0] - 1, place[0])


def test_a_file_that_cannot_be_decoded_has_one_finding() -> None:
    (one,) = engine.check(b"old = '\xff'", PATH, [renaming("old", "new")])
    assert (one.code, one.line, one.column) == ("NL001", 1, 1)


def test_a_rule_that_raises_costs_only_its_own_findings() -> None:
    findings = found("old", failing(), renaming("old", "new"))
    assert codes(findings) == ["NL003", "XX101"]
    assert findings[0].message == "XX104 the rule failed: ZeroDivisionError: too small"


# -- guards --


GUARDED = "import torch\nif torch.cuda.is_available():\n    old\n"
BRANCHED = GUARDED + "elif torch.xpu.is_available():\n    pass\n"
ON_DEVICE = "if x.is_cuda:\n    old\n"


def test_guarded_code_has_the_guarded_severity() -> None:
    (one,) = found(GUARDED, renaming("old", "new", guarded=Severity.WARNING))
    assert one.severity is Severity.WARNING


def test_guarded_code_has_no_finding_where_the_rule_says_so() -> None:
    assert found(GUARDED, renaming("old", "new", guarded=None)) == []


def test_code_beside_that_of_other_backends_has_no_finding() -> None:
    assert found(BRANCHED, renaming("old", "new")) == []


def test_code_for_a_cuda_device_is_left_as_it_is() -> None:
    (one,) = found(ON_DEVICE, renaming("old", "new"))
    assert (one.severity, one.fix) == (Severity.INFO, None)


# -- the oldest torch --


@pytest.mark.parametrize("torch", ["2.5", "2.4", "1.13"])
def test_a_fix_that_needs_a_newer_torch_is_not_offered(torch: str) -> None:
    (one,) = found("old", renaming("old", "new", since="2.6"), torch=torch)
    assert (one.fix, one.message) == (None, "old is new (fix needs torch 2.6)")


@pytest.mark.parametrize("torch", ["", "2.6", "2.10", "2.6.1", "3.0"])
def test_a_fix_that_the_oldest_torch_can_run_is_offered(torch: str) -> None:
    (one,) = found("old", renaming("old", "new", since="2.6"), torch=torch)
    assert one.fix is not None


# -- fixing --


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


# -- suppressions --


@pytest.mark.parametrize("comment", ["# noqa", "# noqa: XX101", "# neuronlint: ignore"])
def test_a_suppressed_finding_is_neither_shown_nor_fixed(comment: str) -> None:
    source = f"old  {comment}\nold\n"
    result = engine.fix(source.encode(), PATH, [renaming("old", "new")])
    assert (result.source.decode(), result.left) == (f"old  {comment}\nnew\n", [])


def test_a_suppression_of_another_rule_changes_nothing() -> None:
    assert fixed("old  # noqa: XX999\n", renaming("old", "new")) == "new  # noqa: XX999\n"


# -- texts with fields --


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
