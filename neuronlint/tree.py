"""The one walk over a syntax tree: nodes by type, parents, and the scopes of its names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import libcst as cst

from neuronlint.nodes import content
from neuronlint.scopes import BINDS, COMPREHENSIONS, IMPORTS, OPENS, Scope, bind

# Names that refer to nothing: the `b` of `a.b`, the `k` of `f(k=1)`, the `x` of `x = 1`.
_LABELS: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Attribute: ("attr",),
    cst.Arg: ("keyword",),
    cst.FunctionDef: ("name",),
    cst.ClassDef: ("name",),
    cst.Param: ("name",),
    cst.AssignTarget: ("target",),
    cst.AnnAssign: ("target",),
}


class Tree:
    """A parsed module, indexed."""

    def __init__(self, root: cst.Module) -> None:
        self.root = root
        self.nodes: dict[type[cst.CSTNode], list[cst.CSTNode]] = defaultdict(list)
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.scopes: dict[cst.CSTNode, Scope] = {root: Scope(root)}
        self._walk()

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """All nodes that hold a node, the nearest first."""
        while node is not self.root:
            node = self.parents[node]
            yield node

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope in which the names of an expression or statement are looked up."""
        while node is not self.root:
            parent = self.parents[node]
            if self._starts_comprehension(node, parent):
                node = self.parents[parent]
                continue
            if parent in self.scopes and _lies_inside(node, parent):
                return self.scopes[parent]
            node = parent
        return self.scopes[self.root]

    def _starts_comprehension(self, node: cst.CSTNode, parent: cst.CSTNode) -> bool:
        """Whether a node is what a comprehension goes through first: that lies outside it."""
        if not isinstance(parent, cst.CompFor) or parent.iter is not node:
            return False
        return isinstance(self.parents[parent], COMPREHENSIONS)

    def _walk(self) -> None:
        stack: list[tuple[cst.CSTNode, Scope]] = [(self.root, self.scopes[self.root])]
        while stack:
            node, scope = stack.pop()
            kind = type(node)
            self.nodes[kind].append(node)
            inner = scope
            if kind in OPENS:
                inner = self.scopes[node] = Scope(node, scope)
            if kind in BINDS:
                bind(node, scope, inner)
            if kind in IMPORTS:
                continue
            everywhere = kind in COMPREHENSIONS
            below = [
                (child, inner if everywhere or field == "body" else scope)
                for field, child in self._children(node, kind)
            ]
            stack += reversed(below)

    def _children(
        self, node: cst.CSTNode, kind: type[cst.CSTNode]
    ) -> Iterator[tuple[str, cst.CSTNode]]:
        """The nodes directly below one that refer to something, with the field each is in."""
        labels = _LABELS.get(kind, ())
        for name in content(kind):
            value = getattr(node, name)
            for child in value if isinstance(value, (tuple, list)) else (value,):
                if isinstance(child, cst.CSTNode):
                    self.parents[child] = node
                    if name not in labels or not isinstance(child, cst.Name):
                        yield name, child


def _lies_inside(child: cst.CSTNode, parent: cst.CSTNode) -> bool:
    """Whether the names in a child are looked up in the scope that its parent opens."""
    match parent:
        case cst.FunctionDef() | cst.Lambda() | cst.ClassDef():
            return child is parent.body
        case cst.ListComp() | cst.SetComp() | cst.DictComp() | cst.GeneratorExp():
            return True
        case _:
            return False
