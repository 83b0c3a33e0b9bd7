"""NL701: a program that stops where CUDA is not."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Known, Match, Module, Rule, Severity

from .gate import Gate, gate, names_others
from .portable import WORDS, asking_any

rule = Rule(
    "NL701",
    "cuda-gate",
    "`{old}()` stops the program on every accelerator but CUDA; `{new}()` asks for any",
    __name__,
    Severity.ERROR,
    guarded=Severity.ERROR,
    triggers=("cuda",),
    decided=WORDS,
)


@rule.check
def cuda_gate(node: cst.Call, module: Module) -> Iterator[Match]:
    if gate(node, module) is not Gate.STOP or names_others(node, module):
        return
    if Known.DEVICE not in module.guards.at(node):  # somebody has asked for CUDA otherwise
        new, fix = asking_any(node, module, Applicability.SAFE)
        yield rule.match(node, fix, old=module.text(node.func), new=new)
