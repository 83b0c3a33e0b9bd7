"""Every name that a row or a page tells of is there in torch, from the release that is claimed."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import ModuleType

import pytest
from torch_tables import ACCELERATOR, FACTS, PLAIN, ROOT, ROWS, TOOL, here, is_known, later

NAME = re.compile(r"\btorch(?:\.\w+)+")
FIXED_BLOCK = re.compile(r"^```python fixed\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = (*(ROOT / "rules").rglob("*.md"), *(ROOT / "tests" / "rules").rglob("*.md"))


def test_every_claim_about_releases_holds_for_the_installed_one() -> None:
    assert {kind: names for kind, names in TOOL.compare().items() if names} == {}


def test_every_function_of_torch_accelerator_is_known_with_its_release() -> None:
    claimed = {name for name in FACTS if ACCELERATOR + name not in later()}
    public = {name for name in TOOL.resolve("torch.accelerator").__all__ if "_idx" not in name}
    assert claimed == {name for name in FACTS if TOOL.exists(ACCELERATOR + name)}
    assert public - claimed == set()


def test_every_torch_name_in_a_row_exists() -> None:
    keys = ("new", "without", "instead", "older", "note", "dtype")
    texts = {
        f"{n}: {found}": found
        for n, row in PLAIN.items()
        if is_known(row)
        for key in keys
        for found in NAME.findall(row.get(key, ""))
        if key != "note" or not found.startswith(ACCELERATOR)  # which may tell of later releases
    }
    assert [where for where, found in texts.items() if not TOOL.exists(found)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_torch_name_in_fixed_code_exists(page: Path) -> None:
    code = "\n".join(FIXED_BLOCK.findall(page.read_text(encoding="utf-8")))
    assert sorted(name for name in used(code) - later() if not TOOL.exists(name)) == []


def test_an_alias_is_the_same_object() -> None:
    there = here()
    aliases = {n: row["alias"] for n, row in ROWS.items() if row.get("alias") in there}
    functions = {n: a for n, a in aliases.items() if not isinstance(TOOL.resolve(n), ModuleType)}
    assert [n for n, a in functions.items() if TOOL.resolve(n) is not TOOL.resolve(a)] == []


def used(code: str) -> set[str]:
    """The dotted names of torch that code reads or imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Attribute() if NAME.fullmatch(text := ast.unparse(node)):
                names.add(text)
            case ast.ImportFrom(module=str(module), level=0) if f"{module}.".startswith("torch."):
                names.update(f"{module}.{name.name}" for name in node.names if name.name != "*")
    return names
