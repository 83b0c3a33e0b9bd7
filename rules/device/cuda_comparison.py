"""NL105: a device compared with CUDA."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Role, Rule

rule = Rule(
    "NL105",
    "cuda-comparison",
    "`{test}` tells CUDA from every other accelerator; what all have in common is not to be "
    '`"cpu"`',
    __name__,
    triggers=("cuda",),
    context=("def to", "def __init__", '= "cpu"', "= 'cpu'"),
)


@rule.check
def compared_device(
    node: cst.SimpleString | cst.FormattedString | cst.BinaryOperation | cst.Call, module: Module
) -> Iterator[Match]:
    found = module.devices.text(node) or module.devices.object(node)
    if found is None or module.devices.role(node) is not Role.COMPARED:
        return
    test = module.enclosing(node, cst.Comparison, cst.Call)
    if test is None or not _is_about_device(test, module):
        return
    asked = module.text(test).split("\n")[0]
    yield rule.match(test, test=asked)


def _is_about_device(test: cst.BaseExpression, module: Module) -> bool:
    """Whether what is compared is a device or its name; a backend's name may be anything's."""
    match test:
        case cst.Call(func=cst.Attribute(value=asked)):
            return module.devices.is_device(asked)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            return module.devices.is_device(left) or module.devices.is_device(right)
        case _:
            return False
