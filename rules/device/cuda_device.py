"""NL102: a call that is given a CUDA device."""

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from neuronlint import CudaText, Match, Module, Placed, Role, Rule, Severity, dotted

from .choice import is_choice_part

rule = Rule(
    "NL102",
    "cuda-device",
    "`{old}` exists on CUDA only; `{new}` is the device there is",
    __name__,
    Severity.ERROR,
    guarded=Severity.WARNING,
    triggers=("cuda",),
    context=("def to", "def __init__", '= "cpu"', "= 'cpu'"),
)


@rule.check
def cuda_text(
    node: cst.SimpleString | cst.FormattedString | cst.BinaryOperation | cst.Call, module: Module
) -> Iterator[Match]:
    """A device spelt as text, in an argument."""
    found = module.devices.text(node)
    if found is None or is_choice_part(node, module) or _makes_device(node, module):
        return
    match module.devices.role(node):
        case Role.DEVICE if isinstance(module.parent(node), cst.Arg):
            placed = module.placement.object(node, found)
        case Role.DEVICE | Role.TYPE | Role.LISTED as role:
            placed = module.placement.text(node, found)
            if role is Role.LISTED or (role is Role.TYPE and not _is_keyword(node, module)):
                placed = replace(placed, exact=False)
        case Role.REGISTERED:
            old = module.text(node)
            yield Match(node, f"`{old}` registers for CUDA only; register for each device")
            return
        case _:
            return
    yield _match(node, module, placed)


@rule.check
def cuda_object(node: cst.Call, module: Module) -> Iterator[Match]:
    """A device made by torch.device, wherever it stands."""
    found = module.devices.object(node)
    if found is None or is_choice_part(node, module):
        return
    role = module.devices.role(node)
    if role is Role.COMPARED or _is_entry_of_cuda(node, module):
        return
    if role is Role.ASSIGNED and _is_plain(found) and isinstance(module.parent(node), cst.Assign):
        exact = found.index is None and not module.devices.is_named_cuda(node)
        placed = module.placement.choice(node, as_text=False, exact=exact)
    else:
        placed = module.placement.object(node, found)
        if role is not Role.DEVICE and _is_text(found, node, module):
            text = f"{module.text(node.func)}({placed.text})"
            placed = replace(placed, text=text, is_choice=False)
        if role is Role.OTHER or module.devices.is_named_cuda(node):  # it may be a label
            placed = replace(placed, exact=False)
    match = _match(node, module, placed)
    yield replace(match, fix=None) if found.index is not None and _is_read(node, module) else match


def _is_entry_of_cuda(node: cst.CSTNode, module: Module) -> bool:
    """Whether a dictionary has a device under its own name: `{"cuda": torch.device("cuda")}`."""
    entry = module.parent(node)
    return isinstance(entry, cst.DictElement) and module.devices.text(entry.key) is not None


def _is_read(node: cst.CSTNode, module: Module) -> bool:
    """Whether the number of the device that a variable holds is asked for later."""
    assign = module.parent(node)
    goals = assign.targets if isinstance(assign, cst.Assign) else ()
    asked = [one.value for one in module.nodes(cst.Attribute) if one.attr.value == "index"]
    return any(_is_same(goal.target, one, module) for goal in goals for one in asked)


def _is_same(target: cst.BaseExpression, read: cst.BaseExpression, module: Module) -> bool:
    """Whether a variable or field that is set is the one that is read."""
    name = dotted(target)
    if name is None or dotted(read) != name:
        return False
    if isinstance(target, cst.Name) and isinstance(read, cst.Name):
        return module.tree.scope(target).lookup(name) == module.names.bindings(read)
    return True


def _match(node: cst.BaseExpression, module: Module, placed: Placed) -> Match:
    fix = placed.fix(module.put(node, placed))
    return rule.match(node, fix, old=module.text(node), new=placed.name)


def _makes_device(node: cst.CSTNode, module: Module) -> bool:
    """Whether the text is the argument of a torch.device that is found as a whole."""
    argument = module.parent(node)
    call = module.parent(argument) if isinstance(argument, cst.Arg) else None
    return call is not None and module.devices.object(call) is not None


def _is_keyword(node: cst.CSTNode, module: Module) -> bool:
    """Whether the text is given by a keyword, which says that it is a device."""
    argument = module.enclosing(node, cst.Arg)
    return argument is not None and argument.keyword is not None


def _is_text(found: CudaText, at: cst.CSTNode, module: Module) -> bool:
    """Whether a device expression is text, where an object was."""
    if not _is_plain(found):
        return True
    held = module.devices.held(at)
    return held is not None and held.is_text


def _is_plain(found: CudaText) -> bool:
    return found.index in (None, "0")
