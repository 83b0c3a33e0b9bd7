"""NL207: a context in which a CUDA device is the current one."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Edit, Fix, Match, Module, Receiver, Rule, Severity, last_name

from .uses import OTHER, Use, device_argument, trust, use_of

rule = Rule(
    "NL207",
    "cuda-context",
    "`{old}` takes CUDA devices only; {instead}",
    __name__,
    Severity.ERROR,
    triggers=("cuda",),
)

TABLE = {n: row for n, row in OTHER.items() if row.new == "torch.accelerator.device_index"}
# Their `device` may be a text or a number.
_OWNERS = frozenset(
    {
        "self",
        "args",
        "cfg",
        "config",
        "conf",
        "opt",
        "opts",
        "options",
        "hparams",
        "params",
        "flags",
    }
)
_TENSOR_PARTS = (cst.Name, cst.Attribute, cst.Subscript, cst.Call)


@rule.check
def cuda_context(node: cst.Attribute | cst.Name | cst.Call, module: Module) -> Iterator[Match]:
    if (use := use_of(node, module, TABLE)) is None:
        return
    old = module.name(node) or use.name
    yield rule.match(node, _fix(use, module), old=old, instead=use.row.instead)


def _fix(use: Use, module: Module) -> Fix | None:
    if use.call is None:
        return _annotated(use, module)
    match use.call.args:
        case [cst.Arg(value=value, star="", keyword=None | cst.Name("device" | "tensor"))]:
            pass
        case _:
            return None
    if use.name == "torch.cuda.device_of":
        if not isinstance(value, _TENSOR_PARTS):
            return None
        return _indexed(use, f"{module.text(value)}.device.index", [], True, module)
    text, edits, exact = _index(value, module)
    return _indexed(use, text, edits, exact, module)


def _indexed(use: Use, index: str, edits: list[Edit], exact: bool, module: Module) -> Fix | None:
    if use.call is None:
        return None
    new, imports = module.use(use.row.new, use.call)
    edits = [module.replace(use.call, f"{new}({index})"), *imports, *edits]
    return Fix(tuple(edits), trust(exact), use.row.since)


def _index(value: cst.BaseExpression, module: Module) -> tuple[str, list[Edit], bool]:
    """The index of a device, None without an accelerator, which changes nothing."""
    match value:
        case cst.Attribute(attr=cst.Name("index")):
            return module.text(value), [], True
        case cst.Attribute(value=owner, attr=cst.Name("device")) if last_name(owner) not in _OWNERS:
            known = module.receivers.kind(owner) is Receiver.TORCH
            return f"{module.text(value)}.index", [], known
        case cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("get_device")), args=[]):
            return f"{module.text(tensor)}.device.index", [], True
    return _asked(value, module)


def _asked(value: cst.BaseExpression, module: Module) -> tuple[str, list[Edit], bool]:
    given = device_argument(value, module)
    if not given.text:
        return "None", [], True
    text = given.text
    imports: list[Edit] = []
    if not given.exact and text == module.text(value):
        device, imports = module.use("torch.device", value)
        text = f"{device}({text}).index"
    if module.accelerated(value):
        return text, imports, given.exact
    asked, edits = module.asked(value)
    return f"{text} if {asked}() else None", [*edits, *imports], given.exact


def _annotated(use: Use, module: Module) -> Fix | None:
    """The type of a device, for which the context is mistaken in annotations."""
    if module.enclosing(use.node, cst.Annotation) is None:
        return None
    new, edits = module.use("torch.device", use.node)
    return Fix((module.replace(use.node, new), *edits), trust(False), "2.0")
