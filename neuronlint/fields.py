"""What the methods of a class assign to its fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import libcst as cst

from neuronlint.tree import Tree


class Fields:
    """The fields of the classes of one module, those of `self` alone."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._values: dict[tuple[cst.CSTNode, str], list[cst.BaseExpression]] = defaultdict(list)
        for node in (*tree.nodes.get(cst.Assign, []), *tree.nodes.get(cst.AnnAssign, [])):
            match node:
                case cst.Assign(targets=goals, value=value):
                    for goal in goals:
                        self._add(goal.target, value)
                case cst.AnnAssign(target=target, value=value) if value is not None:
                    self._add(target, value)

    def values(self, node: cst.Attribute) -> Sequence[cst.BaseExpression]:
        """All that is assigned to `self.NAME` in the class around a place."""
        key = self._key(node)
        return self._values.get(key, []) if key is not None else []

    def _add(self, target: cst.BaseExpression, value: cst.BaseExpression) -> None:
        if isinstance(target, cst.Attribute) and (key := self._key(target)) is not None:
            self._values[key].append(value)

    def _key(self, node: cst.Attribute) -> tuple[cst.CSTNode, str] | None:
        if not isinstance(node.value, cst.Name) or node.value.value != "self":
            return None
        owners = (one for one in self._tree.above(node) if isinstance(one, cst.ClassDef))
        owner = next(owners, None)
        return (owner, node.attr.value) if owner is not None else None
