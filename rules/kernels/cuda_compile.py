"""NL604: torch.compile with a mode or a backend made for CUDA."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Row, Rule, keyword_of, read_table

from .facts import MESSAGE

_SETTINGS = read_table(__name__, "compile.toml")

rule = Rule(
    "NL604",
    "cuda-compile",
    MESSAGE,
    __name__,
    triggers=tuple(f"'{setting.partition('=')[2]}'" for setting in _SETTINGS),
)

_KEYWORDS = ("mode", "backend", "options")  # the first that has a row is told


@rule.check
def cuda_compile(node: cst.Call, module: Module) -> Iterator[Match]:
    if not _compiles(node, module):
        return
    given = {arg.keyword.value: arg for arg in node.args if arg.keyword}
    for keyword in _KEYWORDS:
        if keyword in given and (found := _row(given[keyword], _SETTINGS)) is not None:
            symbol, old, row = found
            yield rule.match(
                given[keyword], symbol=symbol, old=old, note=row.note, instead=row.instead
            )
            return


def _row(arg: cst.Arg, rows: dict[str, Row]) -> tuple[str, str, Row] | None:
    """An argument's name, how it reads in a message, its row; of options the first that is on."""
    keyword = keyword_of(arg)
    match arg.value:
        case cst.SimpleString() as text:
            name = f"{keyword}={text.evaluated_value!s}"
            row = rows.get(name)
            return (name, f"{keyword}={text.value}", row) if row is not None else None
        case cst.Dict(elements=elements):
            for element in elements:
                match element:
                    case cst.DictElement(key=cst.SimpleString() as key, value=cst.Name("True")):
                        name = f"{keyword}={key.evaluated_value!s}"
                        if (row := rows.get(name)) is not None:
                            return name, key.value, row
    return None


def _compiles(call: cst.Call, module: Module) -> bool:
    """Whether a call is torch.compile, a partial one, or the method of a module."""
    name = module.name(call.func)
    if name == "functools.partial" and call.args:
        name = module.name(call.args[0].value)
    if name is not None:
        return name == "torch.compile"
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "compile"
