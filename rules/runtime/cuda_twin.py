"""NL202: a name of torch.cuda whose portable form has another name or other arguments."""

from collections.abc import Callable, Iterator

import libcst as cst

from neuronlint import ACCELERATOR_SINCE, Edit, Fix, Match, Module, Rule, Severity

from . import current_device
from .guarded import guarded, line_of
from .uses import (
    ACCELERATOR,
    MODULES,
    OTHER,
    Use,
    argument_of,
    newest,
    quoted,
    renamed,
    severity,
    trust,
    use_of,
)

rule = Rule(
    "NL202",
    "cuda-twin",
    "`{old}` works on CUDA only; {instead}",
    __name__,
    Severity.ERROR,
    triggers=("cuda",),
)

# Rules of their own have these.
_ELSEWHERE = frozenset(
    {
        "Event",
        "Stream",
        "StreamContext",
        "stream",
        "streams",
        "default_stream",
        "device",
        "device_of",
    }
    | {"manual_seed", "manual_seed_all", "seed", "seed_all", "Event.from_ipc_handle"}
)
_CURRENT = "torch.cuda.current_device"
TABLE = {
    name: row
    for name, row in OTHER.items()
    if name.rpartition(".")[2] not in _ELSEWHERE and name not in MODULES
}
TABLE |= {n: row for n, row in ACCELERATOR.items() if row == ACCELERATOR[_CURRENT]}
_MODULE = "torch.get_device_module"
_CLASSES = frozenset(
    {"torch.cuda.AcceleratorError", "torch.cuda.CudaError", "torch.cuda.OutOfMemoryError"}
)


@rule.check
def cuda_twin(node: cst.Attribute | cst.Name | cst.Call, module: Module) -> Iterator[Match]:
    if (use := use_of(node, module, TABLE)) is None:
        return
    instead = use.row.instead or f"`{use.row.new}` works on any accelerator"
    old = module.name(node) or use.name
    fix = _fix(use, module)
    yield rule.match(node, fix, severity=severity(use), old=old, instead=instead)


def _fix(use: Use, module: Module) -> Fix | None:
    if use.name == _CURRENT:
        return current_device.fix(use, module)
    if use.call is not None and (build := _CALLS.get(use.name)):
        return build(use, use.call, module)
    if use.name in _CLASSES or (use.row.new and use.row.safe and use.call is None):
        return renamed(use, module, safe=use.row.safe)
    return None


def _memory(use: Use, call: cst.Call, module: Module) -> Fix | None:
    """The free and the total memory, or one of them; none where there is no accelerator."""
    argument = argument_of(call, module)
    if argument is None:
        return None
    new, edits = module.use(use.row.new, call)
    text = f"{new}({argument.text})"
    match module.parent(call):
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=index))]) as part:
            edits += guarded(part, f"{text}[{module.text(index)}]", module, "0")
        case _:
            edits += guarded(call, text, module, "(0, 0)")
    return Fix(tuple(edits), trust(use.row.safe and argument.exact), use.row.since)


def _initial_seed(use: Use, call: cst.Call, module: Module) -> Fix | None:
    return None if call.args else renamed(use, module, safe=False)


def _on_module(use: Use, call: cst.Call, module: Module) -> Fix | None:
    """The function of the same name in the module of the accelerator, where there is one."""
    argument = argument_of(call, module)
    if argument is None:
        return None
    without, edits = _WITHOUT[use.name](call, module)
    get, imports = module.use(_MODULE, call)
    text = f"{get}().{use.name.rpartition('.')[2]}({argument.text})"
    edits += [*imports, *guarded(call, text, module, without)]
    safe = argument.exact and use.name in _SAME_OBJECTS
    return Fix(tuple(edits), trust(safe), newest(ACCELERATOR_SINCE, use.row.since))


def _set_state(use: Use, call: cst.Call, module: Module) -> Fix | None:
    """`set_rng_state` with its state, and the device where one is given."""
    if any(arg.star for arg in call.args) or not 1 <= len(call.args) <= 2:
        return None
    get, edits = module.use(_MODULE, call)
    arguments = ", ".join(module.text(arg) for arg in call.args)
    if "cuda" in arguments.partition(",")[2]:
        return None
    text = f"{get}().{use.name.rpartition('.')[2]}({arguments})"
    edits += guarded(call, text, module)
    return Fix(
        tuple(edits),
        trust(len(call.args) == 1 and use.name in _SAME_OBJECTS),
        newest(ACCELERATOR_SINCE, use.row.since),
    )


def _bfloat16(use: Use, call: cst.Call, module: Module) -> Fix | None:
    if call.args:
        return None
    capability, edits = module.use("torch.accelerator.get_device_capability", call)
    dtype, _ = module.use("torch.bfloat16", call)
    asked, _ = module.asked(call)
    text = f"{dtype} in {capability}()[{quoted('supported_dtypes', call, module)}]"
    if not module.accelerated(call):
        text = f"{asked}() and {text}"
    tested = _is_tested(call, module.parent(call))
    edits.append(module.replace(call, text) if tested else module.replace_choice(call, text))
    return Fix(tuple(edits), trust(False), use.row.since)


def _is_tested(call: cst.Call, parent: cst.CSTNode) -> bool:
    """Whether a condition may stand in place of the call as it is."""
    match parent:
        case cst.If() | cst.While() | cst.Assert() | cst.BooleanOperation():
            return True
        case cst.IfExp(test=test):
            return test is call
        case _:
            return False


def _properties(use: Use, call: cst.Call, module: Module) -> Fix | None:
    """The memory or the name of the device; other properties have no twin that runs anywhere."""
    field = module.parent(call)
    argument = argument_of(call, module)
    if argument is None or not isinstance(field, cst.Attribute):
        return None
    match field.attr.value:
        case "total_memory":
            new, edits = module.use("torch.accelerator.get_memory_info", call)
            edits += guarded(field, f"{new}({argument.text})[1]", module, "0")
            return Fix(tuple(edits), trust(False), use.row.since)
        case "name":
            get, edits = module.use(_MODULE, call)
            text = f"{get}().get_device_properties({argument.text}).name"
            edits += guarded(field, text, module, quoted("cpu", call, module))
            return Fix(tuple(edits), trust(False), ACCELERATOR_SINCE)
        case _:
            return None


def _range(use: Use, call: cst.Call, module: Module) -> Fix | None:
    """`record_function`, which takes a name alone."""
    return renamed(use, module, safe=False) if len(call.args) == 1 else None


def _init(use: Use, call: cst.Call, module: Module) -> Fix | None:
    line = line_of(call, module)
    edits = module.remove(line.body[0]) if line is not None else None
    return Fix(tuple(edits), trust(False)) if edits else None


def _nothing(text: str) -> Callable[[cst.Call, Module], tuple[str, list[Edit]]]:
    return lambda call, module: (text, [])


_WITHOUT: dict[str, Callable[[cst.Call, Module], tuple[str, list[Edit]]]] = {
    "torch.cuda.get_device_name": lambda call, module: (quoted("cpu", call, module), []),
    "torch.cuda.get_rng_state": lambda call, module: _called("torch.get_rng_state", call, module),
    "torch.cuda.get_rng_state_all": _nothing("[]"),
    "torch.cuda.is_initialized": _nothing("False"),
}
_SAME_OBJECTS = frozenset({"torch.cuda.get_rng_state", "torch.cuda.set_rng_state"})
_CALLS: dict[str, Callable[[Use, cst.Call, Module], Fix | None]] = {
    "torch.cuda.get_device_name": _on_module,
    "torch.cuda.get_device_properties": _properties,
    "torch.cuda.get_rng_state": _on_module,
    "torch.cuda.get_rng_state_all": _on_module,
    "torch.cuda.init": _init,
    "torch.cuda.initial_seed": _initial_seed,
    "torch.cuda.is_bf16_supported": _bfloat16,
    "torch.cuda.is_initialized": _on_module,
    "torch.cuda.mem_get_info": _memory,
    "torch.cuda.nvtx.range": _range,
    "torch.cuda.set_rng_state": _set_state,
    "torch.cuda.set_rng_state_all": _set_state,
}


def _called(qualified: str, call: cst.Call, module: Module) -> tuple[str, list[Edit]]:
    text, edits = module.use(qualified, call)
    return f"{text}()", edits
