"""What the place of a backend's name does with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

import libcst as cst

from neuronlint import Module, keyword_of, last_name, target_name

from .backend import names_backend

_OPTIONS = frozenset({"add_argument", "add_option", "option", "Option", "Argument"})
_READS = frozenset({"get", "getenv", "getattr", "pop", "setdefault"})
_STARTS = re.compile(r"init|setup|distributed|process_group|launch|spawn")


class Place(Enum):
    """Where a backend is named."""

    USED = auto()  # a call of torch.distributed, a variable or an option of the program
    EARLY = auto()  # a default, which is worked out when the file is imported
    CALLED = auto()  # handed to a function that may know other names
    OTHER = auto()


def place(node: cst.CSTNode, module: Module) -> Place:
    """What happens to the value of an expression; choices and `or` are looked through."""
    parent = module.parent(node)
    match parent:
        case cst.IfExp(test=test):
            return Place.OTHER if test is node else place(parent, module)
        case cst.BooleanOperation():
            return place(parent, module)
        case cst.Arg():
            return _argument(parent, module)
        case cst.Param(name=name):
            return Place.EARLY if names_backend(name.value) else Place.OTHER
        case cst.Assign(targets=goals):
            return _assigned([goal.target for goal in goals], parent, module)
        case cst.AnnAssign(target=target) | cst.NamedExpr(target=target):
            return _assigned([target], parent, module)
        case cst.DictElement(key=cst.SimpleString() as key, value=value) if value is node:
            return Place.USED if names_backend(str(key.evaluated_value)) else Place.OTHER
        case cst.Return():
            function = module.enclosing(parent, cst.FunctionDef)
            named_so = function is not None and "backend" in function.name.value
            return Place.USED if named_so else Place.OTHER
        case _:
            return Place.OTHER


def _assigned(
    targets: Sequence[cst.BaseExpression], statement: cst.CSTNode, module: Module
) -> Place:
    if not any(names_backend(target_name(target)) for target in targets):
        return Place.OTHER
    owner = module.enclosing(statement, cst.ClassDef, cst.FunctionDef)
    return Place.EARLY if isinstance(owner, cst.ClassDef) else Place.USED


def _argument(argument: cst.Arg, module: Module) -> Place:
    call = module.parent(argument)
    if not isinstance(call, cst.Call):
        return Place.OTHER
    keyword = keyword_of(argument)
    position = call.args.index(argument)
    called = last_name(call.func)
    if called in _OPTIONS:
        option = any(names_backend(_text(arg)) for arg in call.args)
        return Place.USED if keyword == "default" and option else Place.OTHER
    if called == "init_process_group":
        return (
            Place.USED if keyword == "backend" or (not keyword and position == 0) else Place.OTHER
        )
    if called == "new_group":
        return (
            Place.USED if keyword == "backend" or (not keyword and position == 2) else Place.OTHER
        )
    if called in ("field", "Field") and (keyword == "default" or not keyword):
        return Place.EARLY if place(call, module) is not Place.OTHER else Place.OTHER
    if called in _READS and position:
        named_so = names_backend(_text(call.args[position - 1]))
        return Place.USED if named_so else Place.OTHER
    if keyword:
        return Place.CALLED if names_backend(keyword) else Place.OTHER
    return Place.CALLED if _STARTS.search(called.lower()) and "is_" not in called else Place.OTHER


def _text(argument: cst.Arg) -> str:
    value = argument.value
    return str(value.evaluated_value) if isinstance(value, cst.SimpleString) else ""
