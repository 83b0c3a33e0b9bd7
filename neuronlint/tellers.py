"""What the uses of a name tell: that it holds a tensor."""

from __future__ import annotations

import libcst as cst

from neuronlint import tensor_names as names_of
from neuronlint.names import Names
from neuronlint.nodes import dotted
from neuronlint.scopes import Binding
from neuronlint.tree import Tree

_Key = tuple[str, Binding]


class Tellers:
    """The names and fields of one module that are used as only tensors can be."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names
        self._told: set[_Key] = set()
        for node in tree.nodes.get(cst.Attribute, []):
            if isinstance(node, cst.Attribute) and self._tells(node):
                self._add(node.value)
        for node in tree.nodes.get(cst.Call, []):
            if isinstance(node, cst.Call) and node.args and self._takes_tensor(node):
                self._add(node.args[0].value)

    def tell(self, node: cst.BaseExpression) -> bool:
        """Whether a name or field is used so."""
        return self._key(node) in self._told

    def _add(self, node: cst.BaseExpression) -> None:
        if (key := self._key(node)) is not None:
            self._told.add(key)

    def _key(self, node: cst.BaseExpression) -> _Key | None:
        """A name or a chain of fields, in the scope that binds its root."""
        text = dotted(node)
        root: cst.BaseExpression = node
        while isinstance(root, cst.Attribute):
            root = root.value
        if text is None or text in ("self", "cls") or not isinstance(root, cst.Name):
            return None
        bindings = self._names.bindings(root)
        if not bindings or self._names.qualified(root) is not None:
            return None
        return text, bindings[0]

    def _tells(self, node: cst.Attribute) -> bool:
        name = node.attr.value
        call = self._tree.parents[node]
        if not isinstance(call, cst.Call) or call.func is not node:
            return name in names_of.GRADIENT
        if name == "backward":  # of an engine or a wrapper, it takes the loss
            return not any(arg.keyword is None for arg in call.args)
        return name in names_of.TELLING

    def _takes_tensor(self, call: cst.Call) -> bool:
        """Whether the first argument of a call can only be a tensor."""
        if call.args[0].keyword is not None or call.args[0].star:
            return False
        if (name := self._names.qualified(call.func)) is not None:
            package, _, last = name.rpartition(".")
            reads = last in names_of.COMPUTE or last in names_of.MASKS or last == "max"
            return package == "torch.nn.functional" or (package == "torch" and reads)
        if not isinstance(call.func, cst.Attribute):
            return False
        last = call.func.attr.value
        if last == "scale":  # scaler.scale(loss).backward()
            outer = self._tree.parents[call]
            return isinstance(outer, cst.Attribute) and outer.attr.value == "backward"
        return last in ("backward", "manual_backward")
