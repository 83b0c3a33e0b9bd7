"""NL610: an operator for which the device has no kernel."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity

rule = Rule(
    "NL610",
    "missing-operator",
    "`{old}` is `{operator}`, which has no kernel on {where} and {effect}; {instead}",
    __name__,
    Severity.ERROR,
    triggers=("torch",),
    whole=True,
    needs="operators",
)

_TENSOR = "torch.Tensor"


@rule.check
def missing_operator(node: cst.Call, module: Module) -> Iterator[Match]:
    operators = module.settings.operators
    if operators is None or (name := _called(node.func, module)) is None:
        return
    if (operator := operators.by_name.get(name)) is None:
        return
    about = [each for each in module.settings.targets if each.device.value == operators.device]
    if not about:
        return
    back = all(each.falls_back for each in about)
    targets = tuple(each.name for each in about)
    yield rule.match(
        node.func,
        severity=Severity.WARNING if back else None,
        symbol=name,
        targets=targets,
        old=module.text(node.func),
        operator=operator,
        where=", ".join(targets),
        effect="falls back to the CPU" if back else "fails there",
        instead="keep it out of what runs often" if back else "use operators that it has",
    )


def _called(function: cst.BaseExpression, module: Module) -> str | None:
    """The dotted name of what is called: a function of torch, or a method of a tensor."""
    name = module.name(function)
    if name is not None:
        return name
    if isinstance(function, cst.Attribute) and module.tensors.holds(function.value):
        return f"{_TENSOR}.{function.attr.value}"
    return None
