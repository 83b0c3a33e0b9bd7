"""NL405: functions that ask for, or set, the state of CUDA's autocast."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

from .arguments import surround
from .device_type import device_type

rule = Rule(
    "NL405",
    "cuda-autocast-state",
    "`{old}` is about CUDA's autocast; `{new}({device})` is about that of the device there is",
    __name__,
    Severity.WARNING,
    triggers=("is_autocast_enabled", "set_autocast_enabled", "*et_autocast_gpu_dtype"),
)

# How many arguments each has where it means CUDA.
_ARGUMENTS = {
    "torch.is_autocast_enabled": 0,
    "torch.set_autocast_enabled": 1,
    "torch.get_autocast_gpu_dtype": 0,
    "torch.set_autocast_gpu_dtype": 1,
}
_SINCE = "2.4"


@rule.check
def cuda_autocast_state(node: cst.Call, module: Module) -> Iterator[Match]:
    name = module.name(node.func)
    if name not in _ARGUMENTS or len(node.args) != _ARGUMENTS[name]:
        return
    if any(arg.star or arg.keyword for arg in node.args):
        return
    kind = device_type(node, module)
    new, imports = module.use(name.replace("_gpu", ""), node)
    edits = surround(node, module, [kind.text], ())
    fix = kind.fix(module.replace(node.func, new), *edits, *imports, safe=False, since=_SINCE)
    yield rule.match(node.func, fix, old=module.text(node.func), new=new, device=kind.name)
