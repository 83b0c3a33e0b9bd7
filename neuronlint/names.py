"""Which imported thing a name in the source stands for."""

from __future__ import annotations

import libcst as cst

from neuronlint.nodes import is_constant
from neuronlint.scopes import Binding
from neuronlint.tree import Tree

_UNBOUND = "torch"  # where a star import may bind it, the name torch can mean only one thing


class Names:
    """The imports of one module and their aliases, followed through scopes.

    A name with two meanings (`try: from torch.amp import autocast`, `except ImportError:
    from torch.cuda.amp import autocast`) has none: a missed finding costs less than a
    wrong rewrite.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[cst.CSTNode, str | None] = {}

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
        """The shortest way to write a dotted name at a place with the imports there are."""
        ways = []
        scope = self._tree.scope(at)
        reach = scope
        while reach is not None:
            for name in reach.bindings:
                full = self._imported(scope.lookup(name)) if name != "*" else None
                if full and (qualified == full or qualified.startswith(f"{full}.")):
                    ways.append(name + qualified.removeprefix(full))
            if reach.outer is None:
                break
            reach = reach.outer
        return min(ways, key=lambda way: (len(way), way), default=None)

    def _imported(self, found: list[Binding]) -> str | None:
        """What a name means that is bound by imports alone, which run before it is used."""
        real = [b for b in found if not is_constant(b.value, "None")]
        if any(b.imported is None or self._is_for_types(b.node) for b in real):
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
