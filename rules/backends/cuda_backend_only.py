"""NL304: what torch.backends has for CUDA alone."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

from .settings import CUDA, CUDNN, row_of

rule = Rule(
    "NL304",
    "cuda-backend-only",
    "`{old}` has no counterpart on other devices; {instead}",
    __name__,
    Severity.ERROR,
    triggers=("cuda with backends", "cudnn"),
)

TABLE = {
    name: row
    for name, row in {**CUDNN, **CUDA}.items()
    if not row.harmless and not row.new and not name.endswith(".enable_math_sdp")
}
_ASKS_ALONE = frozenset({"preferred_linalg_library", "preferred_blas_library"})


@rule.check
def cuda_backend_only(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    if (found := row_of(node, module, TABLE)) is None:
        return
    name, row = found
    if name.rpartition(".")[2] in _ASKS_ALONE and _asks(module.parent(node)):
        return
    harms = row.cpu[:1] == ("raises",) or module.guards.at(node).cuda
    severity = None if harms else Severity.WARNING
    yield rule.match(node, severity=severity, old=name, instead=row.instead)


def _asks(call: cst.CSTNode) -> bool:
    """Whether a library is asked for, not set."""
    return isinstance(call, cst.Call) and not call.args
