"""Imports between the modules point one way."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import neuronlint

ROOT = Path(neuronlint.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
RULES = sorted((ROOT.parent / "rules").rglob("*.py"))
NAMES = {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in MODULES}

# What a part of the program must get along without, with all that it imports.
WITHOUT = {
    "rule": NAMES - {"rule"},
    "source": NAMES - {"source", "rule"},
    "nodes": NAMES - {"nodes"},
    "tree": NAMES - {"tree", "scopes", "nodes", "statements"},
    "names": {"guards", "devices", "receivers", "placement", "module", "engine"},
    "conditions": {"guards", "devices", "receivers", "placement", "module", "engine"},
    "guards": {"devices", "receivers", "placement", "module", "engine"},
    "tensors": {"guards", "devices", "receivers", "placement", "module", "engine"},
    "hot": {"guards", "devices", "receivers", "placement", "module", "engine"},
    "module": {"engine", "edits", "suppressions", "registry"},
    "formats": NAMES - {"formats"},
    "there": NAMES - {"there"},
    "store": NAMES - {"store"},
    "stamps": NAMES - {"stamps", "there"},
    "glance": NAMES - {"glance"},
    "record": NAMES - {"record"},
    "ignores": NAMES - {"ignores"},
    "recording": {"cli", "checking", "quick"},
    "comments": {"documents", "module", "engine", "suppressions"},
    "documents": {"engine", "module", "suppressions", "registry"},
    "homegrown": NAMES - {"homegrown", "there"},
    "target": NAMES - {"target", "rule"},
    "operator_file": NAMES - {"operator_file"},
    "profiles": {"module", "engine", "config", "runner", "reporters", "cli"},
    "engine": {"registry", "profiles", "files", "config", "runner", "reporters", "cli"},
    "reporters": {"engine", "module", "config", "files", "runner", "cli"},
    "runner": {"reporters", "config", "cli"},
    "checking": {"readiness", "cli"},
    "readiness": {"cli"},
}


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
            yield from (n.name if n.name in NAMES else "__init__" for n in names)
        case ast.ImportFrom(module=str(module)) if module.startswith("neuronlint."):
            yield module.split(".")[1]
        case _:
            for child in ast.iter_child_nodes(node):
                yield from imported(child)


@cache
def graph() -> dict[str, set[str]]:
    """The modules that each module imports."""
    found: dict[str, set[str]] = {name: set() for name in NAMES}
    for path in MODULES:
        found[layer(path)] |= set(imported(ast.parse(path.read_text(encoding="utf-8"))))
    return {name: used - {name} for name, used in found.items()}


def reached(name: str) -> set[str]:
    """All that a module imports, and what that imports."""
    edges, seen, ahead = graph(), set[str](), [name]
    while ahead:
        for used in edges[ahead.pop()] - seen:
            seen.add(used)
            ahead.append(used)
    return seen


def test_no_module_imports_one_that_imports_it() -> None:
    TopologicalSorter(graph()).prepare()  # raises CycleError


@pytest.mark.parametrize("name", WITHOUT)
def test_a_module_gets_along_without_those_above_it(name: str) -> None:
    assert name in NAMES
    assert not reached(name) & WITHOUT[name]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_imports_the_rules(path: Path) -> None:
    names = {
        alias.name if isinstance(node, ast.Import) else node.module or ""
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    assert not {name for name in names if name.startswith(("neuronlint_rules", "rules"))}


@pytest.mark.parametrize("path", RULES, ids=lambda path: "/".join(path.parts[-2:]))
def test_rules_import_what_is_public(path: Path) -> None:
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    names = {node.module or "" for node in found if isinstance(node, ast.ImportFrom)}
    assert not {name for name in names if name.startswith("neuronlint.")}


@pytest.mark.parametrize("path", [*MODULES, *RULES], ids=lambda path: "/".join(path.parts[-2:]))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in found}
    assert text.count("\n") < 300
    assert not {name: length for name, length in lengths.items() if length >= 45}


def test_what_is_public_is_there() -> None:
    assert all(getattr(neuronlint, name) is not None for name in neuronlint.__all__)
