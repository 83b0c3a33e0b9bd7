"""NL806: a loader for training of which the last batch is smaller."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import (
    Applicability,
    Edit,
    Fix,
    Match,
    Module,
    Rule,
    Severity,
    is_constant,
    keyword_of,
    last_name,
)

rule = Rule(
    "NL806",
    "ragged-batch",
    "the last batch of an epoch is smaller, a shape of its own that is compiled for; "
    "`drop_last=True` leaves it out",
    __name__,
    Severity.INFO,
    triggers=("*DataLoader*",),
    whole=True,
    optional=True,
)

_LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})
_TRAINING = re.compile(r"(?:.*_)?train(?:ing|er)?(?:_.*|loader|set|\d*)?")
_OTHERWISE = re.compile(r".*(?:eval|val|test|infer|predict|calib).*")


@rule.check
def ragged_batch(node: cst.Call, module: Module) -> Iterator[Match]:
    if module.name(node.func) not in _LOADERS or any(arg.star for arg in node.args):
        return
    if module.hot.is_test:
        return
    given = {keyword_of(arg): arg.value for arg in node.args}
    placed = [arg.value for arg in node.args if not arg.keyword]
    size = given.get("batch_size") or (placed[1] if len(placed) == 2 else None)
    one = isinstance(size, cst.Integer) and size.value == "1"
    if size is None or one or is_constant(size, "None") or "batch_sampler" in given:
        return
    if not is_constant(given.get("drop_last", cst.Name("False")), "False"):
        return
    if len(placed) <= 2 and _trains(node, given, module):
        yield rule.match(node.func, Fix((_edit(node, given, module),), Applicability.UNSAFE))


def _trains(call: cst.Call, given: dict[str, cst.BaseExpression], module: Module) -> bool:
    """Whether a loader is one to train with: by its order, or by what it is called."""
    names = [last_name(target) for target in _targets(call, module)]
    function = module.enclosing(call, cst.FunctionDef)
    names.append(function.name.value if function else "")
    loaded = [last_name(arg.value) for arg in call.args[:1]]
    if any(_OTHERWISE.fullmatch(name.lower()) for name in (*names, *loaded)):
        return False
    shuffled = is_constant(given.get("shuffle"), "True")
    return shuffled or any(_TRAINING.fullmatch(name.lower()) for name in names)


def _targets(call: cst.Call, module: Module) -> Iterator[cst.BaseExpression]:
    """What a loader is assigned to."""
    statement = module.parent(call)
    if isinstance(statement, cst.Assign):
        yield from (one.target for one in statement.targets)
    elif isinstance(statement, cst.Arg) and isinstance(outer := module.parent(statement), cst.Call):
        yield outer.func
        yield from _targets(outer, module)


def _edit(call: cst.Call, given: dict[str, cst.BaseExpression], module: Module) -> Edit:
    if "drop_last" in given:
        return module.replace(given["drop_last"], "True")
    _, end = module.span(call.args[-1])
    return Edit(end, end, ", drop_last=True")
