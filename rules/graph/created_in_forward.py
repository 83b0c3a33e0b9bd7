"""NL810: a tensor made on the CPU in every step, and moved from there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from neuronlint import Applicability, Edit, Fix, Match, Module, Rule, keyword_of, last_name

rule = Rule(
    "NL810",
    "created-in-forward",
    "`{made}` is made on the CPU and copied to the device in {hot}; `device={device}` makes it "
    "there",
    __name__,
    triggers=(".to(",),
    whole=True,
    optional=True,
)

# What comes out to be the same on every device; the others are rounded, or drawn, otherwise.
_SAME = frozenset({"torch.zeros", "torch.ones", "torch.full", "torch.eye", "torch.tensor"})
_MAKES = _SAME | {
    *("torch.arange", "torch.empty", "torch.linspace", "torch.rand", "torch.randn"),
    *("torch.randint", "torch.randperm", "torch.normal", "torch.logspace"),
}


@rule.check
def created_in_forward(node: cst.Call, module: Module) -> Iterator[Match]:
    match node:
        case cst.Call(
            func=cst.Attribute(
                value=cst.Call(func=function, args=arguments) as made, attr=cst.Name("to")
            ),
            args=[cst.Arg() as given, *rest],
        ):
            pass
        case _:
            return
    name = module.name(function)
    told = any(keyword_of(arg) in ("device", "out") or arg.star for arg in arguments)
    device = _device(given, module)
    if name not in _MAKES or told or not arguments or device is None:
        return
    if hot := module.hot.at(node):
        fix = _fix(node, made, device, module) if _moves_only(made, rest) else None
        text = f"torch.{last_name(function)}(...)"
        yield rule.match(node, fix, made=text, hot=hot, device=device)


def _moves_only(made: cst.Call, rest: Sequence[cst.Arg]) -> bool:
    """Whether a tensor, with nothing but a shape and a dtype said of it, is moved and no more."""
    said = {keyword_of(arg) for arg in made.args}
    plain = said <= {"", "dtype", "size", "fill_value", "data", "start", "end", "step"}
    return plain and not made.lpar and all(keyword_of(arg) == "non_blocking" for arg in rest)


def _fix(node: cst.Call, made: cst.Call, device: str, module: Module) -> Fix | None:
    name = module.name(made.func)
    safe = name in _SAME or (name == "torch.arange" and _counts(made.args))
    _, last = module.span(made.args[-1])
    _, closed = module.span(made)
    _, end = module.span(node)
    if b"#" in module.source.data[closed:end]:
        return None
    edits = (Edit(last, last, f", device={device}"), Edit(closed, end, ""))
    return Fix(edits, Applicability.SAFE if safe else Applicability.UNSAFE)


def _device(given: cst.Arg, module: Module) -> str | None:
    """The device that `.to` is given, if it is one beyond doubt."""
    if keyword_of(given) not in ("", "device"):
        return None
    is_device = keyword_of(given) == "device" or last_name(given.value) == "device"
    return module.text(given.value) if is_device and "\n" not in module.text(given.value) else None


def _counts(arguments: Sequence[cst.Arg]) -> bool:
    """Whether a range is surely one of whole numbers."""
    return all(isinstance(arg.value, cst.Integer) for arg in arguments) or any(
        keyword_of(arg) == "dtype" and last_name(arg.value) in ("long", "int", "int64", "int32")
        for arg in arguments
    )
