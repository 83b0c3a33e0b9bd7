"""Run rules over one source: find, or find and fix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import libcst as cst

from neuronlint import edits
from neuronlint.guards import Known
from neuronlint.module import Module
from neuronlint.rule import Applicability, Edit, Finding, Fix, Match, Rule, Severity
from neuronlint.source import Source, SourceError
from neuronlint.suppressions import Suppressions

MAX_ROUNDS = 10
_ANY = Rule("NL000", "any", "", __name__)  # looks at every file and finds nothing
_PARSER_ERRORS = (cst.ParserSyntaxError, SyntaxError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class Fixed:
    """What fixing made of a source: the new one, the findings left, and those that were fixed."""

    source: bytes
    left: list[Finding]
    applied: list[Finding]


def may_match(source: bytes, rules: Sequence[Rule]) -> bool:
    """Whether a source holds a word without which no rule finds anything in it."""
    return bool(_gate(tuple(rules)).search(source))


def check(source: bytes, path: Path, rules: Sequence[Rule], torch: str = "") -> list[Finding]:
    """Every finding of these rules in a source, in source order; suppressed ones are left out.

    `torch` is the oldest torch release that the project supports: fixes that need a newer one
    are not offered. A source that cannot be parsed has one finding that says so.
    """
    if not may_match(source, rules):
        return []
    try:
        module = Module(Source.read(source), path)
    except SourceError as error:
        return [_unread(path, 1, 1, str(error))]
    except cst.ParserSyntaxError as error:
        return [_unread(path, error.raw_line, error.editor_column, "is not valid Python")]
    except _PARSER_ERRORS as error:
        return [_unread(path, 1, 1, f"cannot be parsed: {type(error).__name__}")]
    chosen = [rule for rule in rules if may_match(source, (rule,))]
    found = sorted({finding for rule in chosen for finding in _findings(rule, module, torch)})
    suppressions = Suppressions(source)
    return [finding for finding in found if not suppressions.covers(finding)]


def fix(
    source: bytes, path: Path, rules: Sequence[Rule], torch: str = "", unsafe: bool = False
) -> Fixed:
    """The source with its fixes made, round by round until nothing is left to fix.

    A fix whose result cannot be parsed or written is undone, with its whole round.
    """
    applied: list[Finding] = []
    current, left = source, check(source, path, rules, torch)
    for _ in range(MAX_ROUNDS):
        ready = {
            finding.fix: finding
            for finding in left
            if finding.fix and _applies(finding.fix, unsafe)
        }
        if not ready:
            return Fixed(current, left, applied)
        changes, accepted, _ = edits.merge(ready)
        made = [ready[one] for one in accepted]
        fixed = _made(current, changes)
        after = _rechecked(fixed, path, rules, torch) if fixed is not None else None
        if fixed is None or after is None:
            return Fixed(current, [*left, _spoilt(path, made)], applied)
        current, left = fixed, after
        applied += made
    return Fixed(source, [*check(source, path, rules, torch), _spoilt(path, applied[-1:])], [])


def _rechecked(fixed: bytes, path: Path, rules: Sequence[Rule], torch: str) -> list[Finding] | None:
    """The findings in a fixed source, None where it cannot be parsed any more."""
    if not may_match(fixed, rules):  # nothing to find, but it may be broken for all that
        rules = [*rules, _ANY]
    after = check(fixed, path, rules, torch)
    return None if any(finding.code == "NL001" for finding in after) else after


def _made(source: bytes, changes: Sequence[Edit]) -> bytes | None:
    try:
        return Source.read(source).edited(changes).write()
    except UnicodeEncodeError:
        return None


def _applies(one: Fix, unsafe: bool) -> bool:
    return one.applicability is Applicability.SAFE or (
        unsafe and one.applicability is Applicability.UNSAFE
    )


@lru_cache
def _gate(rules: tuple[Rule, ...]) -> re.Pattern[bytes]:
    if not all(rule.triggers for rule in rules):
        return re.compile(b"")
    words = sorted({re.escape(word.encode()) for rule in rules for word in rule.triggers})
    return re.compile(b"|".join(words) or rb"(?!)")


def _findings(rule: Rule, module: Module, torch: str) -> Iterator[Finding]:
    try:
        for node_type, checks in rule.checks.items():
            for node in module.nodes(node_type):
                for one in checks:
                    for match in one(node, module):
                        if (finding := _finding(rule, match, module, torch)) is not None:
                            yield finding
    except Exception as error:  # a rule's bug costs its findings, never those of others
        message = f"the rule failed: {type(error).__name__}: {error}"
        yield Finding(
            module.path,
            1,
            1,
            1,
            1,
            "NL003",
            "rule-crashed",
            f"{rule.code} {message}",
            Severity.ERROR,
        )


def _finding(rule: Rule, match: Match, module: Module, torch: str) -> Finding | None:
    """The finding a match makes, or None where other backends are handled beside it."""
    known = module.guards.at(match.node)
    severity = match.severity or rule.severity
    if Known.BRANCH in known:
        return None
    if known.cuda:
        if rule.guarded is None:
            return None
        severity = rule.guarded if match.severity is None else match.severity
    start, end = module.span(match.node)
    fix, note = _offered(match.fix, module, torch)
    if Known.DEVICE in known and rule.guarded is Severity.INFO:
        fix = None
    place = (*module.source.place(start), *module.source.place(end))
    return Finding(module.path, *place, rule.code, rule.name, match.message + note, severity, fix)


def _offered(one: Fix | None, module: Module, torch: str) -> tuple[Fix | None, str]:
    """The fix if the project's torch has what it uses and its place can hold it, and a remark."""
    if one is None:
        return None, ""
    if torch and one.since and _release(one.since) > _release(torch):
        return None, f" (fix needs torch {one.since})"
    return (None, "") if _breaks_string(one, module) else (one, "")


def _breaks_string(one: Fix, module: Module) -> bool:
    """Whether an edit inside an f-string holds its quote, which Python before 3.12 rejects."""
    for node in module.nodes(cst.FormattedString):
        start, end = module.span(node)
        for edit in one.edits:
            inside = start < edit.start and edit.end < end
            if inside and (node.quote[0] in edit.text or "\n" in edit.text):
                return True
    return False


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def _unread(path: Path, line: int, column: int, why: str) -> Finding:
    place = (line, column, line, column)
    return Finding(path, *place, "NL001", "unparsed-file", f"the file {why}", Severity.ERROR)


def _spoilt(path: Path, made: Sequence[Finding]) -> Finding:
    codes = ", ".join(sorted({finding.code for finding in made}))
    message = (
        f"fixes of {codes} do not come to an end with valid code; the file is as it was before them"
    )
    return replace(_unread(path, 1, 1, ""), code="NL004", name="fix-failed", message=message)
