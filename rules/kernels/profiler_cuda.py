"""NL608: a profiler that is told to record CUDA."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Fix, Known, Match, Module, Rule, is_constant

from .arguments import drop

rule = Rule(
    "NL608",
    "profiler-cuda",
    "`{old}` records CUDA only; {instead}",
    __name__,
    triggers=("ProfilerActivity", "use_cuda"),
)

_PROFILERS = frozenset({"torch.profiler.profile", "torch.profiler.profiler.profile"})
_OLD_PROFILERS = frozenset({"torch.autograd.profiler.profile"})
_ALL = "leave `activities` out: all that is there is recorded"


@rule.check
def profiler_activity(node: cst.Attribute, module: Module) -> Iterator[Match]:
    """The activity of CUDA, in a list of activities or on its own."""
    if node.attr.value != "CUDA" or not _is_activity(node, module):
        return
    holder = module.parent(node)
    if isinstance(holder, (cst.Comparison, cst.ComparisonTarget)) or _is_labelled(holder):
        return
    listed = module.parent(holder) if isinstance(holder, cst.Element) else None
    if listed is None:
        yield rule.match(node, old="ProfilerActivity.CUDA", instead=_ALL)
    elif isinstance(listed, (cst.List, cst.Set, cst.Tuple)) and _only_cuda(listed, module):
        yield rule.match(node, _fix(listed, module), old="ProfilerActivity.CUDA", instead=_ALL)


@rule.check
def profiler_switch(node: cst.Call, module: Module) -> Iterator[Match]:
    """`use_cuda=`, deprecated and gone in torch 2.14."""
    name = module.name(node.func)
    if name not in _PROFILERS and name not in _OLD_PROFILERS:
        return
    for arg in node.args:
        if arg.keyword and arg.keyword.value == "use_cuda" and _wants_cuda(arg, module):
            if name in _PROFILERS:
                yield rule.match(arg, _without(arg, module), old="use_cuda", instead=_ALL)
            else:
                instead = "`use_device` takes the type of any device"
                yield rule.match(arg, _renamed(arg, module), old="use_cuda", instead=instead)


def _is_activity(node: cst.Attribute, module: Module) -> bool:
    """Whether a reference is a member of ProfilerActivity, wherever it is imported from."""
    name = module.name(node) or ""
    return name.startswith("torch.") and name.split(".")[-2:-1] == ["ProfilerActivity"]


def _is_labelled(holder: cst.CSTNode) -> bool:
    """Whether a place is the entry of a table that says CUDA by its key, one of several."""
    key = holder.key if isinstance(holder, cst.DictElement) else None
    return isinstance(key, cst.SimpleString) and "cuda" in str(key.evaluated_value).lower()


def _members(listed: cst.List | cst.Set | cst.Tuple, module: Module) -> set[str]:
    """The activities of a list; a name that is none stands for itself."""
    return {(module.name(one.value) or "?").rpartition(".")[2] for one in listed.elements}


def _only_cuda(listed: cst.List | cst.Set | cst.Tuple, module: Module) -> bool:
    """Whether CUDA is the one accelerator in a list."""
    return not _members(listed, module) & {"XPU", "MTIA", "HPU", "PrivateUse1", "NEURON"}


def _fix(listed: cst.List | cst.Set | cst.Tuple, module: Module) -> Fix | None:
    """Without the argument all is recorded that the device has; CUDA alone becomes more."""
    members = _members(listed, module)
    if not members <= {"CPU", "CUDA"}:
        return None
    holder = module.parent(listed)
    if isinstance(holder, cst.Assign):
        function, edits = module.use("torch.profiler.supported_activities", listed)
        made = (module.replace(listed, f"list({function}())"), *edits)
        return Fix(made, Applicability.UNSAFE, "2.0")
    call = module.parent(holder) if isinstance(holder, cst.Arg) else None
    if not isinstance(holder, cst.Arg) or not isinstance(call, cst.Call):
        return None
    if module.name(call.func) not in _PROFILERS or (edit := drop(holder, module)) is None:
        return None
    trust = Applicability.SAFE if len(members) == 2 else Applicability.UNSAFE
    return Fix((edit,), trust, "2.0")


def _wants_cuda(arg: cst.Arg, module: Module) -> bool:
    return is_constant(arg.value, "True") or module.guards.means(arg.value).cuda


def _without(arg: cst.Arg, module: Module) -> Fix | None:
    edit = drop(arg, module)
    return Fix((edit,), Applicability.UNSAFE, "2.0") if edit else None


def _renamed(arg: cst.Arg, module: Module) -> Fix | None:
    """`use_device` with the device that `use_cuda` meant, None where the old one was off."""
    if not is_constant(arg.value, "True") and Known.AVAILABLE not in module.guards.means(arg.value):
        return None
    placed = module.placement.text(arg)
    asked, edits = module.asked(arg)
    kind = placed.text
    if placed.is_choice:
        kind = asked.removesuffix("is_available") + "current_accelerator().type"
    text = f"use_device={kind} if {asked}() else None"
    return placed.fix(module.replace(arg, text), *edits, safe=False)
