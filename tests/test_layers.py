"""Imports between the modules point one way."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import neuronlint

ROOT = Path(neuronlint.__file__).parent

# Each module may import those before it, none after it.
ORDER = (
    *("rule", "source", "spans", "tree", "names", "guards", "devices", "receivers"),
    *("placement", "module", "table", "__init__", "edits", "report", "suppressions"),
    *("engine", "page", "registry", "testing", "requirements", "config", "files"),
    *("reporters", "options", "runner", "cli", "__main__"),
)
MODULES = sorted(ROOT.rglob("*.py"))


def layer(path: Path) -> str:
    """The module a file belongs to; those of a package count as one."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(node: ast.AST) -> Iterator[str]:
    """The modules of neuronlint that code imports when it runs, not for type checkers only."""
    match node:
        case ast.If(test=ast.Name("TYPE_CHECKING"), orelse=orelse):
            for statement in orelse:
                yield from imported(statement)
        case ast.Import(names=names):
            yield from (n.name.split(".")[1] for n in names if n.name.startswith("neuronlint."))
        case ast.ImportFrom(module="neuronlint", names=names):
            yield from (n.name if n.name in ORDER else "__init__" for n in names)
        case ast.ImportFrom(module=str(module)) if module.startswith("neuronlint."):
            yield module.split(".")[1]
        case _:
            for child in ast.iter_child_nodes(node):
                yield from imported(child)


def test_every_module_has_its_place() -> None:
    assert {layer(path) for path in MODULES} == set(ORDER)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_those_below_it(path: Path) -> None:
    me = layer(path)
    used = set(imported(ast.parse(path.read_text(encoding="utf-8")))) - {me}
    above = {name for name in used if ORDER.index(name) > ORDER.index(me)}
    assert not above, f"{me} imports {', '.join(sorted(above))}"


def test_the_engine_imports_no_rules() -> None:
    for path in MODULES:
        assert "neuronlint_rules" not in path.read_text(encoding="utf-8").replace('"', "")
