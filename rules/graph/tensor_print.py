"""NL803: a tensor printed in every step."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, last_name

rule = Rule(
    "NL803",
    "tensor-print",
    "`{call}` reads `{tensor}` and so waits for the device in {hot}; print every so many steps",
    __name__,
    triggers=("print(", ".info(", ".debug(", ".write(", ".set_postfix(", ".set_description("),
    whole=True,
    optional=True,
)

_WRITERS = frozenset({"info", "debug", "warning", "write", "set_postfix", "set_description"})


@rule.check
def tensor_print(node: cst.Call, module: Module) -> Iterator[Match]:
    match node.func:
        case cst.Name(value="print") | cst.Attribute(attr=cst.Name(value="print")):
            pass
        case cst.Attribute(attr=cst.Name(value=name)) if name in _WRITERS:
            pass
        case _:
            return
    read = next((one for one in _printed(node) if module.tensors.holds(one)), None)
    if read is not None and (hot := module.hot.at(node)):
        tensor = module.text(read).split("\n")[0]
        yield rule.match(node, call=last_name(node.func), tensor=tensor, hot=hot)


def _printed(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """What a call writes: its arguments, and what is put into texts."""
    for arg in call.args:
        yield arg.value
        match arg.value:
            case cst.FormattedString(parts=parts):
                for part in parts:
                    if isinstance(part, cst.FormattedStringExpression):
                        yield part.expression
            case cst.BinaryOperation(left=cst.SimpleString(), operator=cst.Modulo(), right=given):
                elements = given.elements if isinstance(given, cst.Tuple) else ()
                yield from [given, *(one.value for one in elements)]
            case cst.Call(func=cst.Attribute(value=cst.SimpleString(), attr=cst.Name("format"))):
                yield from (one.value for one in arg.value.args)
