"""NL112: accelerators named one by one, where any other is passed over."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Known, Match, Module, Role, Rule, Severity, names_backend

rule = Rule(
    "NL112",
    "accelerator-list",
    "{named} names accelerators one by one and passes over any other; {instead}",
    __name__,
    Severity.INFO,
    branches=Severity.INFO,
    triggers=("cuda",),
)

_ANY_DEVICE = "`torch.accelerator.current_accelerator()` is the one there is"
_ANY_TYPE = '`device.type != "cpu"` holds for all'
_AVAILABLE = "torch.cuda.is_available"
_CHOSEN = frozenset({Role.ASSIGNED, Role.RETURNED})


@rule.check
def listed(node: cst.List | cst.Tuple | cst.Set, module: Module) -> Iterator[Match]:
    """A list of device types that a device is looked up in, or that is kept for that."""
    values = (one.value for one in node.elements)
    texts = [one.evaluated_value for one in values if isinstance(one, cst.SimpleString)]
    if len(texts) < len(node.elements) or "cuda" not in texts or not names_backend(node):
        return
    if isinstance(module.parent(node), (cst.ComparisonTarget, cst.Assign)):
        yield rule.match(node, named="this list", instead=_ANY_TYPE)


@rule.check
def chosen(
    node: cst.SimpleString | cst.FormattedString | cst.Call, module: Module
) -> Iterator[Match]:
    """The CUDA device in a choice between several kinds."""
    found = module.devices.text(node) or module.devices.object(node)
    if found is None or module.devices.role(node) not in _CHOSEN:
        return
    if Known.BRANCH in module.guards.at(node):
        yield rule.match(node, named="the choice of this device", instead=_ANY_DEVICE)


@rule.check
def asked(node: cst.Call, module: Module) -> Iterator[Match]:
    """The question for CUDA beside those for other kinds."""
    if module.name(node.func) != _AVAILABLE or Known.BRANCH not in module.guards.at(node):
        return
    condition: cst.CSTNode = node
    while isinstance(
        parent := module.parent(condition), (cst.BooleanOperation, cst.UnaryOperation)
    ):
        condition = parent
    if isinstance(parent, (cst.If, cst.IfExp)) and parent.test is condition:
        instead = "`torch.accelerator.is_available()` asks for any"
        yield rule.match(node, named="this choice", instead=instead)
