"""NL502: a question whether the backend is nccl."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

from .backend import is_another, is_nccl

rule = Rule(
    "NL502",
    "nccl-comparison",
    "`{old}` is true of CUDA's backend only; {instead}",
    __name__,
    Severity.WARNING,
    triggers=("nccl", "NCCL", "is_nccl_available"),
)

_COMPARED = "compare with `{default}(device)`, or ask for what the code needs"
_AVAILABLE = "`{default}(device)` names the backend there is"
_DEFAULT = "torch.distributed.get_default_backend_for_device"
_PROBES = {
    "torch.distributed.is_nccl_available",
    "torch.distributed.distributed_c10d.is_nccl_available",
}


@rule.check
def nccl_comparison(node: cst.Comparison, module: Module) -> Iterator[Match]:
    asked = list(_asked(node))
    if any(is_nccl(side, module) for side in asked) and not any(map(is_another, asked)):
        default, _ = module.use(_DEFAULT, node)
        yield rule.match(node, old=module.text(node), instead=_COMPARED.format(default=default))


@rule.check
def nccl_probe(node: cst.Call, module: Module) -> Iterator[Match]:
    if module.name(node.func) in _PROBES and not _chooses_backend(node, module):
        default, _ = module.use(_DEFAULT, node)
        instead = _AVAILABLE.format(default=default)
        yield rule.match(node, old=module.text(node), instead=instead)


def _asked(node: cst.Comparison) -> Iterator[cst.BaseExpression]:
    """What is compared, the elements of a list one by one."""
    for side in (node.left, *(target.comparator for target in node.comparisons)):
        if isinstance(side, (cst.Tuple, cst.List, cst.Set)):
            yield from (element.value for element in side.elements)
        else:
            yield side


def _chooses_backend(call: cst.Call, module: Module) -> bool:
    """Whether a probe decides between backends in one expression, which nccl-backend finds."""
    match module.parent(call):
        case cst.IfExp(test=test, body=body, orelse=orelse) if test is call:
            return is_nccl(body, module) or is_nccl(orelse, module)
        case _:
            return False
