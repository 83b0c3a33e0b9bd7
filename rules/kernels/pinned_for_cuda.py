"""NL609: memory that is pinned for CUDA by name, or where no accelerator may be."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import (
    Applicability,
    Fix,
    Match,
    Module,
    Rule,
    is_constant,
    keyword_of,
)

from .arguments import drop

rule = Rule(
    "NL609",
    "pinned-for-cuda",
    "`{old}` {note}; {instead}",
    __name__,
    triggers=("pin_memory(", "pin_memory=True", "pin_memory_device", "is_pinned("),
)

_NAMED = "names CUDA, which is ignored or deprecated"
_DROPPED = "without it memory is pinned for the accelerator there is"
_RAISES = "raises where no accelerator is"


@rule.check
def pinned_device(node: cst.Arg, module: Module) -> Iterator[Match]:
    """CUDA as the device to pin for: an argument that is to be left out."""
    call = module.parent(node)
    if not isinstance(call, cst.Call) or not isinstance(call.func, (cst.Attribute, cst.Name)):
        return
    keyword = keyword_of(node)
    named = module.devices.text(node.value)  # a torch.device is found as one
    if named is None:
        return
    if keyword == "pin_memory_device":
        loads = (module.name(call.func) or "").startswith("torch.utils.data.")
    elif keyword in ("", "device") and _method(call) in ("pin_memory", "is_pinned"):
        loads = named.index is None
    else:
        return
    edit = drop(node, module)
    trust = Applicability.SAFE if loads else Applicability.UNSAFE
    old = module.text(node) if keyword else f"{_method(call)}({module.text(node.value)})"
    fix = Fix((edit,), trust, "2.7") if edit else None
    yield rule.match(node, fix, old=old, note=_NAMED, instead=_DROPPED)


@rule.check
def pinned_tensor(node: cst.Call, module: Module) -> Iterator[Match]:
    """`x.pin_memory()`, where nothing says that an accelerator is there."""
    if _method(node) != "pin_memory" or node.args or _is_asked(node, module):
        return
    if not isinstance(node.func, cst.Attribute) or _pins_itself(node, module):
        return
    instead = "ask `torch.accelerator.is_available()` first"
    yield rule.match(
        node.func.attr,
        _guarded(node, node.func.value, module),
        old="pin_memory()",
        note=_RAISES,
        instead=instead,
    )


@rule.check
def pinned_factory(node: cst.Call, module: Module) -> Iterator[Match]:
    """`pin_memory=True` of a function that makes a tensor."""
    if not _makes_tensor(node, module) or _is_asked(node, module):
        return
    for arg in node.args:
        if arg.keyword and arg.keyword.value == "pin_memory" and is_constant(arg.value, "True"):
            asked, edits = module.asked(node)
            fix = Fix((module.replace(arg.value, f"{asked}()"), *edits), since=module.asked_since)
            instead = "`pin_memory=torch.accelerator.is_available()` pins where one is"
            yield rule.match(arg, fix, old="pin_memory=True", note=_RAISES, instead=instead)


def _method(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""


def _is_asked(node: cst.CSTNode, module: Module) -> bool:
    known = module.guards.at(node)
    return known.cuda or known.accelerated


def _pins_itself(call: cst.Call, module: Module) -> bool:
    """Whether the call is none of a tensor, or lies in a method that pins: a loader calls that."""
    if isinstance(call.func, cst.Attribute) and module.name(call.func.value) is not None:
        return True
    if not module.is_about_torch or module.receivers.method(call) is not None:
        return True
    around = module.enclosing(call, cst.FunctionDef)
    return around is not None and around.name.value == "pin_memory"


def _guarded(call: cst.Call, receiver: cst.BaseExpression, module: Module) -> Fix | None:
    """The fix that pins where an accelerator is; the tensor has to be a name to be told twice."""
    if not _is_plain(receiver) or receiver.lpar:
        return None
    asked, edits = module.asked(call)
    text = f"{module.text(call)} if {asked}() else {module.text(receiver)}"
    return Fix(
        (module.replace_choice(call, text), *edits), Applicability.UNSAFE, module.asked_since
    )


def _is_plain(value: cst.BaseExpression) -> bool:
    while isinstance(value, cst.Attribute):
        value = value.value
    return isinstance(value, cst.Name)


def _makes_tensor(call: cst.Call, module: Module) -> bool:
    """Whether a call makes a tensor: a function of torch itself, or `x.new_empty` and the like."""
    name = module.name(call.func)
    if name is not None:
        return name.startswith("torch.") and name.count(".") == 1
    return _method(call).startswith("new_")
