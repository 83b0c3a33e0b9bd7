"""NL804: a result of which the size depends on data."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import HOT, Match, Module, Rule, keyword_of

rule = Rule(
    "NL804",
    "data-dependent-shape",
    "the size of `{result}` depends on the data, so the device is waited for and new shapes are "
    "compiled in {hot}; {instead}",
    __name__,
    triggers=HOT,
    whole=True,
    optional=True,
)

_INSTEAD = {
    "nonzero": "a mask with `torch.where` keeps the shape",
    "argwhere": "a mask with `torch.where` keeps the shape",
    "unique": "count with `scatter_add` or a fixed number of classes, which keeps the shape",
    "unique_consecutive": "count with `scatter_add` or a fixed number of classes, which keeps the "
    "shape",
    "masked_select": "`torch.where` with a neutral value keeps the shape",
    "where": "with three arguments it keeps the shape, and a sum over the condition counts",
}
_MASKED = "`torch.where(mask, x, neutral)` keeps the shape, and a sum over the mask counts"


@rule.check
def call(node: cst.Call, module: Module) -> Iterator[Match]:
    last = _called(node, module)
    if last is None or (last == "where" and len(node.args) != 1):
        return
    if any(keyword_of(arg) in ("size", "out") for arg in node.args):
        return
    if hot := module.hot.at(node):
        yield rule.match(node, result=_text(node, module), hot=hot, instead=_INSTEAD[last])


@rule.check
def selected(node: cst.Subscript, module: Module) -> Iterator[Match]:
    """`x[mask]`, where it is read; to assign to it has a rule of its own."""
    parent = module.parent(node)
    if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del)) or _is_counted(node, module):
        return
    parts = [one.slice.value for one in node.slice if isinstance(one.slice, cst.Index)]
    if not module.tensors.holds(node.value) or not any(map(module.tensors.masks, parts)):
        return
    if hot := module.hot.at(node):
        yield rule.match(node, result=_text(node, module), hot=hot, instead=_MASKED)


def _called(call: cst.Call, module: Module) -> str | None:
    """Which of the functions or methods a call is."""
    name = module.name(call.func)
    if name is not None:
        package, _, last = name.rpartition(".")
        return last if package == "torch" and last in _INSTEAD else None
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value == "where":
        return None
    last = call.func.attr.value
    return last if last in _INSTEAD and module.tensors.holds(call.func.value) else None


def _is_counted(node: cst.Subscript, module: Module) -> bool:
    """Whether the whole is one of several parts of an assignment, or a number of it is asked."""
    return isinstance(module.parent(node), cst.Element) and isinstance(
        module.parent(module.parent(module.parent(node))), cst.AssignTarget
    )


def _text(node: cst.BaseExpression, module: Module) -> str:
    return module.text(node).split("\n")[0]
