"""NL103: a parameter, variable, field or option that is CUDA unless told otherwise."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Known, Match, Module, Role, Rule, Severity, last_name

from .choice import is_choice_part

rule = Rule(
    "NL103",
    "cuda-default",
    "`{old}` is the device unless told otherwise; `{new}` is the device there is",
    __name__,
    Severity.ERROR,
    guarded=Severity.WARNING,
    triggers=("cuda",),
    context=("def to", "def __init__", '= "cpu"', "= 'cpu'"),
)

_ROLES = frozenset({Role.DEFAULT, Role.ASSIGNED, Role.RETURNED, Role.OPTION})


@rule.check
def cuda_default(
    node: cst.SimpleString | cst.FormattedString | cst.BinaryOperation | cst.Call, module: Module
) -> Iterator[Match]:
    found = module.devices.text(node)
    if found is None or is_choice_part(node, module):
        return
    if Known.DEVICE in module.guards.at(node):  # the comparison is what is found
        return
    role = module.devices.role(node)
    if role not in _ROLES:
        return
    if role is Role.ASSIGNED and found.index in (None, "0") and _is_variable(node, module):
        exact = found.index is None and not module.devices.is_named_cuda(node)
        placed = module.placement.choice(node, as_text=True, exact=exact)
    else:
        placed = module.placement.text(node, found)
    fix = placed.fix(module.put(node, placed), safe=not _is_relied_on(module))
    yield rule.match(node, fix, old=module.text(node), new=placed.name)


def _is_variable(node: cst.CSTNode, module: Module) -> bool:
    return isinstance(module.parent(node), (cst.Assign, cst.AnnAssign))


def _is_relied_on(module: Module) -> bool:
    """Whether a file looks "cuda" up in a dictionary, or asserts that a default is just that."""
    texts = (text for text in module.nodes(cst.SimpleString) if module.devices.text(text))
    return any(_is_key(text, module) or _is_expected(text, module) for text in texts)


def _is_expected(text: cst.CSTNode, module: Module) -> bool:
    if module.devices.role(text) is not Role.COMPARED:
        return False
    return any(_asserts(one) for one in module.tree.above(text))


def _is_key(text: cst.CSTNode, module: Module) -> bool:
    entry = module.parent(text)
    return isinstance(entry, cst.DictElement) and entry.key is text


def _asserts(node: cst.CSTNode) -> bool:
    called = last_name(node.func) if isinstance(node, cst.Call) else ""
    return isinstance(node, cst.Assert) or called.startswith("assert")
