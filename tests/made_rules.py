"""Small rules for tests of the engine."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Fix, Match, Module, Rule, Severity

SAFE, UNSAFE, DISPLAY = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY


def renaming(
    old: str,
    new: str,
    code: str = "XX101",
    trust: Applicability = SAFE,
    since: str = "",
    guarded: Severity | None = Severity.INFO,
) -> Rule:
    """A rule that finds a name and replaces it."""
    rule = Rule(
        code, "renaming", "{old} is {new}", __name__, Severity.ERROR, guarded, triggers=(old,)
    )

    @rule.check
    def renamed(node: cst.Name, module: Module) -> Iterator[Match]:
        if node.value == old:
            fix = Fix((module.replace(node, new),), trust, since)
            yield rule.match(node, fix, old=old, new=new)

    return rule


def importing(old: str, name: str) -> Rule:
    """A rule that replaces a name with one that it imports."""
    rule = Rule("XX102", "importing", "{old}", __name__, triggers=(old,))

    @rule.check
    def imported(node: cst.Name, module: Module) -> Iterator[Match]:
        if node.value == old:
            text, edits = module.use(name, node)
            yield rule.match(node, Fix((module.replace(node, text), *edits)), old=old)

    return rule


def wrapping(function: str) -> Rule:
    """A rule that rewrites a call whole, what it is given included."""
    rule = Rule("XX103", "wrapping", "{name}", __name__)

    @rule.check
    def wrapped(node: cst.Call, module: Module) -> Iterator[Match]:
        if isinstance(node.func, cst.Name) and node.func.value == function:
            inner = module.text(node.args[0].value)
            fix = Fix((module.replace(node, f"{function.upper()}({inner})"),))
            yield rule.match(node, fix, name=function)

    return rule


def failing() -> Rule:
    rule = Rule("XX104", "failing", "never", __name__)

    @rule.check
    def failed(node: cst.Name, module: Module) -> Iterator[Match]:
        raise ZeroDivisionError("too small")
        yield  # makes it a generator

    return rule
