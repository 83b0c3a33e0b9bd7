"""Which text means a CUDA device, and which object is one."""

from __future__ import annotations

import re
from dataclasses import dataclass

import libcst as cst

from neuronlint.names import Names

_CUDA = re.compile(r"cuda(?::(\d+))?")


@dataclass(frozen=True)
class CudaText:
    """A text that names CUDA: `"cuda"`, `"cuda:0"`, `f"cuda:{rank}"`, `"cuda:%d" % rank`."""

    node: cst.BaseExpression
    index: cst.BaseExpression | str | None = None  # the device's number: an expression, or digits


class Spelled:
    """The CUDA devices that one module spells out."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def text(self, node: cst.CSTNode) -> CudaText | None:
        """The CUDA device that an expression spells as text, if it does."""
        match node:
            case cst.SimpleString():
                if "cuda" not in node.value:  # to evaluate a text takes a hundred times as long
                    return None
                value = node.evaluated_value
                found = _CUDA.fullmatch(value) if isinstance(value, str) else None
                return CudaText(node, found[1]) if found else None
            case cst.FormattedString(
                parts=[
                    cst.FormattedStringText(value="cuda:"),
                    cst.FormattedStringExpression(
                        expression=index, conversion=None, format_spec=None
                    ),
                ]
            ):
                return CudaText(node, _number(index))
            case cst.BinaryOperation(
                left=cst.SimpleString() as text, operator=cst.Add(), right=right
            ):
                return self._added(node, text, right)
            case cst.BinaryOperation(
                left=cst.SimpleString() as text, operator=cst.Modulo(), right=index
            ) if text.evaluated_value in ("cuda:%d", "cuda:%s", "cuda:%i"):
                return None if isinstance(index, cst.Tuple) else CudaText(node, _number(index))
            case cst.Call(
                func=cst.Attribute(value=cst.SimpleString() as text, attr=cst.Name("format")),
                args=[cst.Arg(value=index, keyword=None, star="")],
            ) if text.evaluated_value in ("cuda:{}", "cuda:{0}"):
                return CudaText(node, _number(index))
            case _:
                return None

    def _added(
        self, node: cst.BinaryOperation, text: cst.SimpleString, right: cst.BaseExpression
    ) -> CudaText | None:
        if text.evaluated_value != "cuda:":
            return None
        match right:
            case cst.Call(func=cst.Name("str"), args=[cst.Arg(value=index)]):
                return CudaText(node, _number(index))
            case _:
                return CudaText(node, right)

    def object(self, node: cst.CSTNode) -> CudaText | None:
        """The CUDA device that a call of torch.device makes, if it does."""
        if not isinstance(node, cst.Call) or self._names.qualified(node.func) != "torch.device":
            return None
        match node.args:
            case [cst.Arg(value=first)]:
                return self.text(first)
            case [cst.Arg(value=first), cst.Arg(value=index)] if found := self.text(first):
                return CudaText(first, _number(index)) if found.index is None else None
            case _:
                return None


def _number(index: cst.BaseExpression) -> cst.BaseExpression | str:
    """A device's number, as digits where it is written so."""
    return index.value if isinstance(index, cst.Integer) else index
