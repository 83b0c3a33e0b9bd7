"""NL108: a device given by its number alone."""

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import CudaText, Match, Module, Rule, Severity, last_name

_DIGIT = "#"
_NAMES = ("*rank", "*RANK", "*gpu*", "*GPU*")
_NUMBERED = ("*device_id", "*device_index", "*DEVICE_ID", "*DEVICE_INDEX")

rule = Rule(
    "NL108",
    "integer-device",
    "`{old}` as a device is an accelerator's number and fails on the CPU; "
    "say what to use where there is none",
    __name__,
    Severity.ERROR,
    triggers=(
        *(f".to({keyword}{name}" for keyword in ("", "device=") for name in (*_NAMES, *_NUMBERED)),
        *(f".to({_DIGIT}", f"device={_DIGIT}", f"device: int={_DIGIT}"),
    ),
)

_NUMBER_NAME = re.compile(
    r"(?:local_|global_|dist_|ddp_)*rank|gpu(?:_?(?:id|index|idx|rank))?|device_(?:id|index)"
)


@rule.check
def integer_device(node: cst.Call, module: Module) -> Iterator[Match]:
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "to" or not node.args:
        return
    number = node.args[0]
    if number.star or (number.keyword is not None and number.keyword.value != "device"):
        return
    if not _is_number(number.value, module):
        return
    old = module.text(number.value)
    if isinstance(number.value, cst.Integer):
        placed = module.placement.object(node, CudaText(number.value, number.value.value))
    else:
        placed = module.placement.integer(node, old)
    yield rule.match(
        number.value, placed.fix(module.put(number.value, placed), safe=False), old=old
    )


def _is_number(value: cst.BaseExpression, module: Module) -> bool:
    """Whether an expression is a device's number: a literal, or a name that says so."""
    match value:
        case cst.Integer():
            return True
        case cst.Name():
            if (assigned := module.names.value(value)) is not None:
                if isinstance(assigned, cst.Integer):
                    return value.value == "device" or _named(value)
                if not isinstance(assigned, cst.Call) or module.devices.object(assigned):
                    return False
            return _named(value)
        case cst.Attribute():
            return _named(value)
        case _:
            return False


def _named(value: cst.BaseExpression) -> bool:
    return _NUMBER_NAME.fullmatch(last_name(value).lower()) is not None
