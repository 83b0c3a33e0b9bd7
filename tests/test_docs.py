"""What the documentation says is so: links, options, configurations, examples, rules."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
import yaml
from checkout import ROOT
from project import Run, write

from neuronlint import cli, own, registry
from neuronlint.testing import check_identity, check_page

BY_HAND = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
PAGES = sorted([*BY_HAND, *ROOT.glob("rules/*/*.md"), *ROOT.glob("neuronlint/pages/*.md")])
EACH = pytest.mark.parametrize("file", sorted(BY_HAND), ids=lambda file: file.name)
_LINK = re.compile(r"\[[^\]]*\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def blocks(text: str, *languages: str) -> list[str]:
    """The blocks of code in these languages; a block may lie in a longer fence."""
    found = re.findall(r"^(`{3,4})(\w*)[^\n`]*\n(.*?)^\1$", text, re.MULTILINE | re.DOTALL)
    return [code for _, language, code in found if language in languages]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_somewhere(file: Path) -> None:
    text = re.sub(r"^(`{3,4}).*?^\1$", "", read(file), flags=re.MULTILINE | re.DOTALL)
    for path, anchor in _LINK.findall(text):
        target = file.parent / path if path else file
        assert target.exists(), path
        assert not anchor or anchor in anchors(read(target)), f"{path}#{anchor}"


@cache
def known_options() -> dict[str, set[str]]:
    """The options of each command."""
    commands = cli.cli.commands
    return {name: set(option_names(command)) for name, command in commands.items()}


def option_names(command: click.Command) -> Iterator[str]:
    for param in command.get_params(click.Context(command)):
        yield from (*param.opts, *param.secondary_opts)


def asked(text: str) -> Iterator[tuple[str, str]]:
    """The command and the option of each option that a text gives to neuronlint."""
    shell = re.findall(r"\bneuronlint ([^`|\n#]*)", text)
    alone = re.findall(r"`(--[a-z][^`]*)`", text)
    for line in [*shell, *alone]:
        words = line.split()
        command = words[0] if words and words[0] in cli.cli.commands else "check"
        for option in re.findall(r"(?<!\S)-{1,2}[a-z][a-z-]*", line):
            yield command, option


@EACH
def test_options_exist(file: Path) -> None:
    text = re.sub(r"\breviewdog [^`]*|\bpip install[^&\n]*", "", read(file))
    for command, option in asked(text):
        names = known_options()[command] | {"--help", "--version"}
        assert option in names, f"neuronlint {command} {option}"


def test_options_are_looked_for() -> None:
    assert len({option for _, option in asked(read(ROOT / "README.md"))}) >= 10


@EACH
def test_configurations_are_accepted(file: Path, run: Run) -> None:
    Path("neuronlint.toml").unlink()
    write("a.py", "")
    write("neuronlint-baseline.json", '{"version": 1, "findings": {}}')
    for code in blocks(read(file), "toml"):
        if "[tool.neuronlint" not in code:
            continue
        Path("pyproject.toml").write_text(code, encoding="utf-8")
        ran = run("check", "--show-settings", "a.py")
        assert (ran.status, ran.err) == (0, ""), code


@EACH
def test_workflows_and_hooks_name_what_there_is(file: Path) -> None:
    action = yaml.safe_load(read(ROOT / "action.yml"))
    hooks = {hook["id"] for hook in yaml.safe_load(read(ROOT / ".pre-commit-hooks.yaml"))}
    for code in blocks(read(file), "yaml"):
        for part in parts(yaml.safe_load(code)):
            if str(part.get("uses", "")).startswith("neuronlint/"):
                assert part.get("with", {}).keys() <= action["inputs"].keys()
            if str(part.get("repo", "")).endswith("neuronlint"):
                assert {hook["id"] for hook in part["hooks"]} <= hooks


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """The mappings in a document."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from parts(each)


def test_the_first_screen_of_the_readme_is_what_is_printed() -> None:
    (console,) = blocks(read(ROOT / "README.md"), "console")
    shown = console.split("$ neuronlint ")[1:]
    assert len(shown) == 2
    for example in shown:
        line, *lines = example.splitlines()
        command = [sys.executable, "-m", "neuronlint", *line.split(), "--isolated"]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        printed = iter((ran.stdout + ran.stderr).splitlines())
        for line in lines:  # each comes after the one before it
            assert not line.strip(" .") or line in printed, line


def test_the_readme_begins_with_two_commands() -> None:
    assert len(blocks(read(ROOT / "README.md"), "bash")) == 2


def test_the_tests_are_run_by_one_command() -> None:
    (command,) = re.findall(r"-m (pytest .*)", read(ROOT / "README.md"))
    for name in ("CONTRIBUTING.md", "docs/testing.md", ".ci/run"):
        assert command in read(ROOT / name), name


def test_the_rule_that_is_explained_does_what_its_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = read(ROOT / "docs/writing-rules.md")
    (page,) = blocks(text, "markdown")
    code = blocks(text, "python")[0]
    (tmp_path / "acme_rules").mkdir()
    (tmp_path / "acme_rules/__init__.py").write_text("")
    (tmp_path / "acme_rules/gpu_helper.py").write_text(code)
    (tmp_path / "acme_rules/gpu_helper.md").write_text(page)
    monkeypatch.syspath_prepend(tmp_path)
    rule = importlib.import_module("acme_rules.gpu_helper").rule
    check_identity(rule)
    check_page(rule, page)


def tool() -> ModuleType:
    """The hook that makes the rules' pages."""
    spec = importlib.util.spec_from_file_location("rule_docs", ROOT / "tools/rule_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["rule_docs"] = module
    spec.loader.exec_module(module)
    return module


TOOL = tool()
ENTRIES = TOOL.entries()


def test_every_rule_has_a_page_on_the_site() -> None:
    built_in = [rule for rule in registry.installed() if rule.code.startswith("NL")]
    codes = sorted(rule.code for rule in [*own.RULES, *built_in])
    assert [entry.rule.code for entry in ENTRIES] == codes


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.rule.code)
def test_a_rule_is_listed_by_topic_fix_and_severity(entry: Any) -> None:
    topics, rest = TOOL.index(ENTRIES).split("## By fix\n")
    row = next(line for line in topics.splitlines() if line.startswith(f"| {entry.rule.code} "))
    assert row.count(" | ") == 4
    assert [part.count(entry.link) for part in rest.split("## By severity\n")] == [1, 1]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.rule.code)
def test_a_rule_page_says_how_bad_it_is_and_what_its_fix_is(entry: Any) -> None:
    text = TOOL.text(entry)
    assert text.startswith(f"# {entry.rule.name} ({entry.rule.code})\n\nSeverity: **")
    assert f"fix: **{entry.fix}**" in text
    assert not re.search(r"^```python (?!title=)", text, re.MULTILINE)
    assert "unsafe" not in entry.fixes or "```python title=" in text


def test_links_to_the_repository_are_made_to_work_on_the_site() -> None:
    def led(target: str) -> str:
        return TOOL.outward(f"[a]({target})", "adoption.md", ENTRIES)[4:-1]

    home = "https://github.com/neuronlint/neuronlint"
    assert led("../rules") == "rules/index.md"
    assert led("../rules/device/cuda_call.md") == "rules/cuda-call.md"
    assert led("../neuronlint/pages/fix_failed.md") == "rules/fix-failed.md"
    assert led("../SECURITY.md#reporting") == f"{home}/blob/main/SECURITY.md#reporting"
    assert led("../tests/pack") == f"{home}/tree/main/tests/pack"
    assert led("../no-such.md") == "../no-such.md"
    assert led("configuration.md#torch") == "configuration.md#torch"
