"""NL501: a process group that asks for nccl."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import ACCELERATOR_SINCE, Applicability, Fix, Match, Module, Rule, Severity, dotted

from .backend import is_gloo, is_nccl
from .place import Place, place

rule = Rule(
    "NL501",
    "nccl-backend",
    "`{old}` serves CUDA only; `{new}` names the backend of the device there is",
    __name__,
    Severity.ERROR,
    guarded=Severity.WARNING,
    triggers=("nccl", "NCCL"),
)

_DEFAULT = "torch.distributed.get_default_backend_for_device"


@rule.check
def nccl_backend(node: cst.SimpleString | cst.Attribute, module: Module) -> Iterator[Match]:
    per_device = _names_each_device(node)
    if not per_device and not is_nccl(node, module):
        return
    found = place(node, module)
    if found is Place.OTHER or _is_of_cuda(node, module):
        return
    function, imports = module.use(_DEFAULT, node)
    device = module.placement.object(node)
    whole = _choice(node, module)
    target = whole or node
    fix = None
    if found is Place.USED and not per_device:
        replaced = module.replace(target, f"{function}({device.text})")
        edits = (replaced, *imports, *device.edits)
        safe = device.exact and _is_later(node, module) and not _asks_for_nccl(whole, module)
        fix = Fix(edits, Applicability.SAFE if safe else Applicability.UNSAFE, ACCELERATOR_SINCE)
    new = f"{function}({device.name if fix else 'device'})"
    yield rule.match(target, fix, old=module.text(node), new=new)


def _names_each_device(node: cst.CSTNode) -> bool:
    """Whether a text gives each kind of device a backend: `"cpu:gloo,cuda:nccl"`."""
    return isinstance(node, cst.SimpleString) and "cuda:nccl" in str(node.evaluated_value).split(
        ","
    )


def _choice(node: cst.BaseExpression, module: Module) -> cst.IfExp | None:
    """The choice between nccl and gloo that a backend is part of, if CUDA's presence decides it."""
    choice = module.parent(node)
    if not isinstance(choice, cst.IfExp) or choice.test is node:
        return None
    other = choice.orelse if choice.body is node else choice.body
    if not is_gloo(other, module):
        return None
    probed = module.guards.means(choice.test, choice.body is node).accelerated
    asked = isinstance(choice.test, (cst.Call, cst.UnaryOperation))
    return choice if (probed and asked) or _asks_for_nccl(choice, module) else None


def _is_later(node: cst.CSTNode, module: Module) -> bool:
    """Whether code needs torch.distributed by then: it is a call of it, or in a function."""
    call = module.enclosing(node, cst.Call)
    uses = isinstance(call, cst.Call) and (module.name(call.func) or "")
    within = module.enclosing(node, cst.FunctionDef) is not None
    return within or (uses or "").startswith("torch.distributed.")


def _asks_for_nccl(choice: cst.IfExp | None, module: Module) -> bool:
    match choice:
        case cst.IfExp(test=cst.Call(func=function)):
            name = module.name(function) or dotted(function) or ""
            return name.endswith("is_nccl_available")
        case _:
            return False


def _is_of_cuda(node: cst.CSTNode, module: Module) -> bool:
    """Whether a text lies in the CUDA part of a program that has other parts for other devices."""
    above = module.tree.above(node)
    names = (one.name.value for one in above if isinstance(one, (cst.ClassDef, cst.FunctionDef)))
    return any("cuda" in name or "nccl" in name for name in map(str.lower, names))
