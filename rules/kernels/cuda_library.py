"""NL601: a library that ties the code to CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Row, Rule, Severity, below, read_table

from .facts import MESSAGE, is_optional, known, libraries, row_of, uses_torch

_LIBRARIES = read_table(__name__, "libraries.toml")

_INTERFACES = read_table(__name__, "interfaces.toml")

_ROOTS = {name.partition(".")[0] for name in _LIBRARIES}
_PROGRAMMED = {name.partition(".")[0] for name in _INTERFACES}  # found where they are used, too

rule = Rule(
    "NL601",
    "cuda-library",
    MESSAGE,
    __name__,
    Severity.ERROR,
    context=("available", "Available", "AVAILABLE", "has_", "HAS_"),
    triggers=(
        *sorted(f"must use {name}" for name in _PROGRAMMED),
        *sorted(f"must import {name}" for name in _ROOTS - _PROGRAMMED),
    ),
)

_ASKS = re.compile(r"is_\w+_available")


@rule.check
def cuda_library(node: cst.Import | cst.ImportFrom, module: Module) -> Iterator[Match]:
    """A library whose very import needs CUDA, or is of use with it only."""
    for name in libraries(node, module):
        row = row_of(name, _LIBRARIES)
        if row is None or _is_asked(node, name, module):
            continue
        yield _match(node, known(name, _LIBRARIES), row)
        return


@rule.check
def cuda_interface(node: cst.Call, module: Module) -> Iterator[Match]:
    """A call of an interface that programs CUDA, beside torch."""
    yield from _interface(node.func, module)


@rule.check
def cuda_kernel(node: cst.Decorator, module: Module) -> Iterator[Match]:
    """A kernel that such an interface compiles, where the decorator is no call."""
    if not isinstance(node.decorator, cst.Call):
        yield from _interface(node.decorator, module)


def _interface(function: cst.BaseExpression, module: Module) -> Iterator[Match]:
    if (name := module.name(function)) is None:
        return
    row = row_of(name, _INTERFACES)
    if row is None or is_optional(function, module) or not uses_torch(module):
        return
    if not _in_kernel(function, module):
        yield _match(function, name, row)


def _match(node: cst.CSTNode, name: str, row: Row) -> Match:
    return rule.match(node, symbol=name, old=name, note=row.note, instead=row.instead)


def _is_asked(node: cst.CSTNode, name: str, module: Module) -> bool:
    """Whether the file asks first: by a condition, by `is_x_available` before a late import."""
    if module.guards.optional(node):
        return True
    if (function := module.enclosing(node, cst.FunctionDef)) is None:
        return False
    if any(isinstance(one, cst.Name) and _ASKS.fullmatch(one.value) for one in below(function)):
        return True
    library = name.partition(".")[0]
    asked = (one.value.lower() for one in module.nodes(cst.Name))
    return any(library in one and ("available" in one or "has_" in one) for one in asked)


def _in_kernel(node: cst.CSTNode, module: Module) -> bool:
    """Whether code lies inside a CUDA kernel, which is found as a whole."""
    while node is not module.tree.root:
        above = module.parent(node)
        if isinstance(above, cst.FunctionDef) and node is above.body and _compiles(above, module):
            return True
        node = above
    return False


def _compiles(function: cst.FunctionDef, module: Module) -> bool:
    """Whether a decorator makes a function a CUDA kernel."""
    found = (one.decorator for one in function.decorators)
    names = (module.name(one.func if isinstance(one, cst.Call) else one) for one in found)
    return any((name or "").startswith("numba.cuda.") for name in names)
