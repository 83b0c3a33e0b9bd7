"""The one walk over a syntax tree: nodes by type, parents, and the scopes of its names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from functools import cache

import libcst as cst

from neuronlint.nodes import content, is_node
from neuronlint.scopes import BINDS, COMPREHENSIONS, IMPORTS, OPENS, Scope, bind
from neuronlint.statements import by_line

Entry = tuple[cst.CSTNode, Scope, bool]  # a node, its scope, whether something may be found in it

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
    """A parsed module, indexed.

    `lines` are the offsets of the lines that statements start, as far as they are given; `told`
    the nodes in those of them that are given for that, all where none are.
    """

    def __init__(
        self, root: cst.Module, starts: Sequence[int] = (), told: Set[int] | None = None
    ) -> None:
        self.root = root
        self.lines = by_line(root, starts)
        self.nodes: dict[type[cst.CSTNode], list[cst.CSTNode]] = defaultdict(list)
        self.told = self.nodes
        self._told_by: dict[cst.CSTNode, bool] = {}
        if told is not None and self.lines:
            self.told = defaultdict(list)
            self._told_by = {node: line in told for node, line in self.lines.items()}
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
        separate = self.told is not self.nodes
        stack: list[Entry] = [(self.root, self.scopes[self.root], True)]
        while stack:
            node, scope, told = stack.pop()
            kind = type(node)
            self.nodes[kind].append(node)
            if separate and (told := self._told_by.get(node, told)):
                self.told[kind].append(node)
            self._scope[node] = scope
            inner = scope
            if kind in OPENS:
                inner = self.scopes[node] = Scope(node, scope)
            if kind in BINDS:
                bind(node, scope, inner)
            if kind not in IMPORTS:
                self._add_children((node, scope, told), inner, stack)

    def _add_children(self, entry: Entry, inner: Scope, stack: list[Entry]) -> None:
        """Put the nodes directly below one that refer to something on the stack, the first last."""
        node, scope, told = entry
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
                if is_node(child):
                    self.parents[child] = node
                    if name not in labels or type(child) is not cst.Name:
                        stack.append((child, place, told))


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a type of node that hold more than layout, the last first."""
    return content(kind)[::-1]
