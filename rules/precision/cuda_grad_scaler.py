"""NL402: a gradient scaler that means CUDA."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Edit, Fix, Match, Module, Rule, Severity

from .arguments import named, surround, switched
from .device_type import DeviceType, device_type
from .references import is_whole

rule = Rule(
    "NL402",
    "cuda-grad-scaler",
    "`{old}` scales on CUDA only; `{new}` scales on the accelerator there is",
    __name__,
    Severity.WARNING,  # they switch themselves off
    guarded=Severity.WARNING,
    triggers=("GradScaler",),
)

_PORTABLE = "torch.amp.GradScaler"
_CUDA = {"torch.cuda.amp.GradScaler", "torch.cuda.amp.grad_scaler.GradScaler"}
_ANY = {_PORTABLE, "torch.GradScaler", "torch.amp.grad_scaler.GradScaler"}
_CUDA_NAMES = ("init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")
_ANY_NAMES = ("device", *_CUDA_NAMES)
_SINCE = "2.3"


@rule.check
def cuda_grad_scaler(node: cst.Call, module: Module) -> Iterator[Match]:
    name = module.name(node.func)
    if name in _CUDA:
        yield _of_cuda(node, module)
    elif name in _ANY and (arguments := named(node, _ANY_NAMES)) is not None:
        yield from _of_any(node, arguments, module)


@rule.check
def cuda_grad_scaler_named(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    if module.name(node) not in _CUDA or not is_whole(node, module):
        return
    new, imports = module.use(_PORTABLE, node)
    annotates = module.enclosing(node, cst.Annotation) is not None
    trust = Applicability.SAFE if annotates else Applicability.UNSAFE
    fix = Fix((module.replace(node, new), *imports), trust, _SINCE)
    named_only = annotates or _asks_for_class(node, module)
    yield rule.match(node, fix if named_only else None, old=module.text(node), new=new)


def _of_cuda(call: cst.Call, module: Module) -> Match:
    kind = device_type(call, module)
    old = module.text(call.func)
    new, imports = module.use(_PORTABLE, call)
    message = f"{new}({kind.name})"
    arguments = named(call, _CUDA_NAMES)
    if arguments is None:
        return rule.match(call.func, old=old, new=message)
    back = _enabled(arguments, kind)
    edits = [
        module.replace(call.func, new),
        *_switched(arguments, kind, module),
        *surround(call, module, [kind.text], back, _CUDA_NAMES),
        *imports,
    ]
    safe = "**" not in arguments and not _is_told_apart(module)
    fix = kind.fix(*edits, safe=safe, since=_SINCE)
    return rule.match(call.func, fix, old=old, new=message)


def _is_told_apart(module: Module) -> bool:
    """Whether the file asks for CUDA's class, of which the portable scaler is no object."""
    nodes = [*module.nodes(cst.Attribute), *module.nodes(cst.Name)]
    return any(module.name(node) in _CUDA and _asks_for_class(node, module) for node in nodes)


def _of_any(call: cst.Call, arguments: dict[str, cst.Arg], module: Module) -> Iterator[Match]:
    """A match for `torch.amp.GradScaler`, which means CUDA where it is told nothing else."""
    kind = device_type(call, module)
    device = arguments.get("device")
    written = module.text(call.func)
    new = f"{written}({kind.name})"
    if device is None:
        spread = "**" in arguments
        edits = surround(call, module, [kind.text], _enabled(arguments, kind))
        edits += _switched(arguments, kind, module)
        fix = None if spread else kind.fix(*edits, since=_SINCE)
        yield rule.match(call.func, fix, old=f"{written}()", new=new)
    elif (found := module.devices.text(device.value)) is not None:
        edits = [module.replace(found.node, kind.text), *_switched(arguments, kind, module)]
        edits += surround(call, module, (), _enabled(arguments, kind))
        fix = kind.fix(*edits, safe="**" not in arguments, since=_SINCE)
        yield rule.match(device.value, fix, old=f"{written}({module.text(device)})", new=new)


def _enabled(arguments: dict[str, cst.Arg], kind: DeviceType) -> list[str]:
    given = "enabled" in arguments or "**" in arguments
    return [] if given or not kind.asked else [f"enabled={kind.asked}"]


def _switched(arguments: dict[str, cst.Arg], kind: DeviceType, module: Module) -> list[Edit]:
    return switched(arguments["enabled"], kind, module) if "enabled" in arguments else []


def _asks_for_class(node: cst.CSTNode, module: Module) -> bool:
    """Whether a reference is the class, or one of the classes, that `isinstance` asks for."""
    call = module.enclosing(node, cst.Call)
    match call:
        case cst.Call(
            func=cst.Name("isinstance" | "issubclass"), args=[_, cst.Arg(value=cst.Tuple())]
        ):
            return isinstance(module.parent(node), cst.Element)
        case cst.Call(func=cst.Name("isinstance" | "issubclass"), args=[_, cst.Arg(value=asked)]):
            return asked is node
        case _:
            return False
