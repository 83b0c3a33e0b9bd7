"""NL104: a device chosen from CUDA and the CPU alone."""

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from neuronlint import Match, Module, Placed, Role, Rule, Severity

from .choice import Choice, read_choice

rule = Rule(
    "NL104",
    "cuda-or-cpu",
    "`{old}` stays on the CPU of any other accelerator; `{new}` is the device there is",
    __name__,
    Severity.INFO,
    triggers=("cuda",),
    context=("def to", "def __init__", '= "cpu"', "= 'cpu'"),
)


@rule.check
def cuda_or_cpu(node: cst.IfExp, module: Module) -> Iterator[Match]:
    choice = read_choice(node, module)
    if choice is None:
        return
    whole = _device_call(node, module) if choice.as_text else None
    place = whole or node
    placed = _placed(place, choice, choice.as_text and whole is None, module)
    fix = placed.fix(module.put(place, placed))
    yield rule.match(place, fix, old=module.text(place), new=placed.name)


def _device_call(node: cst.IfExp, module: Module) -> cst.Call | None:
    """The `torch.device(...)` of which the choice is the only argument."""
    match module.parent(node):
        case cst.Arg() as argument:
            call = module.parent(argument)
            if isinstance(call, cst.Call) and len(call.args) == 1:
                return call if module.name(call.func) == "torch.device" else None
    return None


def _placed(place: cst.BaseExpression, choice: Choice, as_text: bool, module: Module) -> Placed:
    if choice.cuda.index not in (None, "0"):
        placed = module.placement.text(place, choice.cuda)
        if as_text or module.devices.role(place) is Role.DEVICE:
            return placed
        return _made_device(placed, place, module)
    exact = choice.cuda.index is None
    if module.devices.role(place) is Role.DEVICE:
        return module.placement.object(place, choice.cuda)
    return module.placement.choice(place, as_text, exact)


def _made_device(placed: Placed, place: cst.BaseExpression, module: Module) -> Placed:
    """A torch.device of a device that is given as text."""
    device, edits = module.use("torch.device", place)
    text = f"{device}({placed.text})"
    return replace(placed, text=text, edits=(*placed.edits, *edits), is_choice=False)
