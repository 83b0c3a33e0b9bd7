"""NL504: `torch.nn.DataParallel`."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

rule = Rule(
    "NL504",
    "data-parallel",
    "`{old}` feeds the devices of one process, which only some backends can; "
    "run one process for each device with `torch.nn.parallel.DistributedDataParallel`",
    __name__,
    Severity.WARNING,
    triggers=("DataParallel", "data_parallel"),
)

_NAMES = {
    "torch.nn.DataParallel",
    "torch.nn.parallel.DataParallel",
    "torch.nn.parallel.data_parallel",
    "torch.nn.parallel.data_parallel.DataParallel",
    "torch.nn.parallel.data_parallel.data_parallel",
}


@rule.check
def data_parallel(node: cst.Call, module: Module) -> Iterator[Match]:
    if module.name(node.func) in _NAMES:
        yield rule.match(node.func, old=module.text(node.func))
