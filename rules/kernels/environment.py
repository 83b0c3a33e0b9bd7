"""Environment variables that a program sets for itself."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from neuronlint import Module

_SETS = frozenset({"os.environ.setdefault", "os.putenv", "os.environ.__setitem__"})


@dataclass(frozen=True)
class Setting:
    """A variable's name, and its value where that is a text."""

    name: str
    value: str


def setting(node: cst.Assign | cst.Call, module: Module) -> Setting | None:
    """The environment variable that an assignment or a call sets, if it does."""
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript() as target)], value=value):
            if module.name(target.value) == "os.environ":
                return _setting(_key(target), value)
        case cst.Call(func=function, args=[cst.Arg(value=name), cst.Arg(value=value)]):
            if module.name(function) in _SETS:
                return _setting(name, value)
    return None


def _key(target: cst.Subscript) -> cst.BaseExpression | None:
    match target.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=key))]:
            return key
        case _:
            return None


def _setting(name: cst.BaseExpression | None, value: cst.BaseExpression) -> Setting | None:
    if not isinstance(name, cst.SimpleString):
        return None
    text = str(value.evaluated_value) if isinstance(value, cst.SimpleString) else ""
    return Setting(str(name.evaluated_value), text)
