"""NL605: a setting that chooses a kernel or a library made for CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Fix, Match, Module, Rule, Severity, keyword_of, read_table

from .arguments import drop
from .facts import MESSAGE
from .settings import literal, settings

_SWITCHES = read_table(__name__, "switches.toml")
_NUMBER = re.compile(r"\d\w*$")
_OPTIMIZERS = read_table(__name__, "optimizers.toml")


def _told_by(name: str, value: str) -> tuple[str, ...]:
    """What tells of a setting: its value as a text, or its name where any may have the value.

    An option has that name with dashes; a number in it is no word to be looked up by.
    """
    return (name, _NUMBER.sub("*", name.replace("_", "-"))) if value == "True" else (f"'{value}'",)


rule = Rule(
    "NL605",
    "cuda-switch",
    MESSAGE,
    __name__,
    Severity.WARNING,
    triggers=(
        *sorted({word for setting in _SWITCHES for word in _told_by(*setting.split("="))}),
        *(*_OPTIMIZERS, "enable_xformers_memory_efficient_attention"),
    ),
)

# bitsandbytes has kernels for some other devices; whether yours is one is for the library to say.
_SERVED_ELSEWHERE = frozenset({"load_in_4bit", "load_in_8bit"})
_XFORMERS = "enable_xformers_memory_efficient_attention"


@rule.check
def cuda_switch(
    node: cst.Arg | cst.Param | cst.Assign | cst.AnnAssign | cst.DictElement, module: Module
) -> Iterator[Match]:
    """A setting by its name and value."""
    for name, value in settings(node, module):
        text = literal(value)
        if text is None or (row := _SWITCHES.get(f"{name}={text}")) is None:
            continue
        fix = None
        if row.new and isinstance(value, cst.SimpleString):
            new = f"{value.quote}{row.new}{value.quote}"
            fix = Fix((module.replace(value, new),), Applicability.UNSAFE, row.since)
        yield _match(node, name, value, row.note, row.instead, fix)


@rule.check
def cuda_optimizer(node: cst.Call, module: Module) -> Iterator[Match]:
    """A switch of an optimizer in torch.optim."""
    if not (module.name(node.func) or "").startswith("torch.optim."):
        return
    for arg in node.args:
        name = keyword_of(arg)
        row = _OPTIMIZERS.get(f"{name}={literal(arg.value)}")
        if row is not None:
            edit = drop(arg, module) if row.new else None
            fix = Fix((edit,), Applicability.UNSAFE, row.since) if edit else None
            yield _match(arg, name, arg.value, row.note, row.instead, fix)


@rule.check
def cuda_attention(node: cst.Attribute, module: Module) -> Iterator[Match]:
    """The method of a diffusion pipeline that switches xFormers on."""
    call = module.parent(node)
    if node.attr.value != _XFORMERS or not isinstance(call, cst.Call) or call.func is not node:
        return
    if not module.guards.optional(node):
        note = "needs the xformers package"
        instead = "leave it out: torch's own attention is the default"
        old = f"{_XFORMERS}()"
        yield rule.match(node.attr, symbol="xformers", old=old, note=note, instead=instead)


def _match(
    node: cst.CSTNode,
    name: str,
    value: cst.BaseExpression,
    note: str,
    instead: str,
    fix: Fix | None,
) -> Match:
    shown = value.value if isinstance(value, (cst.SimpleString, cst.Name)) else ""
    severity = Severity.INFO if name in _SERVED_ELSEWHERE else None
    return rule.match(
        *(node, fix),
        severity=severity,
        symbol=f"{name}={literal(value)}",
        old=f"{name}={shown}",
        note=note,
        instead=instead,
    )
