"""NL702: a test or program that is passed over where CUDA is not."""

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Known, Match, Module, Rule, Severity, below, last_name

from .gate import PORTABLE, Gate, gate, names_others, skip_condition
from .portable import WORDS, asking_any

_CUDA = ("cuda", "CUDA", "Cuda", "gpu", "GPU", "Gpu")
_SKIPS = ("*skipif", "*skipIf", "*skip_if", "*skipUnless", "*skip_unless")

rule = Rule(
    "NL702",
    "cuda-skip",
    "`{old}` skips on every accelerator but CUDA; {instead}",
    __name__,
    Severity.WARNING,
    guarded=Severity.WARNING,
    triggers=(
        "cuda",
        *(f"@*{word}*" for word in _CUDA),
        *(f"{skip}...*{word}*" for skip in _SKIPS for word in (*_CUDA, "cpu", "CPU")),
    ),
    decided=WORDS,
)

_REQUIRES = re.compile(
    r"_*(?:requires?|required|needs?)_\w*(?:cuda|gpu)\w*"
    r"|_*skip_?if_?(?:no|not|without)_?\w*(?:cuda|gpu)\w*"
    r"|_*only_?(?:on_?)?(?:cuda|gpu)\w*"
    r"|\w*(?:cuda|gpu)s?_(?:only|required)"
)
_OTHERWISE = re.compile(r"(?:^|_)(?:non?|not|without|cpu|xpu|npu|hpu|accelerator)(?:_|$)")
_SEVERAL = re.compile(r"_*(?:test|has|have)_?multi_?(?:gpu|cuda)s?")
_INSTEAD = "ask `torch.accelerator.is_available()` where it is defined"


@rule.check
def cuda_skip(node: cst.Call, module: Module) -> Iterator[Match]:
    if gate(node, module) is Gate.SKIP and not names_others(node, module):
        new, fix = asking_any(node, module, Applicability.UNSAFE)
        yield rule.match(
            node, fix, old=f"{module.text(node.func)}()", instead=f"`{new}()` asks for any"
        )


@rule.check
def cuda_skip_flag(node: cst.Call, module: Module) -> Iterator[Match]:
    """Find a flag that says CUDA by its name; one set in this file is found where it is set."""
    if (found := skip_condition(node)) is None:
        return
    condition, holds = found
    if _asks(condition, module):
        return
    known = module.guards.means(condition, holds)
    several = any(_SEVERAL.fullmatch(name.lower()) for name in _names(condition))
    if Known.NAMED in known or (several and not known.accelerated):
        yield rule.match(condition, old=module.text(condition), instead=_INSTEAD)


@rule.check
def cuda_skip_decorator(node: cst.Decorator, module: Module) -> Iterator[Match]:
    gate_by_name = node.decorator.func if isinstance(node.decorator, cst.Call) else node.decorator
    name = last_name(gate_by_name)
    if name in module.settings.gates:  # the project says what it asks
        yield rule.match(gate_by_name, old=module.text(gate_by_name), instead=_INSTEAD)
        return
    if not _REQUIRES.fullmatch(_spelled_apart(name)) or _OTHERWISE.search(name.lower()):
        return
    if isinstance(gate_by_name, cst.Name) and _is_defined_here(gate_by_name, module):
        return
    # what a decorator asks is known by its name alone
    yield rule.match(
        gate_by_name, severity=Severity.INFO, old=module.text(gate_by_name), instead=_INSTEAD
    )


def _asks(condition: cst.BaseExpression, module: Module) -> bool:
    """Whether a condition asks torch itself, which is found by the question."""
    calls = (node for node in below(condition) if isinstance(node, cst.Call))
    return any(module.name(call.func) in PORTABLE for call in calls)


def _names(condition: cst.BaseExpression) -> Iterator[str]:
    return (node.value for node in below(condition) if isinstance(node, cst.Name))


def _spelled_apart(name: str) -> str:
    """A name in the words of `skip_if_no_cuda`, however it is written."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _is_defined_here(name: cst.Name, module: Module) -> bool:
    return any(b.imported is None for b in module.names.bindings(name))
