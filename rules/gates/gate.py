"""Which questions decide that a program or a test goes no further without CUDA."""

from __future__ import annotations

import re
from enum import Enum, auto

import libcst as cst

from neuronlint import Module, dotted, keyword_of, last_name, names_backend

PORTABLE = {
    "torch.cuda.is_available": "torch.accelerator.is_available",
    "torch.cuda.device_count": "torch.accelerator.device_count",
}
_STOPS = frozenset({"sys.exit", "exit", "quit", "os._exit", "pytest.exit", "parser.error"})
_SKIPS = frozenset({"pytest.skip", "self.skipTest", "unittest.skip"})
# Functions whose early return leaves nothing done: the program, or one test of it.
_ENTRIES = re.compile(r"_*(?:main|test|setup)\w*|run|cli|demo", re.IGNORECASE)


class Gate(Enum):
    """What happens without CUDA."""

    STOP = auto()  # the program ends with an error
    SKIP = auto()  # a test, or the whole program, is passed over in silence


def is_gate(call: cst.Call, module: Module) -> bool:
    """Whether a call asks for CUDA only to stop or skip where it is not."""
    return gate(call, module) is not None


def gate(call: cst.Call, module: Module) -> Gate | None:
    """What happens where the answer is that there is no CUDA, None if the program goes on."""
    if module.name(call.func) not in PORTABLE:
        return None
    condition, holds = _condition(call, module)
    parent = module.parent(condition)
    match parent:
        case cst.Assert(test=test) if test is condition and holds:
            return Gate.STOP
        case cst.If(test=test, body=body) if test is condition:
            return _end(_otherwise(parent) if holds else body, module)
        case cst.Arg():
            return Gate.SKIP if _skips(parent, holds, module) else None
        case _:
            return None


def names_others(call: cst.Call, module: Module) -> bool:
    """Whether the condition that holds a question asks for other accelerators beside CUDA."""
    return names_backend(_condition(call, module)[0])


def skip_condition(call: cst.Call) -> tuple[cst.BaseExpression, bool] | None:
    """The condition of `skipIf`, `skipUnless` and the like, and whether it must hold to go on."""
    name = last_name(call.func).lower()
    if "skip" not in name or not name.endswith(("if", "unless")):
        return None
    for position, arg in enumerate(call.args):
        keyword = keyword_of(arg)
        if keyword == "condition" or (position == 0 and not keyword and not arg.star):
            return arg.value, name.endswith("unless")
    return None


def _condition(call: cst.Call, module: Module) -> tuple[cst.BaseExpression, bool | None]:
    """The whole condition that a question is part of, and whether its yes helps that to hold."""
    node: cst.BaseExpression = call
    holds: bool | None = True
    while True:
        match parent := module.parent(node):
            case cst.UnaryOperation(operator=cst.Not()):
                holds = None if holds is None else not holds
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget() as target]):
                counted = _compared(target) if left is node else None
                holds = None if holds is None or counted is None else holds == counted
            case cst.BooleanOperation():
                pass
            case _:
                return node, holds
        node = parent


def _compared(target: cst.ComparisonTarget) -> bool | None:
    """Whether a comparison holds where CUDA is, for a number of devices or for a truth value."""
    match target.operator, target.comparator:
        case (cst.LessThan() | cst.LessThanEqual(), _):
            return False
        case (cst.GreaterThan() | cst.GreaterThanEqual(), _):
            return True
        case (cst.Equal() | cst.Is(), value):
            return not _is_nothing(value)
        case (cst.NotEqual() | cst.IsNot(), value):
            return _is_nothing(value)
        case _:
            return None


def _is_nothing(value: cst.BaseExpression) -> bool:
    match value:
        case cst.Integer(value="0") | cst.Name(value="False"):
            return True
        case _:
            return False


def _otherwise(choice: cst.If) -> cst.BaseSuite | None:
    return choice.orelse.body if isinstance(choice.orelse, cst.Else) else None


def _end(block: cst.BaseSuite | None, module: Module) -> Gate | None:
    """How a block ends, if what comes after it is not reached."""
    last = block.body[-1] if block is not None and block.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    match last:
        case cst.Raise(exc=raised):
            skipped = raised is not None and "SkipTest" in _called(raised, module)
            return Gate.SKIP if skipped else Gate.STOP
        case cst.Expr(value=cst.Call() as call):
            name = _called(call, module)
            return Gate.STOP if name in _STOPS else Gate.SKIP if name in _SKIPS else None
        case cst.Return(value=value):
            function = module.enclosing(last, cst.FunctionDef)
            entry = function is not None and _ENTRIES.fullmatch(function.name.value)
            skipped = value is not None and "skip" in _called(value, module).lower()
            return Gate.SKIP if entry or skipped else None
        case _:
            return None


def _called(node: cst.BaseExpression, module: Module) -> str:
    """The name of what a call calls, or of a class that is raised without a call."""
    function = node.func if isinstance(node, cst.Call) else node
    return module.name(function) or dotted(function) or ""


def _skips(argument: cst.Arg, holds: bool | None, module: Module) -> bool:
    call = module.parent(argument)
    found = skip_condition(call) if isinstance(call, cst.Call) else None
    return found is not None and found[0] is argument.value and found[1] == holds
