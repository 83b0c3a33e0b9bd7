"""NL205: streams of torch.cuda."""

from collections.abc import Callable, Iterator

import libcst as cst

from neuronlint import (
    ACCELERATOR_SINCE,
    Edit,
    Fix,
    Match,
    Module,
    Placed,
    Rule,
    Severity,
    dotted,
    is_constant,
    last_name,
)

from .guarded import ON_ACCELERATOR, guard, guarded, stream_line, stream_lines
from .uses import (
    ACCELERATOR,
    OTHER,
    Use,
    argument_of,
    is_integer,
    newest,
    supports,
    trust,
    use_of,
)

rule = Rule(
    "NL205",
    "cuda-stream",
    "`{old}` is for CUDA streams only; {instead}",
    __name__,
    Severity.ERROR,
    triggers=("cuda",),
    context=("wait_stream", "record_stream"),
)

_NAMES = frozenset(
    {"Stream", "StreamContext", "stream", "current_stream", "default_stream", "set_stream"}
)
TABLE = {
    name: row for name, row in {**ACCELERATOR, **OTHER}.items() if name.rpartition(".")[2] in _NAMES
}
_MAKES_STREAM = frozenset(
    {"torch.cuda.Stream", "torch.cuda.streams.Stream", "torch.Stream"}
    | {"torch.cuda.current_stream", "torch.accelerator.current_stream", "torch.cuda.default_stream"}
)
_RAW = frozenset({"cuda_stream", "_as_parameter_", "priority_range"})
_ENTERED = "2.7"  # a torch.Stream is a context manager


@rule.check
def cuda_stream(node: cst.Attribute | cst.Name | cst.Call, module: Module) -> Iterator[Match]:
    if (use := use_of(node, module, TABLE)) is None:
        return
    fix = _named(use, module) if use.call is None else _CALLS[use.name](use, use.call, module)
    instead = use.row.instead or f"`{use.row.new}` is for those of any accelerator"
    yield rule.match(node, fix, old=module.name(node) or use.name, instead=instead)


def _named(use: Use, module: Module) -> Fix | None:
    """The class as it stands in an annotation or in isinstance."""
    if use.name != "torch.cuda.Stream" or not is_type(use.node, module):
        return None
    new, edits = module.use("torch.Stream", use.node)
    return Fix((module.replace(use.node, new), *edits), trust(False), use.row.since)


def is_type(node: cst.BaseExpression, module: Module) -> bool:
    """Whether a class stands where a type is asked for: an annotation, isinstance."""
    if module.enclosing(node, cst.Annotation) is not None:
        return True
    call = module.enclosing(node, cst.Call)
    return isinstance(call, cst.Call) and getattr(call.func, "value", "") == "isinstance"


def _made(use: Use, call: cst.Call, module: Module) -> Fix | None:
    """A stream of the device, and guards around the statements that a CPU's stream raises at."""
    given = {_keyword(arg, position): arg for position, arg in enumerate(call.args)}
    if not given.keys() <= {"device", "priority"}:
        return None
    placed = _device(call, given["device"].value if "device" in given else None, module)
    new, edits = module.use("torch.Stream", call)
    arguments = [placed.text]
    if "priority" in given:
        arguments.append(f"priority={module.text(given['priority'].value)}")
    edits += [module.replace(call, f"{new}({', '.join(arguments)})"), *placed.edits]
    for line in stream_lines(module):
        edits += guard(line, module)
    return Fix(tuple(edits), trust(False), newest(ACCELERATOR_SINCE, use.row.since))


def _keyword(arg: cst.Arg, position: int) -> str:
    if arg.keyword is not None or arg.star:
        return arg.keyword.value if arg.keyword else arg.star
    return ("device", "priority", "?")[min(position, 2)]


def _device(call: cst.Call, value: cst.BaseExpression | None, module: Module) -> Placed:
    if value is None or is_constant(value, "None"):
        return module.placement.object(call)
    if (found := module.devices.text(value) or module.devices.object(value)) is not None:
        return module.placement.object(call, found)
    if is_integer(value, module):
        return module.placement.integer(call, module.text(value))
    return Placed(module.text(value), exact=False)


def _entered(use: Use, call: cst.Call, module: Module) -> Fix | None:
    """The stream itself, which is entered; where it may be None, what ignores that."""
    match call.args:
        case [cst.Arg(value=value, star="", keyword=None | cst.Name("stream"))]:
            pass
        case _:
            return None
    if _is_stream(value, module) and supports(module, _ENTERED):
        return Fix((module.replace(call, module.text(value)),), trust(False), _ENTERED)
    get, edits = module.use("torch.get_device_module", call)
    placed = module.placement.object(call)
    edits.append(module.replace(call.func, f"{get}({placed.text}).stream"))
    return placed.fix(*edits, safe=False)


def _is_stream(value: cst.BaseExpression, module: Module) -> bool:
    """Whether an expression is surely a stream, not None, as far as the file tells."""
    match value:
        case cst.Call(func=function):
            return module.name(function) in _MAKES_STREAM
        case cst.IfExp(body=body, orelse=orelse):
            return _is_stream(body, module) and _is_stream(orelse, module)
        case cst.Name():
            found = module.names.value(value)
            return found is not None and found is not value and _is_stream(found, module)
        case cst.Attribute():
            values = _values(dotted(value), module)
            return bool(values) and all(
                isinstance(one, cst.Call) and _is_stream(one, module) for one in values
            )
        case _:
            return False


def _values(target: str | None, module: Module) -> list[cst.BaseExpression]:
    """Everything that this file assigns to an attribute."""
    return [
        assign.value
        for assign in module.nodes(cst.Assign)
        for goal in assign.targets
        if target is not None and dotted(goal.target) == target
    ]


def _current(use: Use, call: cst.Call, module: Module) -> Fix | None:
    argument = argument_of(call, module)
    if argument is None or _is_raw(call, module):
        return None
    new, edits = module.use("torch.accelerator.current_stream", call)
    return _read(call, f"{new}({argument.text})", argument.exact, edits, module)


def _default(use: Use, call: cst.Call, module: Module) -> Fix | None:
    """None: `torch.accelerator` has no default stream, nor has the module of every accelerator."""
    return None


def _read(call: cst.Call, text: str, exact: bool, edits: list[Edit], module: Module) -> Fix:
    """A stream that is read: what it is asked is guarded, or a stream of the CPU stands for it."""
    line = stream_line(call, module)
    if line is not None:
        edits += [module.replace(call, text), *guard(line, module)]
    elif (asked := _asked_of(call, module)) is not None:
        given = ", ".join(module.text(arg) for arg in asked.args)
        edits += guarded(asked, f"{text}.{last_name(asked.func)}({given})", module)
    else:
        stream, imports = module.use("torch.Stream", call)
        edits += [*imports, *guarded(call, text, module, f'{stream}("cpu")')]
    return Fix(tuple(edits), trust(exact and line is not None), ACCELERATOR_SINCE)


def _asked_of(stream: cst.Call, module: Module) -> cst.Call | None:
    """The call of a method of a stream that a CPU's stream raises at."""
    method = module.parent(stream)
    call = module.parent(method)
    if isinstance(call, cst.Call) and call.func is method:
        return call if last_name(method) in ON_ACCELERATOR else None
    return None


def _is_raw(call: cst.Call, module: Module) -> bool:
    parent = module.parent(call)
    return isinstance(parent, cst.Attribute) and parent.attr.value in _RAW


def _set(use: Use, call: cst.Call, module: Module) -> Fix | None:
    match call.args:
        case [cst.Arg(value=value, star="", keyword=None | cst.Name("stream"))]:
            new, edits = module.use(use.row.new, call)
            edits += guarded(call, f"{new}({module.text(value)})", module)
            safe = use.row.safe and _is_stream(value, module)
            return Fix(tuple(edits), trust(safe), use.row.since)
        case _:
            return None


_CALLS: dict[str, Callable[[Use, cst.Call, Module], Fix | None]] = {
    "torch.cuda.Stream": _made,
    "torch.cuda.StreamContext": _entered,
    "torch.cuda.current_stream": _current,
    "torch.cuda.default_stream": _default,
    "torch.cuda.set_stream": _set,
    "torch.cuda.stream": _entered,
}
