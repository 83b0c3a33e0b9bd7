"""NL206: events of torch.cuda."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import ACCELERATOR_SINCE, Fix, Match, Module, Rule, Severity

from .cuda_stream import is_type
from .event_pair import host_clock
from .uses import OTHER, Use, trust, use_of

rule = Rule(
    "NL206",
    "cuda-event",
    "`{old}` is for CUDA only; `torch.Event` is for any accelerator, `time.perf_counter()` runs "
    "anywhere",
    __name__,
    Severity.ERROR,
    triggers=("cuda with Event",),
)

TABLE = {name: row for name, row in OTHER.items() if row.new == "torch.Event"}


@rule.check
def cuda_event(node: cst.Attribute | cst.Name | cst.Call, module: Module) -> Iterator[Match]:
    if (use := use_of(node, module, TABLE)) is None:
        return
    yield rule.match(node, _fix(use, module), old=module.name(node) or use.name)


def _fix(use: Use, module: Module) -> Fix | None:
    if use.call is None:
        return _renamed(use, module) if is_type(use.node, module) else None
    if module.accelerated(use.call) and _by_keyword(use.call):
        return _renamed(use, module)
    return host_clock(use.call, module)


def _renamed(use: Use, module: Module) -> Fix:
    """A `torch.Event`, which takes its arguments by keyword."""
    new, edits = module.use("torch.Event", use.node)
    return Fix((module.replace(use.node, new), *edits), trust(False), ACCELERATOR_SINCE)


def _by_keyword(call: cst.Call) -> bool:
    return all(arg.keyword is not None for arg in call.args)
