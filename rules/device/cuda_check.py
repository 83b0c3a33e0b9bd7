"""NL110: a condition that asks for CUDA where it means any accelerator."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Fix, Match, Module, Rule, Severity

from ..gates.gate import is_gate
from .choice import is_choice_part
from .decided import WORDS, needs_cuda

rule = Rule(
    "NL110",
    "cuda-check",
    "`{old}()` is false on every other accelerator; `{new}()` is true on all of them",
    __name__,
    Severity.INFO,
    triggers=("cuda",),
    decided=WORDS,
)

_OLD, _NEW = "torch.cuda.is_available", "torch.accelerator.is_available"


@rule.check
def cuda_check(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    if module.name(node) != _OLD or is_choice_part(node, module):
        return
    parent = module.parent(node)
    if isinstance(parent, cst.AssignTarget):  # somebody patches it
        return
    if isinstance(parent, cst.Call) and is_gate(parent, module):
        return
    new, edits = module.use(_NEW, node)
    fix = None
    if not needs_cuda(node, module):
        fix = Fix((module.replace(node, new), *edits), Applicability.UNSAFE, module.asked_since)
    yield rule.match(node, fix, old=module.text(node), new=new)
