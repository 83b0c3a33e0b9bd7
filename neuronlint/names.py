"""Which imported thing a name in the source stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import libcst as cst

from neuronlint.nodes import dotted, is_constant, last_name
from neuronlint.scopes import Binding, Scope
from neuronlint.tree import Tree

_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+torch\b", re.MULTILINE)
_UNBOUND = "torch"  # where a star import may bind it, the name torch can mean only one thing


class Names:
    """The imports of one module and their aliases, followed through scopes.

    A name with two meanings (`try: from torch.amp import autocast`, `except ImportError:
    from torch.cuda.amp import autocast`) has none: a missed finding costs less than a
    wrong rewrite.
    """

    def __init__(self, tree: Tree, text: bytes = b"") -> None:
        self._tree = tree
        self._imports_elsewhere = _IMPORT.search(text) is not None  # where nobody has to look
        self._known: dict[cst.CSTNode, str | None] = {}
        self._written: dict[tuple[str, Scope], list[tuple[str, str, list[Binding]]]] = {}

    def qualified(self, node: cst.CSTNode) -> str | None:
        """The dotted name a reference stands for: `tc.synchronize` is `torch.cuda.synchronize`.

        Only what an import binds has one; `f(x).attr` has not.
        """
        if node not in self._known:
            self._known[node] = None  # an alias of itself ends here
            self._known[node] = self._resolve(node)
        return self._known[node]

    def bindings(self, name: cst.Name) -> list[Binding]:
        """Everything that binds a name in the nearest scope that binds it."""
        return self._tree.scope(name).lookup(name.value)

    def value(self, name: cst.CSTNode) -> cst.BaseExpression | None:
        """The expression that a name is assigned, if it is bound once and as a whole."""
        if isinstance(name, cst.Name) and len(found := self.bindings(name)) == 1:
            return found[0].value
        return None

    def local(self, qualified: str, at: cst.CSTNode) -> str | None:
        """The shortest way to write a dotted name at a place with the imports there are.

        Only what is surely bound there; else what the code at the place goes by already; else what
        the module tries to import.
        """
        sure, own, maybe = [], [], []
        for name, way, found in self._ways(qualified, self._tree.scope(at)):
            if self._is_sure(found, at):
                sure.append(way)
            elif _root(at) == name:
                own.append(way)
            elif self._is_tried(found):
                maybe.append(way)
        return min(sure or own or maybe, key=lambda way: (len(way), way), default=None)

    def _ways(self, qualified: str, scope: Scope) -> list[tuple[str, str, list[Binding]]]:
        """The imported names of a scope by which a dotted name can be written, and how."""
        if (qualified, scope) not in self._written:
            ways = self._written[qualified, scope] = []
            for name in _reachable(scope):
                found = scope.lookup(name)
                full = self._imported(found)
                if full and (qualified == full or qualified.startswith(f"{full}.")):
                    ways.append((name, name + qualified.removeprefix(full), found))
        return self._written[qualified, scope]

    def is_taken(self, name: str, at: cst.CSTNode) -> bool:
        """Whether a name means something at a place, were it only what is not yet bound."""
        found = self._tree.scope(at).lookup(name)
        return any(not self._is_for_types(binding.node) for binding in found)

    @cached_property
    def loads_torch(self) -> bool:
        """Whether the file loads torch whenever it is loaded itself, as far as its imports tell.

        An import in a `try`, an `if` or a function does not; a file that imports it under no name
        of its own (by a star, not at all) is taken for one that has it.
        """
        bound = (
            b for s in self._tree.scopes.values() for found in s.bindings.values() for b in found
        )
        imports = [
            b.node
            for b in bound
            if b.imported
            and b.imported.partition(".")[0] == _UNBOUND
            and not self._is_for_types(b.node)
        ]
        if not imports:
            return not self._imports_elsewhere
        return any(self._block(one)[0] is self._tree.root for one in imports)

    def _is_sure(self, found: list[Binding], at: cst.CSTNode) -> bool:
        """Whether one of the imports that bind a name has run when a place is reached."""
        return any(b.imported and self._comes_first(b.node, at) for b in found)

    def _comes_first(self, statement: cst.CSTNode, at: cst.CSTNode) -> bool:
        """Whether a statement has run when a place is reached: it stands before, in a block of it.

        One of a module may stand behind a function; whoever calls that comes later.
        """
        block, line = self._block(statement)
        place, inside, later = at, at, False
        while place is not block:
            if place is self._tree.root:
                return False
            inside, place = place, self._tree.parents[place]
            later |= isinstance(place, cst.FunctionDef) and inside is place.body
        body: list[cst.CSTNode] = []
        if isinstance(block, (cst.Module, cst.IndentedBlock)):
            body += block.body
        if later and block is self._tree.root:
            return True
        if line is inside and isinstance(line, cst.SimpleStatementLine):
            body, line, inside = [*line.body], statement, self._within(line, at)
        return line in body and inside in body and body.index(line) < body.index(inside)

    def _within(self, holder: cst.CSTNode, node: cst.CSTNode) -> cst.CSTNode:
        """The part directly below a node in which another one lies."""
        while self._tree.parents[node] is not holder:
            node = self._tree.parents[node]
        return node

    def _block(self, statement: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
        """The block that a statement surely runs with, and the part of that with it.

        The body of a `try` counts with the block around it if every handler leaves that.
        """
        line = self._tree.parents[statement]
        block = self._tree.parents[line]
        while isinstance(tried := self._tree.parents.get(block), (cst.Try, cst.TryStar)):
            if block is not tried.body or not all(_leaves(h.body) for h in tried.handlers):
                break
            line, block = tried, self._tree.parents[tried]
        return block, line

    def _is_tried(self, found: list[Binding]) -> bool:
        """Whether the module tries to import a name, as it does for a library that may lack."""
        tried = (self._tree.parents.get(self._block(b.node)[0]) for b in found if b.imported)
        return any(
            isinstance(one, (cst.Try, cst.TryStar)) and self._tree.parents[one] is self._tree.root
            for one in tried
        )

    def _imported(self, found: list[Binding]) -> str | None:
        """What a name means that an import binds, and nothing binds to something else."""
        real = [b for b in found if not is_constant(b.value, "None")]
        if not any(b.imported for b in real) or any(self._is_for_types(b.node) for b in real):
            return None
        return self._meaning(real)

    def _is_for_types(self, node: cst.CSTNode) -> bool:
        """Whether an import is for type checkers only."""
        for above in self._tree.above(node):
            match above:
                case cst.If(
                    test=cst.Name("TYPE_CHECKING") | cst.Attribute(attr=cst.Name("TYPE_CHECKING"))
                ):
                    return True
        return False

    def imports(self, qualified: str) -> list[Binding]:
        """The module-level imports that bind exactly this dotted name."""
        scope = self._tree.scopes[self._tree.root]
        return [b for found in scope.bindings.values() for b in found if b.imported == qualified]

    def _resolve(self, node: cst.CSTNode) -> str | None:
        match node:
            case cst.Name():
                return self._root(node)
            case cst.Attribute(value=value, attr=cst.Name(value=attribute)):
                root = self.qualified(value)
                return f"{root}.{attribute}" if root else None
            case cst.Call(
                func=cst.Name("getattr"),
                args=[cst.Arg(value=value), cst.Arg(value=cst.SimpleString() as attribute)],
            ):
                root = self.qualified(value)
                return f"{root}.{attribute.evaluated_value!s}" if root else None
            case _:
                return None

    def _root(self, name: cst.Name) -> str | None:
        found = self.bindings(name)
        if not found and name.value == _UNBOUND:
            return _UNBOUND
        return self._meaning(found)

    def _meaning(self, found: list[Binding]) -> str | None:
        """What all bindings of a name agree on; `torch = None` for a missing torch is no other."""
        meant = {self._one_meaning(b) for b in found if not is_constant(b.value, "None")}
        return meant.pop() if len(meant) == 1 else None

    def _one_meaning(self, binding: Binding) -> str | None:
        if binding.imported is not None:
            return binding.imported
        match binding.value:
            case cst.Attribute() | cst.Name():
                return self.qualified(binding.value)
            case _:
                return None


def _reachable(scope: Scope) -> Iterator[str]:
    """The names that imports bind in a scope and those around it."""
    reach: Scope | None = scope
    while reach is not None:
        yield from (name for name in reach.imports if name != "*")
        reach = reach.outer


def _root(node: cst.CSTNode) -> str:
    """The name that a chain of attributes, or a call of one, starts with."""
    named = dotted(node.func if isinstance(node, cst.Call) else node) or ""
    return named.partition(".")[0]


def _leaves(block: cst.BaseSuite) -> bool:
    """Whether a block ends by leaving what is around it: an error, or the end of the program."""
    last = block.body[-1] if block.body else None
    match last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last:
        case cst.Raise():
            return True
        case cst.Expr(value=cst.Call(func=function)):
            return last_name(function) in ("exit", "quit", "_exit")
        case _:
            return False
