"""Run rules over one source: find, or find and fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import libcst as cst

from neuronlint import clock, crashes, documents, doubts, making, misspelt, parsing, unused
from neuronlint.comments import layout_of
from neuronlint.conditions import Known
from neuronlint.formats import format_of
from neuronlint.gate import may_match
from neuronlint.limits import deep
from neuronlint.lines import Lines
from neuronlint.module import Module
from neuronlint.overrides import overridden
from neuronlint.own import UNUSED, WHOLE
from neuronlint.report import CRASHED, FAILURES, UNFIXED, UNPARSABLE, applies, failure
from neuronlint.rule import Finding, Fix, Match, Rule, Severity, release
from neuronlint.settings import Settings
from neuronlint.source import Source, SourceError
from neuronlint.spans import MisplacedError
from neuronlint.suppressions import Suppressions, may_cover

MAX_ROUNDS = 10
DEFAULTS = Settings()


@dataclass(frozen=True)
class Fixed:
    """What fixing made of a source: the new one, the findings left, and those that were fixed.

    `found` are the findings before that, `lines` where the lines that were to be fixed are now.
    """

    source: bytes
    left: list[Finding]
    applied: list[Finding]
    found: list[Finding] = field(default_factory=list)
    lines: Lines | None = None


def check(
    source: bytes, path: Path, rules: Sequence[Rule], settings: Settings = DEFAULTS
) -> list[Finding]:
    """Every finding of these rules in a source, in source order; suppressed ones are left out.

    Fixes that need a newer torch than the project's are not offered. A source that cannot be
    parsed has one finding that says so.
    """
    found = _found(source, path, [rule for rule in rules if rule is not UNUSED], settings)
    watched = unused.may_be_in(source, rules)
    if not (found or watched) or any(finding.code == UNPARSABLE for finding in found):
        return found
    left = found
    if watched or may_cover(source, found, settings.markers):
        suppressions = Suppressions(source, settings.markers, layout_of(path))
        left = [finding for finding in found if not suppressions.covers(finding)]
    if watched and not any(finding.code in FAILURES for finding in found):
        left = sorted([*left, *_unused(suppressions, source, path, rules, settings)])
    seen = (overridden(finding, settings.overrides, settings.targets) for finding in left)
    return [finding for finding in seen if finding is not None]


def _unused(
    suppressions: Suppressions,
    source: bytes,
    path: Path,
    rules: Sequence[Rule],
    settings: Settings,
) -> list[Finding]:
    """The suppressions that suppress nothing, none for a source that is not whole."""
    try:
        found = [
            *unused.findings(suppressions, path, Source.read(source), rules),
            *misspelt.findings(suppressions, path, settings.known),
        ]
    except SourceError:
        return []
    return [] if found and _found(source, path, [WHOLE], DEFAULTS) else found


def _found(source: bytes, path: Path, rules: Sequence[Rule], settings: Settings) -> list[Finding]:
    """Every finding, suppressed or not, in source order."""
    is_python = format_of(path) is None
    rules = [rule for rule in rules if rule.project != is_python]
    if not is_python:
        return documents.found(source, path, rules, settings) if may_match(source, rules) else []
    try:
        text = Source.read(source)
        parsed = parsing.parse(text, rules, settings.words)
    except SourceError as error:
        lost = may_match(source, rules, settings.words)
        return [_unread(path, 1, 1, str(error))] if lost else []
    except cst.ParserSyntaxError as error:
        return [_unread(path, error.raw_line, error.editor_column, "is not valid Python")]
    except parsing.RefusedError as error:
        return [_unread(path, 1, 1, f"is not checked: it {error}")]
    except parsing.ERRORS as error:
        return [_unread(path, 1, 1, f"cannot be parsed: {type(error).__name__}")]
    if parsed is None:
        return []
    try:
        with deep():
            with clock.phase("index"):
                module = Module(text, path, settings, parsed)
            with clock.phase("load rules"):
                checking = [rule for rule in parsed.part.rules if rule.checks]
            found: set[Finding] = set()
            for rule in checking:
                with clock.rule(rule.code):
                    found.update(_findings(rule, module))
            return sorted(found)
    except RecursionError:
        return [_unread(path, 1, 1, "is not checked: its code nests too deeply")]
    except MisplacedError:
        return [_unread(path, 1, 1, "is not checked: the parser loses track of its blanks")]
    except SyntaxError as error:  # of a text: libcst takes any escape for one
        return [_unread(path, 1, 1, f"is not valid Python: {error.msg}")]


def fix(
    source: bytes,
    path: Path,
    rules: Sequence[Rule],
    settings: Settings = DEFAULTS,
    unsafe: bool = False,
    lines: Lines | None = None,
    allows: Callable[[bytes, Fix], bool] = lambda source, one: True,
) -> Fixed:
    """The source with its fixes made, round by round until nothing is left to fix.

    A fix that does not leave valid code waits for the next round; where none does, the round is
    undone. With `lines` only findings on these are fixed; `allows` says whether a fix may be made
    to the source.
    """
    applied: list[Finding] = []
    found = check(source, path, rules, settings)
    current, left, asked = source, found, lines
    for _ in range(MAX_ROUNDS):
        wanted = left if asked is None else [one for one in left if asked.meet(one)]
        ready = {
            one.fix: one
            for one in wanted
            if one.fix and applies(one, unsafe) and allows(current, one.fix)
        }
        if not ready:
            return Fixed(current, left, applied, found, asked)
        if (encoding := making.unkept(current)) is not None:
            return Fixed(current, [*left, _unkept(path, encoding)], applied, found, asked)
        changes, accepted = making.sound(current, ready, format_of(path) is None)
        made = [ready[one] for one in accepted]
        fixed = making.made(current, changes) if accepted else None
        after = _rechecked(fixed, path, rules, settings) if fixed is not None else None
        if fixed is None or after is None:
            spoilt = _spoilt(path, made or list(ready.values()))
            return Fixed(current, [*left, spoilt], applied, found, asked)
        if asked is not None:
            asked = asked.after(Source.read(current), changes)
        current, left = fixed, after
        applied += made
    return Fixed(source, [*found, _spoilt(path, applied[-1:])], [], found, lines)


def _rechecked(
    fixed: bytes, path: Path, rules: Sequence[Rule], settings: Settings
) -> list[Finding] | None:
    """The findings in a fixed source, None where it cannot be parsed any more."""
    after = check(fixed, path, [*rules, WHOLE], settings)  # the whole of it
    return None if any(finding.code == UNPARSABLE for finding in after) else after


def _findings(rule: Rule, module: Module) -> Iterator[Finding]:
    try:
        for node_type, checks in rule.checks.items():
            for node in module.candidates(node_type):
                for one in checks:
                    for match in one(node, module):
                        if (finding := _finding(rule, match, module)) is not None:
                            yield finding
    except (RecursionError, MisplacedError, SyntaxError):  # no rule's fault
        raise
    except Exception as error:  # a rule's bug costs its findings, never those of others
        crashes.tell()
        message = f"the rule failed: {type(error).__name__}: {error}"
        yield failure(module.path, CRASHED, "rule-crashed", f"{rule.code} {message}")


def _finding(rule: Rule, match: Match, module: Module) -> Finding | None:
    """The finding a match makes, or None where another form of it is beside it."""
    known = module.guards.at(match.node)
    severity = match.severity or rule.severity
    if Known.OLDER in known:
        return None
    if Known.BRANCH in known:
        if rule.branches is None:
            return None
        severity = _lesser(severity, rule.branches)
    elif known.cuda:
        if rule.guarded is None:
            return None
        severity = _lesser(severity, rule.guarded)
    start, end = module.span(match.node)
    fix, needs = _offered(match, module)
    if Known.DEVICE in known and rule.guarded is Severity.INFO:
        fix = None
    place = (*module.source.place(start), *module.source.place(end))
    message = f"{match.message} (fix needs torch {needs})" if needs else match.message
    symbol = match.symbol or _symbol(match.node, module)
    found = Finding(module.path, *place, rule.code, rule.name, message, severity, fix)
    return replace(found, symbol=symbol, targets=match.targets, needs=needs)


def _symbol(node: cst.CSTNode, module: Module) -> str:
    """The imported name that a node stands for or calls, "" for none."""
    return module.name(node.func if isinstance(node, cst.Call) else node) or ""


def _lesser(one: Severity, other: Severity) -> Severity:
    order = list(Severity)
    return max(one, other, key=order.index)


def _offered(match: Match, module: Module) -> tuple[Fix | None, str]:
    """The fix if its place can hold it, or the torch release that it needs and a project lacks."""
    one = match.fix
    if one is None or module.path.suffix == ".pyi":
        return None, ""
    torch = module.settings.torch
    if torch and release(one.since) > release(torch):
        return None, one.since
    return doubts.judged(one, match.node, module), ""


def _unread(path: Path, line: int, column: int, why: str) -> Finding:
    place = (line, column, line, column)
    return Finding(path, *place, UNPARSABLE, "unparsed-file", f"the file {why}", Severity.ERROR)


def _spoilt(path: Path, made: Sequence[Finding]) -> Finding:
    codes = ", ".join(sorted({finding.code for finding in made}))
    message = (
        f"fixes of {codes} do not come to an end with valid code; the file is as it was before them"
    )
    return replace(_unread(path, 1, 1, ""), code=UNFIXED, name="fix-failed", message=message)


def _unkept(path: Path, encoding: str) -> Finding:
    message = f"nothing is fixed: in {encoding} the file cannot be written again byte for byte"
    return failure(path, UNFIXED, "fix-failed", message)
