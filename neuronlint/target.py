"""What a device is to code: facts with their sources, and what findings mean there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from neuronlint.rule import Finding, Severity

_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


@dataclass(frozen=True)
class Fact:
    """One thing that is known, and the address where it is documented."""

    value: str
    source: str
    note: str = ""


@dataclass(frozen=True)
class Verdict:
    """What findings mean on a target: those of some rules, about some symbols, or of both.

    `rules` are codes, starts of codes and names; `symbols` dotted names with all below them.
    Without a `severity` such a finding is none. `of` narrows it to findings of one severity.
    """

    reason: str
    source: str
    severity: Severity | None = None
    rules: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    of: Severity | None = None

    def closeness(self, finding: Finding) -> tuple[int, int] | None:
        """How closely it fits a finding, by symbol first; None where it does not."""
        if self.of is not None and self.of is not finding.severity:
            return None
        symbol = _longest(each for each in self.symbols if _holds(each, finding.symbol))
        rule = _longest(
            each for each in self.rules if finding.code.startswith(each) or each == finding.name
        )
        if (self.symbols and not symbol) or (self.rules and not rule):
            return None
        return symbol, rule


@dataclass(frozen=True)
class Target:
    """One device that code may be meant for; what is not documented is None or left out.

    `missing` are dtypes that it lacks. An operator without a kernel does what `operators` says.
    """

    name: str
    title: str
    device: Fact
    module: Fact | None = None
    dtypes: Fact | None = None
    autocast: Fact | None = None
    process_group: Fact | None = None
    compile: Fact | None = None
    accelerator: Fact | None = None
    operators: Fact | None = None
    missing: tuple[Fact, ...] = ()
    unsupported: tuple[Fact, ...] = ()
    slow: tuple[Fact, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    def __hash__(self) -> int:
        return hash(self.name)  # asked for with every file

    def verdict(self, finding: Finding) -> Verdict | None:
        """The verdict that fits a finding best, None for the rule's own."""
        fitting = [(close, each) for each in self.verdicts if (close := each.closeness(finding))]
        return max(fitting, key=lambda pair: pair[0])[1] if fitting else None

    def severity(self, finding: Finding) -> Severity | None:
        """What a finding counts here, never more than the rule itself says; None for nothing."""
        verdict = self.verdict(finding)
        if verdict is None:
            return finding.severity
        if verdict.severity is None:
            return None
        return max(finding.severity, verdict.severity, key=_RANKS.__getitem__)

    @property
    def falls_back(self) -> bool:
        """Whether an operator without a kernel runs all the same, on the CPU."""
        return self.operators is not None and self.operators.value.startswith("falls back")


def judged(finding: Finding, targets: Sequence[Target]) -> Finding | None:
    """The finding as it is on the targets, the worst of them; None where it is none on any.

    Of several targets it names those that it concerns. Without targets it stays as it is.
    """
    if not targets:
        return finding
    about = [each for each in targets if not finding.targets or each.name in finding.targets]
    found = {each.name: severity for each in about if (severity := each.severity(finding))}
    if not found:
        return None
    worst = min(found.values(), key=_RANKS.__getitem__)
    return replace(finding, severity=worst, targets=tuple(found) if len(targets) > 1 else ())


def _longest(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=0)


def _holds(symbol: str, other: str) -> bool:
    """Whether a symbol is another one, or is above it."""
    return other == symbol or other.startswith((f"{symbol}.", f"{symbol}="))
