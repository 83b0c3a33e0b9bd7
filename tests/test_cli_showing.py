"""What neuronlint says of itself."""

import json

import pytest
from project import Ran, Run

from neuronlint.keys import KEYS
from neuronlint.page import HOME


def test_rule_prints_the_page(run: Run) -> None:
    page = Ran(0, "# The page\n\nWhy old is old.\n", "")
    assert run("rule", "TST101") == run("rule", "tst101") == run("rule", "safe-old") == page


def test_rules_lists_code_severity_and_name(run: Run) -> None:
    ran = run("rules")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith(
        "TST101  error    safe-old\nTST102  warning  unsafe-old\nTST201  info     shown-old\n"
    )


def test_a_rule_is_had_as_json(run: Run) -> None:
    facts = json.loads(run("rule", "TST102", "--output-format", "json").out)
    assert (facts["code"], facts["name"], facts["severity"]) == ("TST102", "unsafe-old", "warning")
    assert facts["explanation"].startswith("# The page")


def test_all_rules_are_printed(run: Run) -> None:
    pages = run("rule", "--all").out
    assert pages.count("# The page\n") == 3
    assert "\n# cuda-call (NL101)\n" in pages


def test_rules_are_had_as_json(run: Run) -> None:
    rows = json.loads(run("rules", "--output-format", "json").out)
    assert [row["code"] for row in rows][-3:] == ["TST101", "TST102", "TST201"]


def test_a_built_in_rule_has_an_address(run: Run) -> None:
    rows = {row["code"]: row for row in json.loads(run("rules", "--output-format", "json").out)}
    assert rows["NL101"]["url"] == f"{HOME}/blob/main/rules/device/cuda_call.md"
    assert rows["TST101"]["url"] is None


def test_config_lists_every_key_with_default_and_meaning(run: Run) -> None:
    out = run("config").out
    assert "fix  (default: false)\n    Make the fixes, " in out
    assert [key for key in KEYS if f"{key}  (default: " not in out] == []


def test_config_tells_about_one_key(run: Run) -> None:
    assert run("config", "fail-on").out == (
        "The least severity that makes the exit status 1.\n\n"
        'Default value: "info"\nType: a string\nOne of: error, warning, info\n'
        'Option: --fail-on\nExample usage:\n```toml\nfail-on = "error"\n```\n'
    )


def test_config_tells_about_the_keys_of_a_table(run: Run) -> None:
    assert run("config", "gates").out.startswith("gates.decorators  (default: [])\n")


def test_a_key_is_had_as_json(run: Run) -> None:
    key = json.loads(run("config", "fail-on", "--output-format", "json").out)
    assert (key["default"], key["option"]) == ('"info"', "--fail-on")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(run: Run, shell: str) -> None:
    ran = run("generate-shell-completion", shell)
    assert (ran.status, "_NEURONLINT_COMPLETE" in ran.out) == (0, True)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("neuronlint --extend-s", "plain,--extend-select\n"),
        ("neuronlint rul", "plain,rule\nplain,rules\nfile,rul\n"),
        ("neuronlint check --fail-on w", "plain,warning\n"),
    ],
)
def test_words_are_completed(
    run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, offered: str
) -> None:
    monkeypatch.setenv("_NEURONLINT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    assert run().out == offered
