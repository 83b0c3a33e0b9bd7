"""Which names of torch a file replaces by others: a test that patches them, a shim."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint.names import Names
from neuronlint.nodes import last_name
from neuronlint.tree import Tree

PATCHES = frozenset({"patch", "object", "setattr", "delattr", "multiple"})


def patched(tree: Tree, names: Names) -> frozenset[str]:
    """The dotted names below torch that code of the file sets to something else."""
    found = {name for node in tree.nodes.get(cst.Call, []) for name in _by_call(node, names)}
    for node in tree.nodes.get(cst.AssignTarget, []):
        if isinstance(node, cst.AssignTarget) and isinstance(node.target, cst.Attribute):
            found.add(names.qualified(node.target) or "")
    return frozenset(name for name in found if name.startswith("torch.cuda"))


def _by_call(node: cst.CSTNode, names: Names) -> Iterator[str]:
    """What `patch("torch.cuda.synchronize")` and `setattr(torch.cuda, "synchronize")` replace."""
    if not isinstance(node, cst.Call) or last_name(node.func) not in PATCHES:
        return
    match node.args:
        case [cst.Arg(value=cst.SimpleString() as name), *_]:
            yield str(name.evaluated_value)
        case [cst.Arg(value=owner), cst.Arg(value=cst.SimpleString() as name), *_]:
            yield f"{names.qualified(owner)}.{name.evaluated_value!s}"
