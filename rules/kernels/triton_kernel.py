"""NL602: Triton, imported without need to fail, and kernels written in it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

from .facts import is_optional, libraries

rule = Rule(
    "NL602",
    "triton-kernel",
    "`{old}` compiles for the GPUs that Triton has a backend for; "
    "keep a form in torch operators for other devices",
    __name__,
    Severity.ERROR,
    triggers=("must import triton", "jit as"),
    context=("jit",),
)

_KERNELS = frozenset({"triton.jit", "triton.runtime.jit.jit", "triton.experimental.gluon.jit"})


@rule.check
def triton_import(node: cst.Import | cst.ImportFrom, module: Module) -> Iterator[Match]:
    """Triton, where its import must succeed."""
    for name in libraries(node, module):
        if name.partition(".")[0] == "triton" and not module.guards.optional(node):
            yield rule.match(node, symbol=name, old=name)
            return


@rule.check
def triton_kernel(node: cst.Decorator, module: Module) -> Iterator[Match]:
    """A kernel, at the decorator that compiles it."""
    used = node.decorator.func if isinstance(node.decorator, cst.Call) else node.decorator
    name = module.name(used)
    if name in _KERNELS and not is_optional(used, module) and not module.guards.optional(node):
        yield rule.match(node.decorator, symbol=name, old=f"@{name}")
