"""NL605: a setting that chooses a kernel or a library made for CUDA."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Fix, Match, Module, Rule, Severity, read_table
from neuronlint.guards import last_name

from .arguments import drop
from .facts import MESSAGE

rule = Rule(
    "NL605",
    "cuda-switch",
    MESSAGE,
    __name__,
    Severity.WARNING,
    triggers=(
        *("flash_attention_2", "flash_attention_3", "kernels-community", "apex", "bitsandbytes"),
        *("load_in_4bit", "load_in_8bit", "_8bit", "_32bit", "_bnb", "ademamix", "paged_adamw"),
        *("fused", "capturable", "xformers_memory_efficient_attention"),
    ),
)

_DECLARES = frozenset({"add_argument", "add_option", "option", "Option"})
_XFORMERS = "enable_xformers_memory_efficient_attention"


@rule.check
def cuda_switch(
    node: cst.Arg | cst.Param | cst.Assign | cst.AnnAssign | cst.DictElement, module: Module
) -> Iterator[Match]:
    """A setting by its name and value."""
    rows = read_table(__name__, "switches.toml")
    for name, value in _settings(node, module):
        literal = _literal(value)
        if literal is None or (row := rows.get(f"{name}={literal}")) is None:
            continue
        fix = None
        if row.new and isinstance(value, cst.SimpleString):
            text = f"{value.quote}{row.new}{value.quote}"
            fix = Fix((module.replace(value, text),), Applicability.UNSAFE, row.since)
        yield _match(node, name, value, row.note, row.instead, fix)


@rule.check
def cuda_optimizer(node: cst.Call, module: Module) -> Iterator[Match]:
    """A switch of an optimizer in torch.optim."""
    if not (module.name(node.func) or "").startswith("torch.optim."):
        return
    rows = read_table(__name__, "optimizers.toml")
    for arg in node.args:
        name = arg.keyword.value if arg.keyword else ""
        row = rows.get(f"{name}={_literal(arg.value)}")
        if row is not None:
            edit = drop(arg, module) if row.new else None
            fix = Fix((edit,), Applicability.UNSAFE, row.since) if edit else None
            yield _match(arg, name, arg.value, row.note, row.instead, fix)


@rule.check
def cuda_attention(node: cst.Attribute, module: Module) -> Iterator[Match]:
    """The method of a diffusion pipeline that switches xFormers on."""
    call = module.parent(node)
    if node.attr.value == _XFORMERS and isinstance(call, cst.Call) and call.func is node:
        if not module.guards.optional(node):
            note = "needs the xformers package"
            instead = "leave it out: torch's own attention is the default"
            yield rule.match(node.attr, old=f"{_XFORMERS}()", note=note, instead=instead)


def _match(
    node: cst.CSTNode, name: str, value: cst.BaseExpression, note: str, instead: str, fix: Fix | None
) -> Match:
    shown = value.value if isinstance(value, (cst.SimpleString, cst.Name)) else ""
    return rule.match(node, fix, old=f"{name}={shown}", note=note, instead=instead)


def _settings(node: cst.CSTNode, module: Module) -> Iterator[tuple[str, cst.BaseExpression]]:
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
                yield _target(one.target), value
        case cst.DictElement(key=cst.SimpleString() as key, value=value):
            yield str(key.evaluated_value), value


def _target(target: cst.BaseExpression) -> str:
    match target:
        case cst.Subscript(
            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
        ):
            return str(key.evaluated_value)
        case _:
            return last_name(target)


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


def _literal(value: cst.BaseExpression) -> str | None:
    match value:
        case cst.SimpleString():
            return str(value.evaluated_value)
        case cst.Name("True"):
            return "True"
        case _:
            return None
