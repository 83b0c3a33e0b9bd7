"""Which expressions are tensors beyond doubt."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from functools import cached_property

import libcst as cst

from neuronlint import tensor_names as names_of
from neuronlint.annotations import alternatives
from neuronlint.fields import Fields
from neuronlint.names import Names
from neuronlint.nodes import dotted, is_constant, keyword_of, last_name
from neuronlint.scopes import Binding
from neuronlint.tellers import Tellers
from neuronlint.tree import Tree

_TYPES = frozenset({"torch.Tensor", "torch.FloatTensor", "torch.LongTensor", "torch.nn.Parameter"})
_COMPARES = (cst.Equal, cst.NotEqual, cst.LessThan, cst.LessThanEqual, cst.GreaterThan)
_PLAIN = (cst.BaseNumber, cst.BaseString, cst.BaseList, cst.BaseSet, cst.BaseDict, cst.Lambda)


class Kind(Enum):
    """What an expression is, as far as the file tells."""

    TENSOR = auto()
    MASK = auto()  # a tensor of truth values
    TENSORS = auto()  # several of them: a tuple
    OTHER = auto()
    UNKNOWN = auto()


_BUILT_IN = frozenset({"bool", "int", "float", "str", "dict", "list", "tuple"} | {"List", "Dict"})
# Of two alternatives the one that promises less.
_RANKS = (Kind.UNKNOWN, Kind.OTHER, Kind.TENSORS, Kind.TENSOR, Kind.MASK)
_ONE = (Kind.TENSOR, Kind.MASK)


class Tensors:
    """The tensors of one module."""

    def __init__(self, tree: Tree, names: Names, fields: Fields) -> None:
        self._tree = tree
        self._names = names
        self._fields = fields
        self._known: dict[cst.CSTNode, Kind] = {}

    def holds(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a tensor beyond doubt."""
        return self.kind(node) in _ONE

    def masks(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a tensor of truth values beyond doubt."""
        return self.kind(node) is Kind.MASK

    def kind(self, node: cst.BaseExpression) -> Kind:
        """What an expression is; one that leads back to itself is unknown."""
        if node not in self._known:
            self._known[node] = Kind.UNKNOWN
            self._known[node] = self._kind(node)
        return self._known[node]

    @cached_property
    def _tellers(self) -> Tellers:
        return Tellers(self._tree, self._names)

    def _kind(self, node: cst.BaseExpression) -> Kind:
        match node:
            case cst.Name():
                return self._named(node)
            case cst.Attribute():
                return self._attribute(node)
            case cst.Call():
                return self._call(node)
            case cst.BinaryOperation(left=left, operator=operator, right=right):
                return self._operation(self.kind(left), operator, self.kind(right))
            case cst.UnaryOperation(operator=operator, expression=inner):
                return Kind.OTHER if isinstance(operator, cst.Not) else self.kind(inner)
            case cst.Comparison(left=left, comparisons=comparisons):
                return self._comparison(left, comparisons)
            case cst.Subscript(value=whole, slice=[cst.SubscriptElement(slice=part), *_]):
                return self._part(self.kind(whole), part)
            case cst.IfExp(body=body, orelse=orelse):
                kinds = {self.kind(body), self.kind(orelse)}
                return Kind.OTHER if Kind.OTHER in kinds else min(kinds, key=_RANKS.index)
            case cst.NamedExpr(value=value):
                return self.kind(value)
            case cst.Tuple():
                return Kind.OTHER
            case _:
                return Kind.OTHER if isinstance(node, _PLAIN) else Kind.UNKNOWN

    def _part(self, whole: Kind, part: cst.BaseSlice) -> Kind:
        if whole is Kind.TENSORS:
            return Kind.TENSORS if isinstance(part, cst.Slice) else Kind.TENSOR
        return whole if whole in _ONE else Kind.UNKNOWN

    def _operation(self, left: Kind, operator: cst.BaseBinaryOp, right: Kind) -> Kind:
        if left is Kind.MASK and right is Kind.MASK:
            logical = isinstance(operator, (cst.BitAnd, cst.BitOr, cst.BitXor))
            return Kind.MASK if logical else Kind.TENSOR
        if left in _ONE or (right in _ONE and not isinstance(operator, cst.Modulo)):
            return Kind.TENSOR
        return Kind.OTHER if left is right is Kind.OTHER else Kind.UNKNOWN

    def _comparison(
        self, left: cst.BaseExpression, comparisons: Sequence[cst.ComparisonTarget]
    ) -> Kind:
        target = comparisons[0]
        right = target.comparator
        compares = isinstance(target.operator, (*_COMPARES, cst.GreaterThanEqual))
        if len(comparisons) > 1 or not compares:
            return Kind.OTHER
        if is_constant(right, "None") or isinstance(right, cst.BaseString):
            return Kind.OTHER
        kinds = (self.kind(left), self.kind(right))
        if any(kind in _ONE for kind in kinds):
            return Kind.MASK
        return Kind.OTHER if kinds == (Kind.OTHER, Kind.OTHER) else Kind.UNKNOWN

    # -- calls --

    def _call(self, call: cst.Call) -> Kind:
        name = self._names.qualified(call.func)
        if name is not None:
            return self._function(name, call)
        function = call.func
        kind = self._method(call, function) if isinstance(function, cst.Attribute) else Kind.UNKNOWN
        if kind is not Kind.UNKNOWN:
            return kind
        if isinstance(call.func, cst.Name) and call.func.value in ("float", "int", "bool", "len"):
            return Kind.UNKNOWN if self._names.bindings(call.func) else Kind.OTHER
        return Kind.TENSOR if self._is_layer(call.func) else Kind.UNKNOWN

    def _function(self, name: str, call: cst.Call) -> Kind:
        """What a call of an imported function gives."""
        package, _, last = name.rpartition(".")
        if package == "torch.nn.functional":
            several = {keyword_of(arg) for arg in call.args} & {"return_indices", "need_weights"}
            return Kind.UNKNOWN if several or last.endswith("forward") else Kind.TENSOR
        if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
            return Kind.TENSOR
        if package == "torch":
            if last in names_of.CREATE or last in names_of.COMBINE:
                return Kind.MASK if _is_boolean(call) else Kind.TENSOR
            return self._computed(last, call, 1)
        return Kind.OTHER if name.startswith(("numpy.", "math.", "random.")) else Kind.UNKNOWN

    def _method(self, call: cst.Call, function: cst.Attribute) -> Kind:
        """What a method gives, called on a tensor or by its name on nothing else."""
        last = function.attr.value
        owner = self.kind(function.value)
        if owner not in _ONE:
            return Kind.UNKNOWN
        if last in names_of.ON_HOST:
            return Kind.OTHER
        kind = self._computed(last.rstrip("_"), call, 0)
        if kind is Kind.UNKNOWN and last in names_of.METHODS:
            changes = last in ("any", "all", "bool") or _is_boolean(call)
            kind = Kind.MASK if changes else Kind.TENSOR
        keeps = ("to", "view", "reshape", "squeeze", "unsqueeze", "expand", "flatten", "clone")
        return owner if kind is Kind.TENSOR and last in (*keeps, "detach", "t") else kind

    def _computed(self, last: str, call: cst.Call, given: int) -> Kind:
        """What a function of torch, or a tensor's method, gives for a tensor."""
        if last in names_of.MASKS:
            return Kind.MASK
        if last in names_of.BY_DIMENSION:
            told = len(call.args) - given
            return Kind.TENSOR if told == 0 else self._by_dimension(call.args[given:])
        if last in names_of.SEVERAL:
            return Kind.TENSORS
        if last in names_of.COMPUTE:
            return Kind.TENSOR
        return Kind.UNKNOWN

    def _by_dimension(self, more: Sequence[cst.Arg]) -> Kind:
        """Two tensors for a dimension; one for another tensor."""
        first = more[0]
        if keyword_of(first) == "dim" or isinstance(first.value, (cst.Integer, cst.UnaryOperation)):
            return Kind.TENSORS
        return Kind.TENSOR if self.holds(first.value) else Kind.UNKNOWN

    def _is_layer(self, function: cst.BaseExpression) -> bool:
        """Whether a name or a field holds a module of torch that gives one tensor."""
        values = [self._names.value(function)] if isinstance(function, cst.Name) else []
        if isinstance(function, cst.Attribute):
            values = list(self._fields.values(function))
        return bool(values) and all(value and self._is_built(value) for value in values)

    def _is_built(self, value: cst.BaseExpression) -> bool:
        match value:
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("to" | "cuda"))):
                return self._is_built(inner)
            case cst.Call(func=function, args=arguments):
                name = self._names.qualified(function) or ""
                if name == "torch.nn.Sequential":
                    return all(not a.star and self._is_built(a.value) for a in arguments)
                known = name.startswith("torch.nn.") and last_name(function)[:1].isupper()
                return known and last_name(function) not in names_of.NO_TENSOR
            case cst.IfExp(body=body, orelse=orelse):
                return self._is_built(body) and self._is_built(orelse)
            case _:
                return False

    # -- names and fields --

    def _attribute(self, node: cst.Attribute) -> Kind:
        if self._names.qualified(node) is not None:
            return Kind.OTHER
        owner = self.kind(node.value)
        if owner is Kind.TENSORS and node.attr.value in ("values", "indices"):
            return Kind.TENSOR
        if owner in _ONE:
            return owner if node.attr.value in ("T", "data", "mT") else Kind.OTHER
        values = list(self._fields.values(node))
        return self._agreed([self.kind(value) for value in values], node)

    def _named(self, name: cst.Name) -> Kind:
        if name.value in ("True", "False"):
            return Kind.OTHER
        bindings = self._names.bindings(name)
        kinds = [self._bound(one, name.value) for one in bindings if not self._is_neutral(one)]
        return self._agreed(kinds, name)

    def _agreed(self, kinds: list[Kind], node: cst.BaseExpression) -> Kind:
        """What all that a name was given is; what is not known may be told by its uses."""
        found = set(kinds) or {Kind.UNKNOWN}
        if found == {Kind.TENSOR, Kind.MASK}:
            return Kind.TENSOR
        if found <= {Kind.UNKNOWN, *_ONE} and Kind.UNKNOWN in found:
            return Kind.TENSOR if self._tellers.tell(node) else Kind.UNKNOWN
        if len(found) == 1:
            return found.pop()
        return Kind.OTHER if found == {Kind.OTHER} else Kind.UNKNOWN

    def _is_neutral(self, binding: Binding) -> bool:
        return isinstance(binding.node, cst.AugAssign) or is_constant(binding.value, "None")

    def _bound(self, binding: Binding, name: str) -> Kind:
        node = binding.node
        if binding.value is not None:
            return self.kind(binding.value)
        match node:
            case cst.Param(annotation=cst.Annotation(annotation=annotation)):
                return self._annotated(annotation)
            case cst.Param(default=default) if default is not None:
                constant = is_constant(default, "True") or is_constant(default, "False")
                return Kind.OTHER if constant or isinstance(default, _PLAIN) else Kind.UNKNOWN
            case cst.For(iter=iterated) | cst.CompFor(iter=iterated):
                whole = isinstance(node.target, cst.Name)
                return (
                    self._part(self.kind(iterated), cst.Index(iterated)) if whole else Kind.UNKNOWN
                )
            case cst.Assign(value=value, targets=[cst.AssignTarget(target=cst.Tuple() as target)]):
                return self._unpacked(value, target, name)
            case cst.ClassDef() | cst.FunctionDef() | cst.Import() | cst.ImportFrom():
                return Kind.OTHER
            case _:
                return Kind.UNKNOWN

        return Kind.UNKNOWN

    def _unpacked(self, value: cst.BaseExpression, target: cst.Tuple, name: str) -> Kind:
        """A part of a tuple that is assigned to several names."""
        if isinstance(value, cst.Tuple) and len(value.elements) == len(target.elements):
            for goal, given in zip(target.elements, value.elements, strict=True):
                if isinstance(goal.value, cst.Name) and goal.value.value == name:
                    return self.kind(given.value)
        kind = self.kind(value)
        if kind is Kind.TENSORS or kind in _ONE:
            return Kind.TENSOR
        return kind

    def _annotated(self, annotation: cst.BaseExpression) -> Kind:
        """What an annotation promises, `None` beside it or not."""
        types = list(alternatives(annotation))
        named = [self._names.qualified(one) or "" for one in types]
        if named and all(name in _TYPES for name in named):
            return Kind.TENSOR
        if named == ["torch.BoolTensor"]:
            return Kind.MASK
        return Kind.OTHER if any(last_name(one) in _BUILT_IN for one in types) else Kind.UNKNOWN


def _is_boolean(call: cst.Call) -> bool:
    """Whether a call is told that its result holds truth values."""
    types = [arg.value for arg in call.args if keyword_of(arg) in ("dtype", "")]
    return any(dotted(one) == "torch.bool" for one in types)
