"""NL403: `custom_fwd` and `custom_bwd` that mean CUDA."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

from .arguments import surround
from .device_type import device_type
from .references import is_whole

rule = Rule(
    "NL403",
    "cuda-custom-autograd",
    "`{old}` follows CUDA's autocast only; "
    "`{new}(device_type={device})` follows that of the device there is",
    __name__,
    Severity.ERROR,
    guarded=Severity.WARNING,
    triggers=("custom_fwd", "custom_bwd"),
)

_PORTABLE = {
    f"torch.cuda.amp.{place}{name}": f"torch.amp.{name}"
    for place in ("", "autocast_mode.")
    for name in ("custom_fwd", "custom_bwd")
}
_SINCE = "2.4"


@rule.check
def cuda_custom_autograd(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    name = module.name(node)
    if name not in _PORTABLE:
        return
    new, imports = module.use(_PORTABLE[name], node)
    kind = device_type(node, module)
    argument = f"device_type={kind.text}"
    parent = module.parent(node)
    edits = [module.replace(node, new), *imports]
    match parent:
        case cst.Call(func=function) if function is node:
            front, back = ((), [argument]) if _wraps(parent) else ([argument], ())
            edits += surround(parent, module, front, back)
        case cst.Decorator():
            edits[0] = module.replace(node, f"{new}({argument})")
        case _ if is_whole(node, module):
            yield rule.match(node, old=module.text(node), new=new, device=kind.name)
            return
        case _:
            return
    fix = kind.fix(*edits, safe=False, since=_SINCE)  # a CPU's autocast counts then, too
    yield rule.match(node, fix, old=module.text(node), new=new, device=kind.name)


def _wraps(call: cst.Call) -> bool:
    """Whether a call is given the function, which must stay before a keyword."""
    return any(not arg.keyword for arg in call.args)
