"""The devices of a module: the texts that mean CUDA, their places, and the names that hold one."""

from __future__ import annotations

import libcst as cst

from neuronlint.held import Held, Holders
from neuronlint.names import Names
from neuronlint.nodes import last_name, target_name
from neuronlint.receivers import Receivers
from neuronlint.roles import Role, Roles, is_device_name, says_cuda
from neuronlint.spelled import CudaText, Spelled
from neuronlint.tree import Tree


class Devices:
    """The devices of one module."""

    def __init__(self, tree: Tree, names: Names, receivers: Receivers) -> None:
        self._tree = tree
        self._spelled = Spelled(names)
        self._roles = Roles(tree, names, receivers)
        self._holders = Holders(tree, names, self._spelled)

    def text(self, node: cst.CSTNode) -> CudaText | None:
        """The CUDA device that an expression spells as text, if it does."""
        return self._spelled.text(node)

    def object(self, node: cst.CSTNode) -> CudaText | None:
        """The CUDA device that a call of torch.device makes, if it does."""
        return self._spelled.object(node)

    def role(self, node: cst.CSTNode) -> Role:
        """What the place of a text expects, seen through conditional expressions and the like."""
        return self._roles.role(node)

    def is_named_cuda(self, node: cst.BaseExpression) -> bool:
        """Whether a value is that of a variable that says CUDA by its name."""
        match self._tree.parents[node]:
            case cst.Assign(targets=goals):
                return any(says_cuda(target_name(goal.target)) for goal in goals)
            case cst.AnnAssign(target=target):
                return says_cuda(target_name(target))
            case _:
                return False

    def held(self, at: cst.CSTNode) -> Held | None:
        """The name that holds the program's device at a place: a variable, `self.device`."""
        return self._holders.held(at)

    def is_device(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a device, its type or its text, by how it is written."""
        match node:
            case cst.Attribute(attr=cst.Name("type")):
                return True
            case cst.Call(func=cst.Name("str" | "repr"), args=[cst.Arg(value=inner)]):
                return self.is_device(inner)
            case cst.Call(func=cst.Attribute(attr=cst.Name("lower" | "strip")) as method):
                return self.is_device(method.value)
            case cst.Call(func=function):
                return "device" in last_name(function)
            case cst.Subscript(
                value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]
            ):
                named = isinstance(key, cst.SimpleString) and str(key.evaluated_value)
                return is_device_name(named) if named else self.is_device(value)
            case _:
                return is_device_name(last_name(node))
