"""Every rule does what its page says."""

from pathlib import Path

import pytest

from neuronlint import Rule, page, registry
from neuronlint.testing import check_identity, check_page

RULES = registry.installed()
EDGES = sorted((Path(__file__).parent / "rules").rglob("*.md"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_page(rule: Rule) -> None:
    check_identity(rule)
    check_page(rule, page.read(rule))


@pytest.mark.parametrize("path", EDGES, ids=lambda path: path.stem)
def test_edge_cases(path: Path) -> None:
    rule = registry.find(RULES, path.stem.replace("_", "-"))
    check_page(rule, path.read_text(encoding="utf-8"))
