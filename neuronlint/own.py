"""What the engine itself reports: rules without checks, for their codes, names and pages."""

from __future__ import annotations

from collections.abc import Iterable

from neuronlint.report import CRASHED, UNFIXED, UNPARSABLE, UNREADABLE, UNWRITABLE
from neuronlint.rule import Rule, Severity


def _rule(code: str, name: str, message: str, severity: Severity = Severity.ERROR) -> Rule:
    return Rule(code, name, message, f"neuronlint.pages.{name.replace('-', '_')}", severity, None)


FAILED = (
    _rule(UNPARSABLE, "unparsed-file", "the file cannot be parsed"),
    _rule(UNREADABLE, "unreadable-file", "the file cannot be read"),
    _rule(CRASHED, "rule-crashed", "a rule failed on the file"),
    _rule(UNFIXED, "fix-failed", "the fixes of a rule do not end with valid code"),
    _rule(UNWRITABLE, "unwritable-file", "the fixed file cannot be written"),
)
UNUSED = _rule("NL006", "unused-suppression", "{what}; remove it", Severity.WARNING)
RULES = (*FAILED, UNUSED)
WHOLE = _rule("NL000", "whole-file", "")  # finds nothing, in any line: where it runs, none is cut


def words(installed: Iterable[Rule]) -> set[str]:
    """The codes and names of all rules there are."""
    return {word for rule in (*RULES, *installed) for word in (rule.code, rule.name)}
