"""Settings: a name with a value, wherever a program may set one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Module, last_name, target_name

_DECLARES = frozenset({"add_argument", "add_option", "option", "Option"})


def settings(node: cst.CSTNode, module: Module) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The name and the value of each setting that a node makes."""
    match node:
        case cst.Arg(keyword=cst.Name("default"), value=value):
            if option := _option(module.parent(node)):
                yield option, value
        case cst.Arg(keyword=cst.Name(name), value=value):
            yield name, value
        case cst.Param(name=cst.Name(name), default=cst.BaseExpression() as value):
            yield name, value
        case cst.AnnAssign(target=target, value=cst.BaseExpression() as value):
            yield last_name(target), _default(value)
        case cst.Assign(targets=targets, value=value):
            for one in targets:
                yield target_name(one.target), value
        case cst.DictElement(key=cst.SimpleString() as key, value=value):
            yield str(key.evaluated_value), value


def _option(call: cst.CSTNode) -> str:
    """The name under which a command-line option arrives."""
    match call:
        case cst.Call(func=function, args=[cst.Arg(value=cst.SimpleString() as text), *_]):
            if last_name(function) in _DECLARES:
                return str(text.evaluated_value).lstrip("-").replace("-", "_")
    return ""


def _default(value: cst.BaseExpression) -> cst.BaseExpression:
    """The value of a field, which `field(default=...)` may hold."""
    match value:
        case cst.Call(func=cst.Name("field" | "Field"), args=args):
            named = (arg.value for arg in args if arg.keyword and arg.keyword.value == "default")
            return next(named, value)
        case _:
            return value


def literal(value: cst.BaseExpression) -> str | None:
    """The text that a value is, or `True`."""
    match value:
        case cst.SimpleString():
            return str(value.evaluated_value)
        case cst.Name("True"):
            return "True"
        case _:
            return None
