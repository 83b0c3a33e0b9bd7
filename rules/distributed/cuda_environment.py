"""NL505: an environment variable that only CUDA's own libraries read."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity, last_name, read_table

from .variables import row_of_variable

rule = Rule(
    "NL505",
    "cuda-environment",
    "`{name}` is read by CUDA's own libraries only; {instead}",
    __name__,
    Severity.INFO,
    triggers=tuple(read_table(__name__, "environment.toml")),
)

_WRITES = frozenset({"setdefault", "putenv", "setenv"})


@rule.check
def cuda_environment_entry(node: cst.Assign, module: Module) -> Iterator[Match]:
    for goal in node.targets:
        match goal.target:
            case cst.Subscript(
                slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
            ):
                yield from _match(key, str(key.evaluated_value), node.value)


@rule.check
def cuda_environment_call(node: cst.Call, module: Module) -> Iterator[Match]:
    match node.args:
        case [cst.Arg(value=cst.SimpleString() as key), cst.Arg(value=value), *_]:
            if last_name(node.func) in _WRITES:
                yield from _match(key, str(key.evaluated_value), value)
    for arg in node.args:
        if arg.keyword:
            yield from _match(arg, arg.keyword.value, arg.value)


@rule.check
def cuda_environment_dict(node: cst.DictElement, module: Module) -> Iterator[Match]:
    if isinstance(node.key, cst.SimpleString):
        yield from _match(node.key, str(node.key.evaluated_value), node.value)


def _match(node: cst.CSTNode, name: str, value: cst.BaseExpression) -> Iterator[Match]:
    text = str(value.evaluated_value) if isinstance(value, cst.SimpleString) else None
    if (row := row_of_variable(name, text)) is not None:
        yield rule.match(node, symbol=name, name=name, instead=row.instead)
