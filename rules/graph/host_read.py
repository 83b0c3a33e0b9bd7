"""NL801: a tensor read on the host in every step."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Kind, Match, Module, Rule

rule = Rule(
    "NL801",
    "host-read",
    "`{read}` waits for the device in {hot}; {instead}",
    __name__,
    triggers=(".item()", ".tolist()", ".numpy(", ".cpu()", "float(", "int(", "bool("),
    whole=True,
    optional=True,
)

_BUILT_IN = frozenset({"float", "int", "bool"})
_STEP = "keep the tensor, `.detach()` where it is only summed up, and read it every so many steps"
_COMPUTE = "compute with the tensor, and read it where the result is used"


@rule.check
def host_read(node: cst.Call, module: Module) -> Iterator[Match]:
    if not _reads(node, module) or not (hot := module.hot.at(node)) or _is_read_on(node, module):
        return
    instead = _STEP if "loop" in hot or "step" in hot else _COMPUTE
    read = module.text(node).split("\n")[-1].strip()
    yield rule.match(node, read=read, hot=hot, instead=instead)


def _reads(call: cst.Call, module: Module) -> bool:
    match call:
        case cst.Call(
            func=cst.Attribute(value=value, attr=cst.Name(value="item" | "tolist" as name)), args=[]
        ):
            return module.tensors.holds(value) or (name == "item" and _is_torch(value, module))
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="numpy" | "cpu"))):
            return module.tensors.holds(value)
        case cst.Call(func=cst.Name(value=name) as called, args=[cst.Arg(value=value)]):
            built_in = name in _BUILT_IN and not module.names.bindings(called)
            return built_in and module.tensors.holds(value)
        case _:
            return False


def _is_torch(value: cst.BaseExpression, module: Module) -> bool:
    """Whether nothing else has an `item()` in this file: it does without numpy."""
    unknown = module.tensors.kind(value) is Kind.UNKNOWN
    return unknown and module.names.local("numpy", value) is None


def _is_read_on(call: cst.Call, module: Module) -> bool:
    """Whether what a read gives is read again: the whole is one finding."""
    parent = module.parent(call)
    outer = module.parent(parent)
    if not isinstance(outer, cst.Call):
        return False
    return isinstance(parent, (cst.Arg, cst.Attribute)) and _reads(outer, module)
