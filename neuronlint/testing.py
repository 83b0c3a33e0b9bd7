"""Test a rule pack against the examples on its pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

from neuronlint import config, engine, page
from neuronlint.plans import Plans
from neuronlint.projects import Projects
from neuronlint.rule import Finding, Rule
from neuronlint.runner import Plan
from neuronlint.settings import Settings


def check_page(rule: Rule, text: str) -> None:
    """Assert what the examples on a page promise.

    The findings in every block are those marked in it, and a `fixed` block is what fixing the
    `bad` block before it gives, unsafe fixes included; fixing it again changes nothing. Settings
    in a block of their own hold for all; files that they name lie beside the page.
    """
    blocks, settings = page.blocks(text), page_settings(rule, text)
    assert any(block.kind == "bad" for block in blocks), f"{rule.code}: no bad example"
    assert any(block.kind == "good" for block in blocks), f"{rule.code}: no good example"
    before = None
    for block in blocks:
        path = Path(block.file)
        if path.suffix == ".py":
            compile(block.code, block.file, "exec")
        found = _marks(engine.check(block.code.encode(), path, [rule], settings))
        _assert_same(rule, "findings", _marked(block.code, block.marks), _marked(block.code, found))
        if block.kind == "good":
            assert not block.marks, f"{rule.code}: a good block marks findings"
        if block.kind == "fixed":
            assert before is not None, f"{rule.code}: no block before the fixed one"
            assert before.kind == "bad", f"{rule.code}: no bad block before the fixed one"
            fixed = engine.fix(before.code.encode(), path, [rule], settings, unsafe=True)
            _assert_same(rule, "what is fixed", block.code, fixed.source.decode())
            left = _marked(block.code, _marks(fixed.left))
            _assert_same(rule, "what is left", _marked(block.code, block.marks), left)
        before = block


def check_identity(rule: Rule) -> None:
    """Assert that a rule says who it is in the same words everywhere."""
    title = page.read(rule).partition("\n")[0]
    assert title == f"# {rule.name} ({rule.code})", f"{rule.code}: its page is titled {title!r}"
    assert rule.checks, f"{rule.code}: no check is registered"
    assert rule.source.rpartition(".")[2] == rule.name.replace("-", "_"), f"{rule.code}: file name"


def page_settings(rule: Rule, text: str) -> Settings:
    """The settings with which the examples on a rule's page are read."""
    if not (written := page.settings(text)):
        return engine.DEFAULTS
    layer = replace(config.inline(written), folder=page.folder(rule))
    return (
        Plans(Projects([layer], isolated=True), [rule], Plan([rule]))
        .of(Path("example.py"))
        .settings
    )


def failures(rules: Iterable[Rule]) -> Iterator[str]:
    """What is wrong with rules and their pages, a text for each rule that fails."""
    for rule in rules:
        try:
            check_identity(rule)
            check_page(rule, page.read(rule))
        except AssertionError as error:
            yield str(error)
        except Exception as error:  # a rule that raises, a page that is missing or no Python
            yield f"{rule.code}: {type(error).__name__}: {error}"


def _assert_same(rule: Rule, what: str, wanted: str, got: str) -> None:
    """Fail with the difference between what a page says and what the rule does."""
    lines = (wanted.splitlines(), got.splitlines())
    diff = "\n".join(unified_diff(*lines, "the page", "the rule", lineterm=""))
    assert wanted == got, f"{rule.code}: {what} differ from the page\n{diff}"


def _marked(code: str, marks: Sequence[tuple[int, str]]) -> str:
    """The code with its marks written behind the lines."""
    rows = code.splitlines()
    for line, mark in marks:
        rows[line - 1] += f"  # {mark}"
    return "\n".join(rows)


def _marks(findings: list[Finding]) -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in findings]
