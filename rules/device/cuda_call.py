"""NL101: `.cuda()` on a tensor or module."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import CudaText, Edit, Match, Module, Placed, Receiver, Rule, Severity

rule = Rule(
    "NL101",
    "cuda-call",
    "`.cuda()` moves to CUDA only; `.to({device})` moves to the device there is",
    __name__,
    Severity.ERROR,
    guarded=Severity.WARNING,
    triggers=("cuda",),
)


@rule.check
def cuda_call(node: cst.Call, module: Module) -> Iterator[Match]:
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "cuda":
        return
    receiver = module.receivers.moved(node)
    if receiver is Receiver.FOREIGN or _maps_location(node, module):
        return
    placed = _placed(node, module)
    kept = [module.text(arg) for arg in node.args if _is_kept(arg)]
    start, end = module.span(node.func.attr)[0], module.span(node)[1]
    moved = Edit(start, end, f"to({', '.join([placed.text, *kept])})")
    fix = placed.fix(moved, safe=receiver is Receiver.TORCH)
    yield rule.match(node.func.attr, fix, device=placed.name)


def _placed(call: cst.Call, module: Module) -> Placed:
    """The device that the call's argument names, or the program's own."""
    number = next((arg.value for arg in call.args if _is_device(arg)), None)
    if number is None:
        return module.placement.object(call)
    if (text := module.devices.text(number) or module.devices.object(number)) is not None:
        return module.placement.object(call, text)
    if isinstance(number, cst.Integer):
        return module.placement.object(call, CudaText(number, number.value))
    return module.placement.integer(call, module.text(number))


def _is_device(arg: cst.Arg) -> bool:
    given = arg.keyword.value == "device" if arg.keyword else True
    return given and not (isinstance(arg.value, cst.Name) and arg.value.value == "None")


def _is_kept(arg: cst.Arg) -> bool:
    return arg.keyword is not None and arg.keyword.value not in ("device", "async")


def _maps_location(call: cst.Call, module: Module) -> bool:
    """Whether the call is the body of a `map_location` function, which has a rule of its own."""
    function = module.parent(call)
    argument = module.parent(function) if isinstance(function, cst.Lambda) else None
    if not isinstance(argument, cst.Arg) or argument.keyword is None:
        return False
    return argument.keyword.value == "map_location"
