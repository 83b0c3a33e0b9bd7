"""NL208: a name of torch.cuda that no table knows, or the module where names cannot be followed."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity, last_name

from .uses import MODULES, ROWS

rule = Rule(
    "NL208",
    "unknown-cuda-name",
    "`{old}` is for CUDA only, and no portable form of it is known; {instead}",
    __name__,
    Severity.WARNING,
    triggers=("cuda", "_cuda_*"),
)

_CUDA, _PRIVATE = "torch.cuda.", "torch._C._cuda_"
# Rules of their own have these.
_ELSEWHERE = ("torch.cuda.amp", "torch.cuda.nccl", "torch.cuda.is_available")
_TYPES = ("Tensor", "Storage", "StorageBase")
_MODULES = MODULES | {"torch.cuda"}
_PROBES = frozenset({"hasattr", "getattr", "isinstance", "reload"})


@rule.check
def unknown_cuda_name(node: cst.Attribute | cst.Name | cst.Call, module: Module) -> Iterator[Match]:
    name = module.name(node)
    if name is None or not name.startswith(("torch.cuda", _PRIVATE)):
        return
    if name in _MODULES:
        if _is_asked_for(node, module):
            instead = "ask `torch.accelerator.is_available()`"
            yield rule.match(node, severity=Severity.INFO, old=name, instead=instead)
        elif _is_handed_on(node, module):
            yield rule.match(node, old=name, instead="hand on what is needed of it")
    elif _is_unknown(name) and not isinstance(module.parent(node), cst.AssignTarget):
        yield rule.match(node, old=name, instead="see what `torch.accelerator` offers for it")


def _is_unknown(name: str) -> bool:
    """Whether a name belongs to torch.cuda itself or a module in it, and has no row."""
    if name.startswith(_PRIVATE):
        return "." not in name.removeprefix(_PRIVATE)
    holder, _, last = name.rpartition(".")
    if name in ROWS or name.startswith(_ELSEWHERE) or last.startswith("__"):
        return False
    return holder in _MODULES and not (holder == "torch.cuda" and last.endswith(_TYPES))


def _is_handed_on(node: cst.BaseExpression, module: Module) -> bool:
    """Whether a module of torch is an argument, a result or a part of something."""
    parent = module.parent(node)
    match parent:
        case cst.Arg():
            call = module.parent(parent)
            return isinstance(call, cst.Call) and not _is_probe(call)
        case cst.Return() | cst.Element() | cst.DictElement() | cst.Param():
            return True
        case cst.IfExp(body=body, orelse=orelse):
            return node is body or node is orelse
        case _:
            return False


def _is_asked_for(node: cst.BaseExpression, module: Module) -> bool:
    """Whether torch.cuda is asked what it has, `hasattr(torch.cuda, "memory_reserved")`."""
    parent = module.parent(node)
    call = module.parent(parent) if isinstance(parent, cst.Arg) else None
    return isinstance(call, cst.Call) and last_name(call.func) == "hasattr"


def _is_probe(call: cst.Call) -> bool:
    """Whether a call asks for a name that may be missing, or for one that is written out."""
    match call:
        case cst.Call(func=cst.Name("getattr"), args=[_, cst.Arg(value=name)]):
            return isinstance(name, cst.SimpleString)
        case cst.Call(func=cst.Name(name)):
            return name in _PROBES
        case _:
            return False
