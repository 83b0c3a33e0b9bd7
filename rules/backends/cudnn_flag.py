"""NL301: a setting of cuDNN."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

from .settings import CUDNN, setting_of

rule = Rule(
    "NL301",
    "cudnn-flag",
    "`{old}` is read by cuDNN only, so it does nothing on other devices{instead}",
    __name__,
    Severity.INFO,
    triggers=("cudnn",),
)


@rule.check
def cudnn_flag(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    if (found := setting_of(node, module, CUDNN)) is not None:
        name, row = found
        yield rule.match(node, old=name, instead=f"; {row.instead}" if row.instead else "")
