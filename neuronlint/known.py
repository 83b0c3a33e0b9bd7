"""What a baseline makes of a run: which findings it knows, and which entries are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

from neuronlint.baseline import Baseline, Entry
from neuronlint.report import FAILURES
from neuronlint.rule import Finding
from neuronlint.runner import Outcome

Ran = Callable[[Path], Collection[str]]  # the codes of the rules that ran on a file


@dataclass(frozen=True)
class Known:
    """The outcomes without known findings, how many these are, and what became of the entries.

    `fixed` are entries of findings that were fixed; `gone` those of nothing that is there. What
    a file that could not be checked, or a rule that did not run, would say is not known.
    """

    outcomes: tuple[Outcome, ...]
    count: int
    entries: frozenset[Entry]
    fixed: frozenset[Entry]
    gone: frozenset[Entry]


def compare(baseline: Baseline, outcomes: Sequence[Outcome], ran: Ran) -> Known:
    """What the baseline knows of the outcomes."""
    by_name: dict[str, set[Entry]] = {}
    for entry in baseline.entries:
        by_name.setdefault(entry.path, set()).add(entry)
    left, fixed, gone = [], set[Entry](), baseline.vanished({_name(baseline, o) for o in outcomes})
    added = set[Entry]()
    for outcome in outcomes:
        listed = by_name.get(_name(baseline, outcome), set())
        one = _compared(baseline, outcome, listed)
        left.append(replace(outcome, findings=one.new))
        fixed |= one.fixed
        added |= one.carried
        if not _failed(outcome):
            codes = ran(outcome.path)
            gone |= {entry for entry in listed - one.used - one.fixed if entry.rule in codes}
    number = sum(len(each.findings) for each in outcomes) - sum(len(o.findings) for o in left)
    entries = (baseline.entries - fixed) | added
    return Known(tuple(left), number, entries, frozenset(fixed), frozenset(gone))


def renewed(baseline: Baseline, outcomes: Sequence[Outcome], ran: Ran) -> Baseline:
    """The baseline that knows every finding of the outcomes, and keeps what they do not touch."""
    touched = {
        _name(baseline, each): frozenset(ran(each.path)) for each in outcomes if not _failed(each)
    }
    kept = {
        entry
        for entry in baseline.entries
        if entry.rule not in touched.get(entry.path, frozenset())
    }
    kept -= baseline.vanished({_name(baseline, each) for each in outcomes})
    found = (
        entry
        for each in outcomes
        for entry in baseline.keyed(each.path, _countable(each.findings), each.source)
    )
    return replace(baseline, entries=frozenset(kept.union(found)))


@dataclass(frozen=True)
class _Compared:
    """One file: its new findings, the entries of known ones, of fixed ones, and new entries."""

    new: tuple[Finding, ...]
    used: frozenset[Entry]
    fixed: frozenset[Entry]
    carried: frozenset[Entry]


def _compared(baseline: Baseline, outcome: Outcome, listed: Collection[Entry]) -> _Compared:
    if not listed:
        return _Compared(outcome.findings, frozenset(), frozenset(), frozenset())
    countable = _countable(outcome.findings)
    keys = dict(
        zip(countable, baseline.keyed(outcome.path, countable, outcome.source), strict=True)
    )
    used = frozenset(keys.values()).intersection(listed)
    fixed, carried = frozenset[Entry](), set[Finding]()
    if outcome.applied:
        known = _known_before(baseline, outcome, listed)
        fixed = frozenset(known.values()) - used
        rest = [finding for finding, entry in known.items() if entry in fixed]
        new = [finding for finding, entry in keys.items() if entry not in used]
        carried = set(_carried(rest, outcome.before, new, outcome.source))
    left = tuple(
        each
        for each in outcome.findings
        if each not in keys or (keys[each] not in used and each not in carried)
    )
    return _Compared(left, used, fixed, frozenset(keys[each] for each in carried))


def _known_before(
    baseline: Baseline, outcome: Outcome, listed: Collection[Entry]
) -> dict[Finding, Entry]:
    """The known findings of a file before it was fixed."""
    found = _countable(outcome.found)
    keys = baseline.keyed(outcome.path, found, outcome.before)
    return {each: entry for each, entry in zip(found, keys, strict=True) if entry in listed}


def _carried(
    known: Sequence[Finding], before: bytes, new: Sequence[Finding], after: bytes
) -> Iterable[Finding]:
    """The findings that were known before a fix changed their lines."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "replace":
            codes = Counter(each.code for each in known if start < each.line <= end)
            for each in new:
                if new_start < each.line <= new_end and codes[each.code] > 0:
                    codes[each.code] -= 1
                    yield each


def _countable(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that a baseline may know."""
    return [finding for finding in findings if finding.code not in FAILURES]


def _failed(outcome: Outcome) -> bool:
    """Whether not all is known of a file."""
    return any(finding.code in FAILURES for finding in outcome.findings)


def _name(baseline: Baseline, outcome: Outcome) -> str:
    return baseline.name(outcome.path)
