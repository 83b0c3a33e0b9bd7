"""Rules that run only where a project selects them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from project import Run, codes, write

from neuronlint import registry, rule_index

SLOW = """
import torch.nn.functional as F

for x, y in loader:
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    print(loss.item())
"""


def test_an_optional_rule_does_not_run_by_itself(run: Run) -> None:
    write("a.py", SLOW)
    assert codes(run()) == []


@pytest.mark.parametrize(
    "args",
    [
        ["--select", "NL8"],
        ["--select", "ALL"],
        ["--extend-select", "NL801"],
        ["--select", "host-read"],
        ["--config", "select = ['NL8']"],
        ["--config", "extend-select = ['ALL']"],
    ],
)
def test_an_optional_rule_runs_where_it_is_selected(run: Run, args: list[str]) -> None:
    write("a.py", SLOW)
    assert codes(run(*args)) == ["NL801"]


def test_a_severity_alone_selects_no_optional_rule(run: Run) -> None:
    Path("neuronlint.toml").write_text('severity = { NL801 = "error" }\n')
    write("a.py", SLOW)
    assert codes(run()) == []


def test_an_optional_rule_beside_the_others_can_be_left_out_again(run: Run) -> None:
    Path("neuronlint.toml").write_text('extend-select = ["NL8"]\nignore = ["NL801"]\n')
    write("a.py", f"{SLOW}\nsafe_old\n")
    assert codes(run()) == ["TST101"]


def test_optional_rules_are_listed_as_such(run: Run) -> None:
    lines = run("rules").out.splitlines()
    assert "NL801  warning  host-read (on by choice)" in lines
    assert "NL101  error    cuda-call" in lines
    facts = {row["code"]: row for row in json.loads(run("rules", "--output-format", "json").out)}
    assert [facts[code]["optional"] for code in ("NL101", "NL801")] == [False, True]


def test_the_page_of_an_optional_rule_says_how_to_have_it(run: Run) -> None:
    assert run("rule", "NL801").out.endswith("\n\nOn by choice: `--extend-select NL801`.\n")
    assert "On by choice" not in run("rule", "NL101").out


def test_what_is_kept_of_a_rule_says_whether_it_is_optional(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept: dict[str, object] = {}
    monkeypatch.setattr(rule_index.store, "write", lambda name, data: kept.update(data))
    monkeypatch.setattr(rule_index.store, "read", lambda name: json.loads(json.dumps(kept)))
    rule = replace(registry.find(registry.installed(), "NL101"))
    rule_index.keep([], [rule, replace(rule, code="XX1", optional=True)])
    assert [(one.code, one.optional) for one in rule_index.known() or []] == [
        ("NL101", False),
        ("XX1", True),
    ]
