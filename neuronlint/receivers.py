"""Whose method a call is: a tensor's or module's, or that of somebody's own class."""

from __future__ import annotations

from enum import Enum, auto

import libcst as cst

from neuronlint.names import Names
from neuronlint.nodes import last_name
from neuronlint.scopes import Binding
from neuronlint.tree import Tree

_MOVES = frozenset({"device", "non_blocking", "memory_format", "async"})


class Receiver(Enum):
    """What an object is, as far as the file tells."""

    TORCH = auto()  # a tensor, a module, a storage
    FOREIGN = auto()  # an object of a class with its own `cuda` method, a class, a Python module
    UNKNOWN = auto()


class Receivers:
    """The objects of one module."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names

    def moved(self, call: cst.Call) -> Receiver:
        """What the receiver of `x.cuda(...)` is; foreign where the arguments are no move's."""
        if not isinstance(call.func, cst.Attribute) or not _moves(call):
            return Receiver.FOREIGN
        if self.is_own_cuda(call):
            return Receiver.FOREIGN
        return self.kind(call.func.value)

    def method(self, call: cst.Call) -> cst.FunctionDef | None:
        """The method that a call is one of, where its object's class is defined in this file."""
        if not isinstance(call.func, cst.Attribute):
            return None
        owner = self._class_of(call.func.value)
        return self._defined(call.func.attr.value, owner, set()) if owner is not None else None

    def maker(self, call: cst.Call) -> cst.FunctionDef | None:
        """The `__init__` that a call runs, where it makes an object of a class of this file."""
        owner = self._class_named(call.func) if isinstance(call.func, cst.Name) else None
        return self._defined("__init__", owner, set()) if owner is not None else None

    def _class_of(self, value: cst.BaseExpression) -> cst.ClassDef | None:
        """The class of this file that an expression surely is an object of."""
        match value:
            case cst.Call(func=cst.Name() as name):
                return self._class_named(name)
            case cst.Name("self" | "cls"):
                classes = (one for one in self._tree.above(value) if isinstance(one, cst.ClassDef))
                return next(classes, None)
            case cst.Name():
                bound = self._names.bindings(value)
                only = bound[0].node if len(bound) == 1 else None
                if isinstance(only, cst.Param) and only.annotation is not None:
                    named = only.annotation.annotation
                    return self._class_named(named) if isinstance(named, cst.Name) else None
                made = self._names.value(value)
                return self._class_of(made) if isinstance(made, cst.Call) else None
            case _:
                return None

    def _class_named(self, name: cst.Name) -> cst.ClassDef | None:
        nodes = (binding.node for binding in self._names.bindings(name))
        return next((node for node in nodes if isinstance(node, cst.ClassDef)), None)

    def _defined(
        self, name: str, owner: cst.ClassDef, seen: set[cst.ClassDef]
    ) -> cst.FunctionDef | None:
        """The method of a name that a class has, or one that it is derived from."""
        if owner in seen:
            return None
        for statement in owner.body.body:
            if isinstance(statement, cst.FunctionDef) and statement.name.value == name:
                return statement
        bases = (base.value for base in owner.bases)
        above = (self._class_named(base) for base in bases if isinstance(base, cst.Name))
        found = (self._defined(name, one, {*seen, owner}) for one in above if one is not None)
        return next((one for one in found if one is not None), None)

    def kind(self, value: cst.BaseExpression) -> Receiver:
        """What an expression is."""
        return self._kind(value, set()) or Receiver.UNKNOWN

    def _kind(self, value: cst.BaseExpression, seen: set[Binding]) -> Receiver | None:
        """What an expression is, None where it leads back to what has been seen."""
        name = self._names.qualified(value)
        if name is not None:
            return self._imported(value, name)
        match value:
            case cst.Call(func=cst.Name("super")):
                return Receiver.FOREIGN
            case cst.Call(func=function):
                return self._called(function, seen)
            case cst.Subscript(value=whole):
                return self._kind(whole, seen)  # a part of a tensor or of a list of modules
            case cst.Name("self") | cst.Name("cls"):
                return self._own(value)
            case cst.Name():
                return self._named(value, seen)
            case _:
                return Receiver.UNKNOWN

    def _imported(self, value: cst.BaseExpression, name: str) -> Receiver:
        """A Python module or a class has no tensor to move; other imported things may be models."""
        root = value
        while isinstance(root, cst.Attribute):
            root = root.value
        if isinstance(root, cst.Name):
            for binding in self._names.bindings(root):
                if isinstance(binding.node, cst.Import) or last_name(value)[:1].isupper():
                    return Receiver.FOREIGN
        return Receiver.FOREIGN if name == "torch" else Receiver.UNKNOWN

    def _called(self, function: cst.BaseExpression, seen: set[Binding]) -> Receiver | None:
        name = self._names.qualified(function) or ""
        if name.startswith(("torch.", "torchvision.models.", "timm.create_model")):
            return Receiver.TORCH
        if isinstance(function, cst.Name):
            return self._built(function)
        if isinstance(function, cst.Attribute) and not name:
            return self._kind(function.value, seen)  # x.float(), x[0].long(): still a tensor
        return Receiver.UNKNOWN

    def _built(self, name: cst.Name) -> Receiver:
        """An object of a class that this file defines."""
        owner = self._class_named(name)
        return self._class(owner) if owner is not None else Receiver.UNKNOWN

    def _named(self, name: cst.Name, seen: set[Binding]) -> Receiver | None:
        """What all bindings of a name agree on; `x = x.float()` adds nothing to the others."""
        bindings = self._names.bindings(name)
        found = [binding for binding in bindings if binding not in seen]
        seen.update(found)
        kinds = {self._bound(b.node, b.value, seen) for b in found} - {None}
        if Receiver.FOREIGN in kinds:
            return Receiver.FOREIGN
        if not kinds:
            return None if bindings else Receiver.UNKNOWN
        return Receiver.TORCH if kinds == {Receiver.TORCH} else Receiver.UNKNOWN

    def _bound(
        self, node: cst.CSTNode, value: cst.BaseExpression | None, seen: set[Binding]
    ) -> Receiver | None:
        match node:
            case cst.ClassDef():
                return Receiver.FOREIGN
            case cst.Param(annotation=cst.Annotation(annotation=annotation)):
                return self._annotated(annotation)
            case _ if value is not None:
                return self._kind(value, seen)
            case _:
                return Receiver.UNKNOWN

    def _annotated(self, annotation: cst.BaseExpression) -> Receiver:
        name = self._names.qualified(annotation) or ""
        if name in ("torch.Tensor", "torch.nn.Module", "torch.nn.Parameter"):
            return Receiver.TORCH
        return self._built(annotation) if isinstance(annotation, cst.Name) else Receiver.UNKNOWN

    def _own(self, node: cst.CSTNode) -> Receiver:
        classes = (one for one in self._tree.above(node) if isinstance(one, cst.ClassDef))
        owner = next(classes, None)
        return self._class(owner) if owner is not None else Receiver.UNKNOWN

    def _class(self, node: cst.ClassDef) -> Receiver:
        if self._defined("cuda", node, set()) is not None:
            return Receiver.FOREIGN
        bases = [self._names.qualified(base.value) or "" for base in node.bases]
        if any(name.startswith("torch.nn.") or name == "torch.Tensor" for name in bases):
            return Receiver.TORCH
        return Receiver.UNKNOWN

    def is_own_cuda(self, node: cst.CSTNode) -> bool:
        """Whether code lies in a method called `cuda`: moving to CUDA is what it promises."""
        functions = (one for one in self._tree.above(node) if isinstance(one, cst.FunctionDef))
        return any(function.name.value == "cuda" for function in functions)


def _moves(call: cst.Call) -> bool:
    keywords = {arg.keyword.value for arg in call.args if arg.keyword}
    starred = any(arg.star for arg in call.args)
    return len(call.args) <= 3 and keywords <= _MOVES and not starred
