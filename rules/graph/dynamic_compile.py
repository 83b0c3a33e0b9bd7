"""NL808: torch.compile told to expect shapes that change."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, is_constant, keyword_of

rule = Rule(
    "NL808",
    "dynamic-compile",
    "`dynamic=True` compiles for shapes that change, which not every backend can; leave it out, "
    "and keep the shapes the same",
    __name__,
    triggers=("dynamic",),
    whole=True,
    optional=True,
)


@rule.check
def dynamic_compile(node: cst.Call, module: Module) -> Iterator[Match]:
    name = module.name(node.func)
    if name == "functools.partial" and node.args:
        name = module.name(node.args[0].value)
    if name == "torch.compile":
        for arg in node.args:
            if keyword_of(arg) == "dynamic" and is_constant(arg.value, "True"):
                yield rule.match(arg)
