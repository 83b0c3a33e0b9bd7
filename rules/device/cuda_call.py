"""NL101: `.cuda()` on a tensor or module."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import CudaText, Edit, Match, Module, Placed, Receiver, Rule, Severity, is_constant

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
    if receiver is Receiver.FOREIGN or not module.is_about_torch or _maps_location(node, module):
        return
    placed = _placed(node, module)
    renamed = module.replace(node.func.attr, "to")
    fix = placed.fix(renamed, *_given(node, placed, module), safe=receiver is Receiver.TORCH)
    yield rule.match(node.func.attr, fix, device=placed.name)


def _given(call: cst.Call, placed: Placed, module: Module) -> Iterator[Edit]:
    """The edits that give `to` the device, and the rest by keyword as it was by position."""
    first = next((arg for arg in call.args if _names_device(arg)), None)
    if first is not None:
        yield module.put(first.value, placed)
    elif call.args:
        yield module.insert(module.span(call.args[0])[0], f"{placed.text}, ")
    else:
        yield module.insert(module.span(call)[1] - 1, placed.text)
    later = [arg for arg in call.args if arg.keyword is None and arg is not first]
    for keyword, arg in zip(("non_blocking", "memory_format"), later, strict=False):
        yield module.insert(module.span(arg)[0], f"{keyword}=")


def _placed(call: cst.Call, module: Module) -> Placed:
    """The device that the call's argument names, or the program's own."""
    number = next((arg.value for arg in call.args if _names_device(arg)), None)
    if number is None or is_constant(number, "None"):
        return module.placement.object(call)
    if (text := module.devices.text(number) or module.devices.object(number)) is not None:
        return module.placement.object(call, text)
    if isinstance(number, cst.Integer):
        return module.placement.object(call, CudaText(number, number.value))
    return module.placement.integer(call, module.text(number))


def _names_device(arg: cst.Arg) -> bool:
    """Whether an argument is the device; it comes first where it has no keyword."""
    return arg.keyword is None or arg.keyword.value == "device"


def _maps_location(call: cst.Call, module: Module) -> bool:
    """Whether the call is the body of a `map_location` function, which has a rule of its own."""
    function = module.parent(call)
    argument = module.parent(function) if isinstance(function, cst.Lambda) else None
    if not isinstance(argument, cst.Arg) or argument.keyword is None:
        return False
    return argument.keyword.value == "map_location"
