"""What a condition says about CUDA when it holds, or when it does not."""

from __future__ import annotations

import re
from enum import Flag, auto
from itertools import chain

import libcst as cst

from neuronlint.names import Names
from neuronlint.nodes import below, is_constant, last_name

BACKENDS = frozenset(
    {"xpu", "mps", "npu", "hpu", "neuron", "neuronx", "mlu", "musa", "tpu", "xla", "rocm", "hip"}
)


class Known(Flag):
    """Facts that hold where a piece of code runs."""

    NOTHING = 0
    NAMED = auto()  # a flag that says CUDA by its name is set: `args.cuda`, `use_gpu`
    AVAILABLE = auto()  # torch.cuda.is_available() held
    DEVICE = auto()  # the device at hand is a CUDA one: `x.is_cuda`, `device.type == "cuda"`
    BRANCH = auto()  # other backends have code of their own beside it, or it is only patched
    OLDER = auto()  # it is for a torch without the portable form, which is beside it
    ACCELERATOR = auto()  # some accelerator is there, or the program has stopped before

    @property
    def cuda(self) -> bool:
        """Whether the code runs only where CUDA is, and other devices pass it by."""
        return bool(self & (Known.NAMED | Known.AVAILABLE | Known.DEVICE))

    @property
    def accelerated(self) -> bool:
        """Whether an accelerator is certain to be there."""
        return bool(self & (Known.AVAILABLE | Known.ACCELERATOR))


_CUDA_PROBES = {
    "torch.cuda.is_available": Known.AVAILABLE,
    "torch.cuda.device_count": Known.AVAILABLE,
    "torch.cuda.is_bf16_supported": Known.AVAILABLE,
    "torch.cuda.get_device_capability": Known.AVAILABLE,
    "torch.cuda.is_initialized": Known.AVAILABLE,
    "torch.version.cuda": Known.NAMED,  # of the build; a GPU may be missing
    "torch.backends.cuda.is_built": Known.NAMED,
    "torch.backends.cudnn.is_available": Known.NAMED,
    "torch.utils.cpp_extension.CUDA_HOME": Known.NAMED,
    "torch.accelerator.is_available": Known.ACCELERATOR,
}
_VALUES = frozenset({"torch.version.cuda", "torch.utils.cpp_extension.CUDA_HOME"})
_CUDA_FLAG = re.compile(
    r"(?:(?:use|has|have|is|on|with|enable|run|n|num|test|want)_*)*"
    r"(?:cuda|n?gpus?)(?:_(?:is_)?(?:available|enabled|only|alike|ids?|count|device|devices))?"
)
_CPU_FLAG = re.compile(
    r"(?:no|not|disable|without)_*(?:use_)?(?:cuda|gpu)|(?:use_|is_|on_)?cpu(?:_only)?"
)


class Conditions:
    """The conditions of one module."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._meant: dict[tuple[cst.BaseExpression, bool], Known] = {}

    def means(self, test: cst.BaseExpression, holds: bool) -> Known:
        """What a condition says about CUDA when it holds, or when it does not."""
        match test:
            case cst.UnaryOperation(operator=cst.Not(), expression=inner):
                return self.means(inner, not holds)
            case cst.BooleanOperation(left=left, operator=operator, right=right):
                both = self.means(left, holds), self.means(right, holds)
                if isinstance(operator, cst.And) == holds:
                    return both[0] | both[1]
                return both[0] & both[1]
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget() as target]):
                return self._comparison(left, target, holds)
            case cst.IfExp(test=inner, body=cst.Name("True"), orelse=cst.Name("False")):
                return self.means(inner, holds)
            case cst.NamedExpr(value=inner):
                return self.means(inner, holds)
            case cst.Call(func=cst.Name("bool"), args=[cst.Arg(value=inner)]):
                return self.means(inner, holds)
            case cst.Call(func=cst.Attribute(attr=cst.Name("startswith")), args=[arg]) if holds:
                return Known.DEVICE if is_cuda_string(arg.value) else Known.NOTHING
            case _:
                return self._flag(test, holds)

    def _comparison(
        self, left: cst.BaseExpression, target: cst.ComparisonTarget, holds: bool
    ) -> Known:
        right = target.comparator
        match target.operator:
            case cst.Equal() | cst.Is() if is_cuda_string(left) or is_cuda_string(right):
                return Known.DEVICE if holds else Known.NOTHING
            case cst.NotEqual() | cst.IsNot() if is_cuda_string(left) or is_cuda_string(right):
                return Known.NOTHING if holds else Known.DEVICE
            case cst.In() | cst.NotIn() if is_cuda_string(left):
                return (
                    Known.DEVICE if holds == isinstance(target.operator, cst.In) else Known.NOTHING
                )
            case cst.Equal() if _is_none_of(right):
                return self.means(left, not holds)
            case cst.NotEqual() if _is_none_of(right):
                return self.means(left, holds)
            case cst.GreaterThan() | cst.GreaterThanEqual():
                return _as_sure(self.means(left, holds), right)
            case cst.LessThan():
                return _as_sure(self.means(left, not holds), right)
            case cst.IsNot():
                return _as_sure(self.means(left, holds), right)
            case cst.Is() if is_constant(right, "True"):
                return self.means(left, holds)
            case cst.Is():
                return _as_sure(self.means(left, not holds), right)
            case _:
                return Known.NOTHING

    def _flag(self, test: cst.BaseExpression, holds: bool) -> Known:
        if isinstance(test, cst.Name) and (value := self._names.value(test)):
            if (value, holds) not in self._meant:
                self._meant[value, holds] = Known.NOTHING  # a flag set from itself ends here
                self._meant[value, holds] = self.means(value, holds)
            return self._meant[value, holds]
        called = isinstance(test, cst.Call)
        asked = test.func if isinstance(test, cst.Call) else test
        if (name := self._names.qualified(asked)) in _CUDA_PROBES and holds:
            return _CUDA_PROBES[name] if called or name in _VALUES else Known.NOTHING
        if name == "torch.cuda" or (called and last_name(asked) == "hasattr"):
            return self._has_cuda(test) if holds else Known.NOTHING
        flag = last_name(asked)
        if flag == "is_cuda":
            return Known.DEVICE if holds else Known.NOTHING
        if _CUDA_FLAG.fullmatch(flag.lower()):
            return Known.NAMED if holds else Known.NOTHING
        return Known.NAMED if not holds and _CPU_FLAG.fullmatch(flag.lower()) else Known.NOTHING

    def _has_cuda(self, test: cst.BaseExpression) -> Known:
        match test:
            case cst.Call(args=[_, cst.Arg(value=cst.SimpleString() as name)]):
                return Known.NAMED if name.evaluated_value == "cuda" else Known.NOTHING
            case _:
                return Known.NOTHING


def names_backend(*expressions: cst.CSTNode) -> bool:
    """Whether any of these mentions an accelerator other than CUDA, in a name or a string."""
    for node in chain.from_iterable(map(below, expressions)):
        match node:
            case cst.Name(value=text) | cst.SimpleString(value=text):
                if not BACKENDS.isdisjoint(re.split(r"[^a-z]+", text.lower())):
                    return True
    return False


def is_cuda_string(node: cst.CSTNode) -> bool:
    """Whether an expression is the text "cuda", or torch.device of it."""
    match node:
        case cst.SimpleString():
            return "cuda" in node.value and str(node.evaluated_value).partition(":")[0] == "cuda"
        case cst.Call(func=function, args=[cst.Arg(value=cst.SimpleString() as text), *_]):
            return last_name(function) == "device" and is_cuda_string(text)
        case _:
            return False


def _is_none_of(node: cst.BaseExpression) -> bool:
    """Whether a number says that there is no device: 0 of them, or number -1."""
    match node:
        case cst.Integer("0"):
            return True
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer("1")):
            return True
        case _:
            return False


def _as_sure(known: Known, right: cst.BaseExpression) -> Known:
    """What is known by a comparison: with a number all of it, else no more than a name tells."""
    if isinstance(right, (cst.Integer, cst.Tuple)):
        return known
    return Known.NAMED if known.cuda else Known.NOTHING
