"""What the engine finds."""

from pathlib import Path

import pytest
from made_rules import failing, renaming, wrapping

from neuronlint import Finding, Rule, Severity, engine
from neuronlint.settings import Settings

PATH = Path("example.py")


def found(source: str, *rules: Rule, torch: str = "") -> list[Finding]:
    return engine.check(source.encode(), PATH, rules, Settings(torch=torch))


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


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
    [
        ("old\nx = (", (2, 6)),
        ("old = = 1", (1, 7)),
        ("if old:\npass", (2, 1)),
        ("old(\n\n", (3, 1)),
    ],
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


@pytest.mark.parametrize("torch", ["2.5", "2.4", "1.13"])
def test_a_fix_that_needs_a_newer_torch_is_not_offered(torch: str) -> None:
    (one,) = found("old", renaming("old", "new", since="2.6"), torch=torch)
    assert (one.fix, one.message) == (None, "old is new (fix needs torch 2.6)")


@pytest.mark.parametrize("torch", ["", "2.6", "2.10", "2.6.1", "3.0"])
def test_a_fix_that_the_oldest_torch_can_run_is_offered(torch: str) -> None:
    (one,) = found("old", renaming("old", "new", since="2.6"), torch=torch)
    assert one.fix is not None
