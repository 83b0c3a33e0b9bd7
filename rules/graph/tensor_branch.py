"""NL802: a condition on a tensor's value in every step."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import HOT, Match, Module, Rule

rule = Rule(
    "NL802",
    "tensor-branch",
    "`{test}` is a tensor, and to branch on it waits for the device in {hot} and ends a compiled "
    "graph; {instead}",
    __name__,
    triggers=HOT,
    whole=True,
    optional=True,
)

_CHOOSE = "`torch.where` chooses on the device"
_CHECK = "check every so many steps"


@rule.check
def branch(node: cst.If | cst.While | cst.IfExp, module: Module) -> Iterator[Match]:
    yield from _asked(node.test, module, _CHOOSE if not _stops(node) else _CHECK)


@rule.check
def checked(node: cst.Assert, module: Module) -> Iterator[Match]:
    yield from _asked(node.test, module, _CHECK)


def _asked(test: cst.BaseExpression, module: Module, instead: str) -> Iterator[Match]:
    for one in _parts(test):
        if module.tensors.holds(one) and (hot := module.hot.at(one)):
            text = module.text(one).split("\n")[0]
            yield rule.match(one, test=text, hot=hot, instead=instead)


def _parts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What a condition asks, one by one."""
    match test:
        case cst.BooleanOperation(left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            yield from _parts(inner)
        case cst.Call(func=cst.Name("bool")):  # a read of its own
            return
        case _:
            yield test


def _stops(node: cst.If | cst.While | cst.IfExp) -> bool:
    """Whether a branch only stops the program."""
    if not isinstance(node, cst.If):
        return False
    last = node.body.body[-1]
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Raise)
