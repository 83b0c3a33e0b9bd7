"""NL401: autocast that means CUDA."""

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from neuronlint import Edit, Match, Module, Rule, Severity, is_constant

from ..device.choice import read_choice
from .arguments import named, surround, switched, value
from .device_type import DeviceType, device_type
from .references import is_whole

rule = Rule(
    "NL401",
    "cuda-autocast",
    "`{old}` casts on CUDA only; `torch.autocast({device})` casts on the accelerator there is",
    __name__,
    Severity.WARNING,  # they switch themselves off
    guarded=Severity.WARNING,
    triggers=("autocast",),
)

_CUDA = {"torch.cuda.amp.autocast", "torch.cuda.amp.autocast_mode.autocast"}
_ANY = {"torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast"}
_CUDA_NAMES = ("enabled", "dtype", "cache_enabled")
_ANY_NAMES = ("device_type", "dtype", "enabled", "cache_enabled")
_SINCE = "1.10"


@rule.check
def cuda_autocast(node: cst.Call, module: Module) -> Iterator[Match]:
    name = module.name(node.func)
    if name in _CUDA:
        yield _of_cuda(node, module)
    elif name in _ANY and (arguments := named(node, _ANY_NAMES)):
        yield from _of_any(node, arguments, module)


@rule.check
def cuda_autocast_named(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    if module.name(node) not in _CUDA or not is_whole(node, module):
        return
    yield rule.match(node, old=module.text(node), device=device_type(node, module).name)


def _of_cuda(call: cst.Call, module: Module) -> Match:
    kind = device_type(call, module)
    old = module.text(call.func)
    arguments = named(call, _CUDA_NAMES)
    if arguments is None or isinstance(value(arguments, "enabled"), cst.BaseString):
        return rule.match(call.func, old=old, device=kind.name)
    new, imports = module.use("torch.autocast", call)
    if call.args:
        edits = surround(call, module, [kind.text], (), _CUDA_NAMES)
        edits += _kept_off(call, arguments, kind, module)
    else:
        back = [text for text in (_float16(call, module), _enabled(kind)) if text]
        edits = surround(call, module, [kind.text], back)
    edits += [module.replace(call.func, new), *imports]
    fix = kind.fix(*edits, safe=_is_safe(call, arguments, module), since=_SINCE)
    return rule.match(call.func, fix, old=old, device=kind.name)


def _of_any(call: cst.Call, arguments: dict[str, cst.Arg], module: Module) -> Iterator[Match]:
    """A match for `torch.autocast("cuda")`."""
    if (device := arguments.get("device_type")) is None:
        return
    if (found := module.devices.text(device.value)) is not None:
        kind = device_type(call, module)
        edits = _kept_off(call, arguments, kind, module)
        replaced = module.replace(found.node, kind.text)
        safe = _is_safe(call, arguments, module)
        fix = kind.fix(replaced, *edits, safe=safe, since=_SINCE)
        old = f"{module.text(call.func)}({module.text(device)})"
        yield rule.match(device.value, fix, old=old, device=kind.name)
    elif isinstance(device.value, cst.IfExp):
        yield from _of_choice(call, device.value, module)


def _of_choice(call: cst.Call, choice: cst.IfExp, module: Module) -> Iterator[Match]:
    """A match for `"cuda" if use_cuda else "cpu"`, which says itself what a CPU does.

    One that asks for CUDA itself is a choice of device like any other: cuda-or-cpu finds it.
    """
    branches = (choice.body, choice.orelse)
    found = next((branch for branch in branches if module.devices.text(branch)), None)
    if found is None or read_choice(choice, module) or not any(map(_is_cpu, branches)):
        return
    kind = device_type(call, module)
    fix = kind.fix(module.replace(found, kind.text), safe=False, since=_SINCE)
    old = f"{module.text(call.func)}({module.text(found)})"
    yield rule.match(choice, fix, old=old, device=kind.name)


def _is_safe(call: cst.Call, arguments: dict[str, cst.Arg], module: Module) -> bool:
    """Whether a CPU is left as it was: one that is off would end a CPU's own autocast around it."""
    if "**" in arguments or is_constant(value(arguments, "enabled"), "False"):
        return False
    return not _has_cpus(module)


@lru_cache(maxsize=1)  # the calls of a file come one after another
def _has_cpus(module: Module) -> bool:
    """Whether a file has the autocast of a CPU, or of a device that may be one."""
    return any(_may_be_cpus(call, module) for call in module.nodes(cst.Call))


def _may_be_cpus(call: cst.Call, module: Module) -> bool:
    """Whether a call is the autocast of a CPU, or of a device that may be one and is not asked."""
    name = module.name(call.func) or ""
    if name.startswith("torch.cpu.amp.") and name.endswith("autocast"):
        return True
    arguments = named(call, _ANY_NAMES) if name in _ANY else None
    if not arguments or (device := arguments.get("device_type")) is None:
        return False
    return module.devices.text(device.value) is None and "enabled" not in arguments


def _kept_off(
    call: cst.Call, arguments: dict[str, cst.Arg], kind: DeviceType, module: Module
) -> list[Edit]:
    """The edits that spell out CUDA's own dtype and leave a CPU without autocast, as it was."""
    enabled = value(arguments, "enabled")
    if "**" in arguments or is_constant(enabled, "False"):
        return []
    back = [] if "dtype" in arguments else [_float16(call, module)]
    if enabled is None and kind.asked:
        back.append(_enabled(kind))
    edits = surround(call, module, (), back) if back else []
    return edits if enabled is None else switched(arguments["enabled"], kind, module) + edits


def _float16(call: cst.Call, module: Module) -> str:
    return f"dtype={module.use('torch.float16', call)[0]}"


def _enabled(kind: DeviceType) -> str:
    return f"enabled={kind.asked}" if kind.asked else ""


def _is_cpu(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.SimpleString) and node.evaluated_value == "cpu"
