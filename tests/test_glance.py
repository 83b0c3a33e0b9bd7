"""What is told of a source at a glance holds when it is looked at closely."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neuronlint import gate, glance, page, registry, unused
from neuronlint.own import UNUSED
from neuronlint.rule import Rule
from neuronlint.triggers import Triggers

RULES = [rule for rule in registry.installed() if not rule.project]
WORDS = sorted({word for rule in RULES for word in rule.triggers})
WANTED = glance.noted(Triggers(WORDS).clues(), [rule.code for rule in [UNUSED, *RULES]])
SIGNS = {"must ": "", "use ": "import ", "!(": "", "...": "(", "*": "a", "#": "0"}


def _is_closely(source: bytes) -> bool:
    rules = [UNUSED, *RULES]
    return gate.may_match(source, rules) or unused.may_be_in(source, rules)


def test_there_is_something_to_look_for() -> None:
    assert not glance.may_hold(b"import os\nx = os.sep  # noqa: E501, unless\n", WANTED)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_no_example_is_passed_over(rule: Rule) -> None:
    for block in page.blocks(page.read(rule)):
        source = block.code.encode()
        assert glance.may_hold(source, WANTED) or not _is_closely(source)


@pytest.mark.parametrize("word", WORDS)
def test_no_trigger_is_passed_over(word: str) -> None:
    text = word
    for sign, meaning in SIGNS.items():
        text = text.replace(sign, meaning)
    assert glance.may_hold(f"x = 1\n{text}\n".encode(), WANTED)


@given(st.lists(st.sampled_from([*WORDS, "a", ".", "(", " ", "\n", "é", "_"]), max_size=8))
def test_no_mixture_is_passed_over(parts: list[str]) -> None:
    text = "".join(parts)
    for sign, meaning in SIGNS.items():
        text = text.replace(sign, meaning)
    source = text.encode()
    assert glance.may_hold(source, WANTED) or not _is_closely(source)


@pytest.mark.parametrize(
    "comment",
    [
        *("# noqa: NL201", "#NOQA:nl", "# noqa: E501, NL7 # x"),
        *("# neuronlint: disable", "# NeuronLint: ignore[NL201]"),
    ],
)
def test_no_suppression_is_passed_over(comment: str) -> None:
    source = f"x = 1  {comment}\n".encode()
    assert glance.may_hold(source, WANTED)
    assert _is_closely(source)


def test_a_trigger_without_a_name_may_be_anywhere() -> None:
    assert glance.may_hold(b"x", glance.noted(Triggers(["cuda", "..."]).clues(), []))


@pytest.mark.parametrize("text", [".to(0", "to (4", "x . to( \\\n  7)"])
def test_short_names_count_with_what_is_around_them(text: str) -> None:
    wanted = glance.noted(Triggers([".to(#"]).clues(), [])
    assert glance.may_hold(text.encode(), wanted)
    assert not glance.may_hold(b"go.to(a0) + to[0]", wanted)


def test_stars_and_gaps_may_belong_to_names() -> None:
    wanted = glance.noted(Triggers(["a*b", "cd...ef", "sm_#"]).clues(), [])
    for text in ("a.x.b", "axb", "cdef", "cd_x_ef", "sm_8"):
        assert glance.may_hold(text.encode(), wanted)
    assert not glance.may_hold(b"x", wanted)
