"""NL111: a command-line option that turns CUDA on or off."""

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity, last_name

rule = Rule(
    "NL111",
    "cuda-option",
    "option `{option}` knows CUDA alone; `--device` names any device",
    __name__,
    Severity.INFO,
    triggers=tuple(f"-*{what}{end}" for what in ("cuda", "gpu") for end in "'/"),
)

_OPTION = re.compile(r"--?(?:no|use|disable|enable)?[-_]?(?:cuda|gpu)")


@rule.check
def cuda_option(node: cst.Call, module: Module) -> Iterator[Match]:
    if last_name(node.func) not in ("add_argument", "add_option", "option"):
        return
    for argument in node.args:
        value = argument.value
        if argument.keyword is None and isinstance(value, cst.SimpleString):
            option = value.evaluated_value
            if isinstance(option, str) and _OPTION.fullmatch(option.partition("/")[0]):
                if "cuda" in option or module.is_about_torch:
                    yield rule.match(value, option=option)
                return
