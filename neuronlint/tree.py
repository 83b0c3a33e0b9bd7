"""The one walk over a syntax tree: nodes by type, parents, and the scopes of its names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

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
        self._scope: dict[cst.CSTNode, Scope] = {}
        self._walk()

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """All nodes that hold a node, the nearest first."""
        while node is not self.root:
            node = self.parents[node]
            yield node

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope in which the names of an expression or statement are looked up."""
        while node not in self._scope:
            node = self.parents[node]
        return self._scope[node]

    def _walk(self) -> None:
        stack: list[tuple[cst.CSTNode, Scope]] = [(self.root, self.scopes[self.root])]
        while stack:
            node, scope = stack.pop()
            kind = type(node)
            self.nodes[kind].append(node)
            self._scope[node] = scope
            inner = scope
            if kind in OPENS:
                inner = self.scopes[node] = Scope(node, scope)
            if kind in BINDS:
                bind(node, scope, inner)
            if kind not in IMPORTS:
                self._add_children(node, scope, inner, stack)

    def _add_children(
        self, node: cst.CSTNode, scope: Scope, inner: Scope, stack: list[tuple[cst.CSTNode, Scope]]
    ) -> None:
        """Put the nodes directly below one that refer to something on the stack, the first last."""
        kind = type(node)
        labels = _LABELS.get(kind, ())
        for name in _fields(kind):
            value = getattr(node, name)
            values = reversed(value) if type(value) in (tuple, list) else (value,)
            place = scope
            if name == "body" or kind in COMPREHENSIONS:
                place = inner
            elif name == "iter" and type(self.parents[node]) in COMPREHENSIONS:
                place = scope.outer or scope  # what it goes through first lies outside it
            for child in values:
                if _is_node(type(child)):
                    self.parents[child] = node
                    if name not in labels or type(child) is not cst.Name:
                        stack.append((child, place))


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a type of node that hold more than layout, the last first."""
    return content(kind)[::-1]


@cache
def _is_node(kind: type[object]) -> bool:
    return issubclass(kind, cst.CSTNode)
