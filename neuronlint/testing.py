"""Test a rule pack against the examples on its pages."""

from __future__ import annotations

from dataclasses import replace
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
        found = engine.check(block.code.encode(), path, [rule], settings)
        assert _marks(found) == list(block.marks), block.code
        if block.kind == "good":
            assert not block.marks, f"{rule.code}: a good block marks findings"
        if block.kind == "fixed":
            assert before is not None, f"{rule.code}: no block before the fixed one"
            assert before.kind == "bad", f"{rule.code}: no bad block before the fixed one"
            fixed = engine.fix(before.code.encode(), path, [rule], settings, unsafe=True)
            assert fixed.source.decode() == block.code
            assert _marks(fixed.left) == list(block.marks)
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


def _marks(findings: list[Finding]) -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in findings]
