"""NL805: a tensor assigned to where a mask holds."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import HOT, Applicability, Fix, Match, Module, Rule, below, dotted

rule = Rule(
    "NL805",
    "mask-assignment",
    "`{target} = ...` turns the mask into indices, as many as the data has, in {hot}; {instead}",
    __name__,
    triggers=HOT,
    whole=True,
    optional=True,
)


@rule.check
def mask_assignment(node: cst.Assign, module: Module) -> Iterator[Match]:
    match node.targets:
        case [
            cst.AssignTarget(
                target=cst.Subscript(
                    value=whole, slice=[cst.SubscriptElement(slice=cst.Index(value=mask))]
                ) as target
            )
        ]:
            pass
        case _:
            return
    if not module.tensors.holds(whole) or not module.tensors.masks(mask):
        return
    if not (hot := module.hot.at(node)):
        return
    text, condition, value = map(module.text, (whole, mask, node.value))
    filled = f"{text}.masked_fill_({condition}, {value})"
    number = _is_number(node.value)
    instead = f"`{filled}`" if number else f"`torch.where({condition}, ..., {text})`"
    instead += " keeps the shape"
    fix = None
    if number and _has_shape_of(mask, whole) and "\n" not in filled:
        fix = Fix((module.replace(node, filled),), Applicability.UNSAFE)
    yield rule.match(node, fix, target=module.text(target), hot=hot, instead=instead)


def _is_number(value: cst.BaseExpression) -> bool:
    match value:
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            return _is_number(inner)
        case cst.Call(func=cst.Name("float"), args=[cst.Arg(value=cst.SimpleString())]):
            return True
        case _:
            return isinstance(value, (cst.Integer, cst.Float))


def _has_shape_of(mask: cst.BaseExpression, whole: cst.BaseExpression) -> bool:
    """Whether a mask is told from the tensor itself and numbers, element by element."""
    name = dotted(whole)
    match mask:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            return name is not None and dotted(left) == name and _is_number(right)
        case cst.Call(func=cst.Attribute(attr=cst.Name("isnan" | "isinf" | "isfinite"))):
            return name is not None and any(dotted(one) == name for one in below(mask))
        case cst.UnaryOperation(operator=cst.BitInvert(), expression=inner):
            return _has_shape_of(inner, whole)
        case _:
            return False
