"""NL303: the choice of attention kernels by torch.backends.cuda."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Fix, Match, Module, Rule, Severity

from .settings import CUDA, row_of

rule = Rule(
    "NL303",
    "sdp-kernel",
    "`{old}` chooses among kernels of CUDA; `{new}` does it on any device",
    __name__,
    Severity.WARNING,
    triggers=("cuda with backends",),
)

_KERNEL = "torch.backends.cuda.sdp_kernel"
TABLE = {name: row for name, row in CUDA.items() if row.new.startswith("torch.nn.attention.")}
_KERNELS = {
    "enable_flash": "FLASH_ATTENTION",
    "enable_mem_efficient": "EFFICIENT_ATTENTION",
    "enable_math": "MATH",
    "enable_cudnn": "CUDNN_ATTENTION",
}
_POSITIONS = ("enable_flash", "enable_math", "enable_mem_efficient", "enable_cudnn")
_WITH_CUDNN = "2.5"


@rule.check
def sdp_kernel(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    if (found := row_of(node, module, TABLE)) is None:
        return
    name, row = found
    call = module.parent(node)
    fix = None
    if name != _KERNEL:
        new, edits = module.use(row.new, node)
        fix = Fix((module.replace(node, new), *edits), Applicability.SAFE, row.since)
    elif isinstance(call, cst.Call) and call.func is node:
        fix = _listed(call, module)
    yield rule.match(node, fix, old=name, new=row.new)


def _listed(call: cst.Call, module: Module) -> Fix | None:
    """The kernels that the arguments leave on, the math kernel always among them."""
    asked = dict.fromkeys(_POSITIONS, True)
    for position, arg in enumerate(call.args):
        name = arg.keyword.value if arg.keyword else _POSITIONS[min(position, 3)]
        if arg.star or name not in asked or not isinstance(arg.value, cst.Name):
            return None
        if arg.value.value not in ("True", "False"):
            return None
        asked[name] = arg.value.value == "True"
    backend, edits = module.use("torch.nn.attention.SDPBackend", call)
    new, _ = module.use("torch.nn.attention.sdpa_kernel", call)
    kernels = [_KERNELS[name] for name in _KERNELS if asked[name] or name == "enable_math"]
    listed = ", ".join(f"{backend}.{kernel}" for kernel in kernels)
    trust = Applicability.SAFE if asked["enable_math"] else Applicability.UNSAFE
    since = _WITH_CUDNN if asked["enable_cudnn"] else CUDA[_KERNEL].since
    return Fix((module.replace(call, f"{new}([{listed}])"), *edits), trust, since)
