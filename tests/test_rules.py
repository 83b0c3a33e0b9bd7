"""What holds for every built-in rule."""

import pytest

from neuronlint import Rule, registry

RULES = registry.installed()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_names_the_words_without_which_it_finds_nothing(rule: Rule) -> None:
    assert rule.triggers


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_message_is_a_phrase(rule: Rule) -> None:
    assert not rule.message.endswith(".")
    assert rule.message[0] in "`{" or rule.message[0].islower()


def test_the_rules_are_listed_by_code() -> None:
    import neuronlint_rules

    codes = [rule.code for rule in neuronlint_rules.RULES]
    assert codes == sorted(set(codes))
