"""Which row of a table holds for a name, and how a finding is told from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from neuronlint import Module, Row, dotted

MESSAGE = "`{old}` {note}; {instead}"


def row_of(name: str, rows: Mapping[str, Row]) -> Row | None:
    """The row of a dotted name, or of the nearest name above it; None where it is harmless."""
    while name:
        if (row := rows.get(name)) is not None:
            return None if row.harmless else row
        name = name.rpartition(".")[0]
    return None


def known(name: str, rows: Mapping[str, Row]) -> str:
    """The part of a name that has a row."""
    while name not in rows:
        name = name.rpartition(".")[0]
    return name


def imported(node: cst.Import | cst.ImportFrom) -> Iterator[str]:
    """The dotted name of each thing that an import statement loads, relative ones left out."""
    names = () if isinstance(node.names, cst.ImportStar) else node.names
    if isinstance(node, cst.Import):
        yield from (alias.evaluated_name for alias in names)
    elif node.module is not None and not node.relative:
        package = dotted(node.module) or ""
        yield from (f"{package}.{alias.evaluated_name}" for alias in names)
        if not names:
            yield package


def libraries(node: cst.Import | cst.ImportFrom, module: Module) -> Iterator[str]:
    """The imported names that are none of the repository's own packages."""
    own = module.settings.packages
    return (name for name in imported(node) if name.partition(".")[0] not in own)


def reference(node: cst.Attribute | cst.Name, module: Module) -> str | None:
    """The imported dotted name of a reference, None for a part of a longer one or a target."""
    parent = module.parent(node)
    if isinstance(parent, (cst.Attribute, cst.AssignTarget, cst.Del)):
        return None
    return module.name(node)


def imports_behind(node: cst.BaseExpression, module: Module) -> list[cst.CSTNode]:
    """The imports that give a reference its first name, or a name that this one stands for."""
    found: list[cst.CSTNode] = []
    seen: set[cst.CSTNode] = set()
    ahead = [node]
    while ahead:
        node = ahead.pop()
        while isinstance(node, (cst.Attribute, cst.Call)):
            node = node.value if isinstance(node, cst.Attribute) else node.func
        for binding in module.names.bindings(node) if isinstance(node, cst.Name) else ():
            if binding.imported:
                found.append(binding.node)
            elif binding.node not in seen and isinstance(binding.value, (cst.Attribute, cst.Name)):
                seen.add(binding.node)
                ahead.append(binding.value)
    return found


def is_optional(node: cst.BaseExpression, module: Module) -> bool:
    """Whether the import behind a name may fail: the code goes on without it."""
    return any(module.guards.optional(one) for one in imports_behind(node, module))


def uses_torch(module: Module) -> bool:
    """Whether the file is about torch: what programs CUDA alone is nobody's port."""
    imports: list[cst.Import | cst.ImportFrom] = []
    imports += module.nodes(cst.Import)
    imports += module.nodes(cst.ImportFrom)
    return any(name.partition(".")[0] == "torch" for node in imports for name in imported(node))
