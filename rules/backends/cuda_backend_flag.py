"""NL302: a setting of cuBLAS or of attention on CUDA."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

from .settings import CUDA, row_of, setting_of

rule = Rule(
    "NL302",
    "cuda-backend-flag",
    "`{old}` is read on CUDA only{instead}",
    __name__,
    Severity.INFO,
    triggers=("cuda with backends",),
)

_MATH = "torch.backends.cuda.enable_math_sdp"
_TF32 = "torch.backends.cuda.matmul.allow_tf32"


@rule.check
def cuda_backend_flag(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    found, severity = setting_of(node, module, CUDA), None
    if found is None and (found := row_of(node, module, {_MATH: CUDA[_MATH]})) is not None:
        severity = Severity.WARNING if _switches_off(module.parent(node)) else None
    if found is not None:
        name, row = found
        instead = f"; {row.instead}" if row.instead else ""
        if name == _TF32 and _is_set_false(node, module):
            instead = instead.replace('"high"', '"highest"')
        yield rule.match(node, severity=severity, old=name, instead=instead)


def _switches_off(call: cst.CSTNode) -> bool:
    match call:
        case cst.Call(args=[cst.Arg(value=cst.Name("False"))]):
            return True
        case _:
            return False


def _is_set_false(node: cst.CSTNode, module: Module) -> bool:
    match module.parent(module.parent(node)):
        case cst.Assign(value=cst.Name("False")):
            return True
        case _:
            return False
