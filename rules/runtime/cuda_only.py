"""NL203: a name of torch.cuda that no other backend has."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Fix, Match, Module, Rule, Severity

from .guarded import line_of
from .uses import NONE, Use, trust, use_of

rule = Rule(
    "NL203",
    "cuda-only",
    "`{old}` has no counterpart on other devices; {instead}",
    __name__,
    Severity.ERROR,
    triggers=("cuda",),
)

_NCCL = "torch.cuda.nccl"  # a rule about process groups has it
TABLE = {name: row for name, row in NONE.items() if not row.harmless and not name.startswith(_NCCL)}
_IPC_COLLECT = "torch.cuda.ipc_collect"


@rule.check
def cuda_only(node: cst.Attribute | cst.Name | cst.Call, module: Module) -> Iterator[Match]:
    if (use := use_of(node, module, TABLE)) is None:
        return
    severity = None if use.row.cpu[:1] == ("raises",) else Severity.WARNING
    if module.guards.at(node).cuda:
        severity = None
    old = module.name(node) or use.name
    yield rule.match(node, _fix(use, module), severity=severity, old=old, instead=use.row.instead)


def _fix(use: Use, module: Module) -> Fix | None:
    """Only what frees memory between processes may go without a trace."""
    if use.name != _IPC_COLLECT or use.call is None:
        return None
    line = line_of(use.call, module)
    edits = module.remove(line.body[0]) if line is not None else None
    return Fix(tuple(edits), trust(False)) if edits else None
