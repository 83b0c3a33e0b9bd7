"""NL809: a tensor that grows by `cat` from step to step."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, below, dotted, last_name

rule = Rule(
    "NL809",
    "growing-tensor",
    "`{name}` is longer after every {turn}, and each length is a shape to compile for; {instead}",
    __name__,
    triggers=("cat(", "concat(", "hstack(", "vstack("),
    whole=True,
    optional=True,
)

_JOINS = frozenset(
    {"torch.cat", "torch.concat", "torch.concatenate", "torch.hstack", "torch.vstack"}
)
# Keys and values of earlier steps; a cache of something else may be of one size.
_PAST = re.compile(
    r"(?:.*_)?(?:past|cached?|prev|previous|old)(?:_\w+)?_(?:k|v|kv|keys?|values?)(?:_\w+)?"
    r"|(?:k|v|kv|keys?|values?)_(?:past|cached?|prev|previous|old)"
)
_MODEL = re.compile(r"(?:.*_)?(?:model|net|network|decoder|llm|gpt|lm|transformer)")
_BUFFER = "write into a buffer of the full length"


@rule.check
def growing_tensor(node: cst.Assign | cst.AnnAssign, module: Module) -> Iterator[Match]:
    match node.value:
        case cst.Call(
            func=function, args=[cst.Arg(value=cst.Tuple() | cst.List() as parts), *_]
        ) if module.name(function) in _JOINS:
            pass
        case _:
            return
    targets = node.targets if isinstance(node, cst.Assign) else (node,)
    names = [dotted(one.target) for one in targets]
    given = [dotted(_bare(one.value)) for one in parts.elements]
    grown = next((name for name in names if name is not None and name in given), None)
    if turn := _turn(node, grown, given, module):
        yield rule.match(node, name=grown or str(names[0]), turn=turn, instead=_BUFFER)


def _turn(node: cst.CSTNode, grown: str | None, given: list[str | None], module: Module) -> str:
    """What makes a tensor longer: a turn of a loop, or a call of `forward`; empty for nothing."""
    hot = module.hot.at(node)
    if "forward" in hot:
        kept = grown is not None and grown.startswith("self.")
        past = len(given) == 2 and _PAST.fullmatch((given[0] or "").rpartition(".")[2].lower())
        return "call" if kept or past else ""
    if grown is None:
        return ""
    if module.hot.is_test:
        return ""
    loop = module.enclosing(node, cst.For, cst.While, cst.FunctionDef)
    if not isinstance(loop, (cst.For, cst.While)) or _begins_anew(loop, node, grown, module):
        return ""
    return "turn of the loop" if _runs_model(loop, grown) else ""


def _begins_anew(loop: cst.For | cst.While, node: cst.CSTNode, grown: str, module: Module) -> bool:
    """Whether each turn of a loop gives the name something else first, or cuts it."""
    found = module.tree.scope(node).lookup(grown)
    inside = [one for one in found if one.node is loop or loop in module.tree.above(one.node)]
    joins = [one.value for one in inside if isinstance(one.value, cst.Call)]
    return any(module.name(one.func) not in _JOINS for one in joins) or len(joins) < len(inside)


def _runs_model(loop: cst.For | cst.While, grown: str) -> bool:
    """Whether a loop calls a model, and with the tensor that grows in it."""
    for node in below(loop.body):
        match node:
            case cst.Call(func=function, args=arguments):
                called = last_name(function).lower()
                own = dotted(function) in ("self", "self.forward")
                given = [dotted(one) for arg in arguments for one in below(arg.value)]
                if (own or _MODEL.fullmatch(called)) and grown in given:
                    return True
    return False


def _bare(value: cst.BaseExpression) -> cst.BaseExpression:
    """What is joined, without what it is converted to: `x` of `x.to(y)`."""
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        value = value.func.value
    return value
