"""Which name holds the program's device already."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from neuronlint.conditions import BACKENDS
from neuronlint.names import Names
from neuronlint.nodes import below, dotted
from neuronlint.scopes import Binding
from neuronlint.spelled import Spelled
from neuronlint.tree import Tree

DEVICE_NAMES = ("device", "DEVICE", "dev", "_device", "torch_device")  # in the order they are tried
_OTHERS = BACKENDS | {"cpu"}


@dataclass(frozen=True)
class Held:
    """A name that holds the device at some place, and whether it holds it as text."""

    text: str
    is_text: bool
    certain: bool = True  # False where a caller decides what it holds
    settled: bool = True  # False where only an unsafe fix makes it hold any accelerator


class Holders:
    """The names of one module that hold a device."""

    def __init__(self, tree: Tree, names: Names, spelled: Spelled) -> None:
        self._tree = tree
        self._names = names
        self._spelled = spelled

    def held(self, at: cst.CSTNode) -> Held | None:
        """The name that holds the program's device at a place: a variable, `self.device`."""
        for name in DEVICE_NAMES:
            found = self._tree.scope(at).lookup(name)
            if len(found) == 1 and (held := self._bound(name, found[0], at)):
                return held
        return self._own(at)

    def _bound(self, name: str, binding: Binding, at: cst.CSTNode) -> Held | None:
        if isinstance(binding.node, cst.Param):
            return self._parameter(name, binding.node)
        if binding.value is None or not self._always_runs(binding.node, at):
            return None
        kind = self._chosen(binding.value)
        return (
            None
            if kind is None
            else Held(name, kind == "text", settled=self._settled(binding.value))
        )

    def _settled(self, value: cst.BaseExpression) -> bool:
        """Whether a choice holds the device, or will by a safe fix: it has no number of CUDA's."""
        if isinstance(value, cst.IfExp) and not self._asks_for_cuda(value.test):
            return False
        for node in below(value):
            found = self._spelled.object(node) or self._spelled.text(node)
            if found is not None and found.index is not None:
                return False
        return True

    def _asks_for_cuda(self, test: cst.BaseExpression) -> bool:
        """Whether a choice is torch's own to make, not that of a user's flag."""
        names = {self._names.qualified(n.func) for n in below(test) if isinstance(n, cst.Call)}
        if isinstance(test, cst.Name) and (value := self._names.value(test)) is not None:
            return self._asks_for_cuda(value)
        return bool(names & {"torch.cuda.is_available", "torch.accelerator.is_available"})

    def _parameter(self, name: str, parameter: cst.Param) -> Held | None:
        if isinstance(parameter.annotation, cst.Annotation) and parameter.default is None:
            annotated = self._names.qualified(parameter.annotation.annotation)
            return Held(name, False, certain=False) if annotated == "torch.device" else None
        kind = parameter.default and self._chosen(parameter.default)
        return Held(name, kind == "text", certain=False) if kind else None

    def _chosen(self, value: cst.BaseExpression) -> str | None:
        """Whether an expression is the program's choice of a device: as `text`, as an `object`."""
        match value:
            case cst.IfExp(body=body, orelse=orelse):
                chosen = [self._chosen(body), self._chosen(orelse)]
                kinds = {chosen[0] or self._other(body), chosen[1] or self._other(orelse)}
                return kinds.pop() if len(kinds) == 1 and any(chosen) else None
            case cst.Call(func=function, args=[cst.Arg(value=inner)]) if (
                self._names.qualified(function) == "torch.device"
            ):
                return "object" if self._chosen(inner) == "text" else None
            case _:
                return self._choice(value)

    def _choice(self, value: cst.BaseExpression) -> str | None:
        found = self._spelled.text(value)
        if found:
            return "text" if found.index in (None, "0") else None
        found = self._spelled.object(value)
        if found:
            return "object" if found.index in (None, "0") else None
        match value:
            case cst.Call(func=function):
                name = self._names.qualified(function)
                return "object" if name == "torch.accelerator.current_accelerator" else None
            case cst.Attribute(value=call, attr=cst.Name("type")):
                return "text" if self._choice(call) == "object" else None
            case cst.Name(value="DEVICE"):
                inner = self._names.value(value)
                return self._chosen(inner) if inner is not None else None
            case _:
                return None

    def _other(self, value: cst.BaseExpression) -> str | None:
        """Whether an expression is the CPU or an accelerator other than CUDA, in the same terms."""
        match value:
            case cst.SimpleString():
                return "text" if value.evaluated_value in _OTHERS else None
            case cst.IfExp(body=body, orelse=orelse):
                kinds = {self._other(body), self._other(orelse)}
                return kinds.pop() if len(kinds) == 1 else None
            case cst.Call(func=function, args=[cst.Arg(value=inner)]):
                is_device = self._names.qualified(function) == "torch.device"
                return "object" if is_device and self._other(inner) else None
            case _:
                return None

    def _always_runs(self, node: cst.CSTNode, at: cst.CSTNode) -> bool:
        """Whether a statement stands directly in a module or function body, and before a use."""
        line = self._tree.parents[node]
        block = self._tree.parents.get(line)
        owner = block
        if block is not None and not isinstance(block, cst.Module):
            owner = self._tree.parents.get(block)
        if not isinstance(owner, (cst.Module, cst.FunctionDef)):
            return False
        user = at
        while user is not self._tree.root and self._tree.parents[user] is not block:
            user = self._tree.parents[user]
        body = getattr(block, "body", ())
        if isinstance(body, cst.BaseSuite):  # the block is a suite's owner: `def f(): x = 1`
            return False
        return user in body and body.index(line) < body.index(user)

    def _own(self, at: cst.CSTNode) -> Held | None:
        """`self.device`, where `__init__` sets it and the use is in another method."""
        method, owner = self._method(at)
        if method is None or owner is None or method.name.value == "__init__":
            return None
        if not any(p.name.value == "self" for p in method.params.params):
            return None
        values = self._fields.get(owner, [])
        kinds = {self._chosen(value) for value in values}
        if len(values) != 1 or None in kinds:
            return None
        return Held("self.device", kinds == {"text"}, settled=False)  # a subclass may set another

    def _method(self, at: cst.CSTNode) -> tuple[cst.FunctionDef | None, cst.ClassDef | None]:
        method = None
        while at is not self._tree.root:
            inside, at = at, self._tree.parents[at]
            if isinstance(at, cst.FunctionDef):
                method = at if inside is at.body else None  # a decorator knows no `self`
            elif isinstance(at, cst.ClassDef):
                return method, at
        return None, None

    @cached_property
    def _fields(self) -> dict[cst.ClassDef, list[cst.BaseExpression]]:
        """What each class assigns to `self.device`."""
        found: dict[cst.ClassDef, list[cst.BaseExpression]] = {}
        for assign in self._tree.nodes.get(cst.Assign, []):
            if isinstance(assign, cst.Assign):
                goals = [g for g in assign.targets if dotted(g.target) == "self.device"]
                owner = self._method(assign)[1] if goals else None
                if owner is not None:
                    found.setdefault(owner, []).extend(assign.value for _ in goals)
        return found
