"""Which row of a table holds for a name, and how a finding is told from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from neuronlint import Module, Row

MESSAGE = "`{old}` {note}; {instead}"


def row_of(name: str, rows: Mapping[str, Row]) -> Row | None:
    """The row of a dotted name, or of the nearest name above it; None where it is harmless."""
    while name:
        if (row := rows.get(name)) is not None:
            return None if row.harmless else row
        name = name.rpartition(".")[0]
    return None


def imported(node: cst.Import | cst.ImportFrom, module: Module) -> Iterator[str]:
    """The dotted name of each thing that an import statement loads, relative ones left out."""
    names = () if isinstance(node.names, cst.ImportStar) else node.names
    if isinstance(node, cst.Import):
        yield from (alias.evaluated_name for alias in names)
    elif node.module is not None and not node.relative:
        package = _dotted(node.module)
        yield from (f"{package}.{alias.evaluated_name}" for alias in names)
        if not names:
            yield package


def reference(node: cst.Attribute | cst.Name, module: Module) -> str | None:
    """The imported dotted name that a reference stands for, None where it is part of a longer one."""
    parent = module.parent(node)
    if isinstance(parent, cst.Attribute) or isinstance(parent, (cst.AssignTarget, cst.Del)):
        return None
    return module.name(node)


def is_optional(node: cst.BaseExpression, module: Module) -> bool:
    """Whether the import behind a name may fail: the code goes on without it."""
    while isinstance(node, (cst.Attribute, cst.Call)):
        node = node.value if isinstance(node, cst.Attribute) else node.func
    if not isinstance(node, cst.Name):
        return False
    bindings = [b for b in module.names.bindings(node) if b.imported]
    return any(module.guards.optional(binding.node) for binding in bindings)


def _dotted(node: cst.Attribute | cst.Name) -> str:
    match node:
        case cst.Attribute(value=cst.Attribute() | cst.Name() as value, attr=attribute):
            return f"{_dotted(value)}.{attribute.value}"
        case cst.Name(value=name):
            return name
        case _:
            return ""
