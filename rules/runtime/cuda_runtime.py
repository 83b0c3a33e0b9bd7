"""NL201: a function of torch.cuda that torch.accelerator has too."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Fix, Match, Module, Rule, Severity

from ..gates.gate import is_gate
from .guarded import guarded
from .uses import (
    ACCELERATOR,
    Use,
    argument_of,
    is_held,
    predates_accelerator,
    renamed,
    severity,
    trust,
    use_of,
)

rule = Rule(
    "NL201",
    "cuda-runtime",
    "`{old}` works on CUDA only; `{new}` does it on the accelerator there is",
    __name__,
    Severity.ERROR,
    triggers=("cuda",),
)

# Rules of their own have these.
_ELSEWHERE = frozenset({"is_available", "current_device_index", "current_stream", "set_stream"})
TABLE = {
    name: row
    for name, row in ACCELERATOR.items()
    if row.new.removeprefix("torch.accelerator.") not in _ELSEWHERE
}
_SET_DEVICE = "torch.cuda.set_device"


@rule.check
def cuda_runtime(node: cst.Attribute | cst.Name | cst.Call, module: Module) -> Iterator[Match]:
    if (use := use_of(node, module, TABLE)) is None:
        return
    if use.call is not None and is_gate(use.call, module):
        return
    fix = _called(use, use.call, module) if use.call is not None else _referred(use, module)
    old = module.name(node) or use.name
    yield rule.match(node, fix, severity=severity(use), old=old, new=use.row.new)


def _called(use: Use, call: cst.Call, module: Module) -> Fix | None:
    if not use.row.guard:
        return None if call.args else renamed(use, module, safe=use.row.safe)
    argument = argument_of(call, module)
    if argument is None:
        return None
    given, exact = argument.text, argument.exact
    if use.name == _SET_DEVICE:
        given, exact = ("0", False) if is_held(call.args, module) else (given, exact)
        if not given:
            return None
    new, edits = module.use(use.row.new, call)
    text = f"{new}({given})"
    if predates_accelerator(use.row):
        edits.append(module.replace(call, text))
    else:
        edits += guarded(call, text, module, use.row.without or "None")
    return Fix(tuple(edits), trust(use.row.safe and exact), use.row.since)


def _referred(use: Use, module: Module) -> Fix | None:
    """The function passed on: portable where the original raises without CUDA, too."""
    if not use.row.guard:
        return renamed(use, module, safe=use.row.safe)
    accelerated = module.accelerated(use.node)
    if accelerated or use.row.cpu[:1] == ("raises",):
        return renamed(use, module, safe=False)
    return None
