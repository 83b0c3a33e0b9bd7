"""The choice between CUDA and the CPU, `"cuda" if torch.cuda.is_available() else "cpu"`."""

from dataclasses import dataclass

import libcst as cst

from neuronlint import CudaText, Module


@dataclass(frozen=True)
class Choice:
    """What is chosen where CUDA is there: as text, or as a torch.device."""

    cuda: CudaText
    as_text: bool


def read_choice(node: cst.CSTNode, module: Module) -> Choice | None:
    """The choice that a conditional expression makes, if its condition is CUDA's presence alone."""
    if not isinstance(node, cst.IfExp):
        return None
    asked, holds = _unnegated(node.test)
    if not _asks_for_cuda(asked, module):
        return None
    there, elsewhere = (node.body, node.orelse) if holds else (node.orelse, node.body)
    if (cuda := module.devices.text(there)) is not None and _is_cpu(elsewhere, module, True):
        return Choice(cuda, as_text=True)
    if (cuda := module.devices.object(there)) is not None and _is_cpu(elsewhere, module, False):
        return Choice(cuda, as_text=False)
    return None


def is_choice_part(node: cst.CSTNode, module: Module) -> bool:
    """Whether a node lies in such a choice, which is found as a whole."""
    above = module.parent(node)
    while isinstance(above, (cst.IfExp, cst.Arg, cst.Call, cst.UnaryOperation)):
        if read_choice(above, module) is not None:
            return True
        above = module.parent(above)
    return False


def _unnegated(test: cst.BaseExpression) -> tuple[cst.BaseExpression, bool]:
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=asked):
            return asked, False
        case _:
            return test, True


def _asks_for_cuda(test: cst.BaseExpression, module: Module) -> bool:
    """Whether a condition is torch.cuda.is_available(), or a name set to it."""
    if isinstance(test, cst.Name) and (value := module.names.value(test)) is not None:
        test = value
    return isinstance(test, cst.Call) and module.name(test.func) == "torch.cuda.is_available"


def _is_cpu(node: cst.BaseExpression, module: Module, as_text: bool) -> bool:
    match node:
        case cst.SimpleString():
            return as_text and node.evaluated_value == "cpu"
        case cst.Call(func=function, args=[cst.Arg(value=inner)]) if not as_text:
            return module.name(function) == "torch.device" and _is_cpu(inner, module, True)
        case _:
            return False
