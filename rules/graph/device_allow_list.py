"""NL812: devices of some names treated in their own way, where others need the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import BACKENDS, Match, Module, Rule, Severity, last_name

rule = Rule(
    "NL812",
    "device-allow-list",
    "{named} are named here, neuron and any other device are passed over; ask for what the code "
    'needs (a dtype, `device.type != "cpu"`), or name the others, too',
    __name__,
    Severity.INFO,
    branches=Severity.INFO,
    triggers=("cuda", *sorted(BACKENDS)),
    whole=True,
    optional=True,
)

_FLAG = re.compile(r"(?:is|on|use|has)_(" + "|".join(sorted(BACKENDS | {"cuda"})) + r")(?:_\w+)?")


@rule.check
def flags(node: cst.BooleanOperation, module: Module) -> Iterator[Match]:
    """`is_mps or is_npu`: flags for devices, one after the other."""
    if isinstance(module.parent(node), cst.BooleanOperation):
        return
    asked = [_flagged(one) for one in _parts(node)]
    names = list(dict.fromkeys(one for one in asked if one))
    if isinstance(node.operator, cst.Or) and len(names) > 1 and None not in asked:
        yield from _found(node, names, module)


@rule.check
def listed(node: cst.Comparison, module: Module) -> Iterator[Match]:
    """`device.type in ("cpu", "mps")`: a device looked up in a list."""
    match node.comparisons:
        case [
            cst.ComparisonTarget(
                operator=cst.In(),
                comparator=cst.Tuple(elements=elements)
                | cst.List(elements=elements)
                | cst.Set(elements=elements),
            )
        ]:
            pass
        case _:
            return
    values = (one.value for one in elements)
    names = [str(one.evaluated_value) for one in values if isinstance(one, cst.SimpleString)]
    if len(names) < len(elements) or "cuda" in names:  # cuda-comparison finds those
        return
    others = [name for name in names if name != "cpu"]
    if others and len(names) > 1 and set(others) <= BACKENDS and _is_device(node.left):
        yield from _found(node, names, module)


def _found(node: cst.CSTNode, names: list[str], module: Module) -> Iterator[Match]:
    if "neuron" not in names and not module.hot.is_test:
        yield rule.match(node, named=" and ".join(f"`{name}`" for name in names))


def _parts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    match test:
        case cst.BooleanOperation(left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case _:
            yield test


def _flagged(test: cst.BaseExpression) -> str | None:
    """The device that a flag or a comparison asks for."""
    match test:
        case cst.Comparison(
            left=left,
            comparisons=[
                cst.ComparisonTarget(
                    operator=cst.Equal(), comparator=cst.SimpleString(evaluated_value=text)
                )
            ],
        ):
            known = text in BACKENDS or text == "cuda"
            return str(text) if known and _is_device(left) else None
        case cst.Call(func=function):
            found = _FLAG.fullmatch(last_name(function))
        case _:
            found = _FLAG.fullmatch(last_name(test))
    return found[1] if found else None


def _is_device(value: cst.BaseExpression) -> bool:
    name = last_name(value).lower()
    return name.endswith(("device", "device_type")) or (
        name == "type"
        and isinstance(value, cst.Attribute)
        and last_name(value.value).lower().endswith("device")
    )
