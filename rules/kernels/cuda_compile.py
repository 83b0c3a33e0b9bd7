"""NL604: torch.compile with a mode or a backend made for CUDA."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Row, Rule, keyword_of, read_table

from .facts import MESSAGE

rule = Rule(
    "NL604",
    "cuda-compile",
    MESSAGE,
    __name__,
    triggers=(
        "max-autotune",
        "max_autotune",
        "reduce-overhead",
        "cudagraphs",
        "inductor",
        "tensorrt",
    ),
)

_KEYWORDS = ("mode", "backend", "options")  # the first that has a row is told


@rule.check
def cuda_compile(node: cst.Call, module: Module) -> Iterator[Match]:
    if not _compiles(node, module):
        return
    rows = read_table(__name__, "compile.toml")
    given = {arg.keyword.value: arg for arg in node.args if arg.keyword}
    for keyword in _KEYWORDS:
        if keyword in given and (found := _row(given[keyword], rows)) is not None:
            old, row = found
            yield rule.match(given[keyword], old=old, note=row.note, instead=row.instead)
            return


def _row(arg: cst.Arg, rows: dict[str, Row]) -> tuple[str, Row] | None:
    """How an argument reads in a message, and its row; of options the first that is switched on."""
    keyword = keyword_of(arg)
    match arg.value:
        case cst.SimpleString() as text:
            row = rows.get(f"{keyword}={text.evaluated_value!s}")
            return (f"{keyword}={text.value}", row) if row is not None else None
        case cst.Dict(elements=elements):
            for element in elements:
                match element:
                    case cst.DictElement(key=cst.SimpleString() as key, value=cst.Name("True")):
                        row = rows.get(f"{keyword}={key.evaluated_value!s}")
                        if row is not None:
                            return key.value, row
    return None


def _compiles(call: cst.Call, module: Module) -> bool:
    """Whether a call is torch.compile, a partial one, or the method of a module."""
    name = module.name(call.func)
    if name == "functools.partial" and call.args:
        name = module.name(call.args[0].value)
    if name is not None:
        return name == "torch.compile"
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "compile"
