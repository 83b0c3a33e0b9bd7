"""What a project makes of a rule's findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from neuronlint.rule import Applicability, Finding, Fix, Severity
from neuronlint.target import Target, judged

_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


@dataclass(frozen=True)
class Override:
    """How the findings of one rule differ from what the rule itself, of a severity, says.

    `trust` is how far its fixes may be trusted, those apart that are only shown.
    """

    code: str
    own: Severity
    severity: Severity | None = None
    fixable: bool = True
    trust: Applicability | None = None


def overridden(
    finding: Finding, overrides: Iterable[Override], targets: Sequence[Target] = ()
) -> Finding | None:
    """The finding as the project sees it on its targets; None where it is none on any of them.

    A severity that the project sets goes before those of the targets.
    """
    seen = judged(finding, targets)
    for override in overrides:
        if seen is not None and override.code == finding.code:
            asked = override.severity is not None
            severity = _severity(finding.severity, override) if asked else seen.severity
            needs = finding.needs if override.fixable else ""
            fix = _fix(finding.fix, override)
            return replace(seen, severity=severity, fix=fix, needs=needs)
    return seen


def _severity(severity: Severity, override: Override) -> Severity:
    """The project's severity; what counts less than the rule does is not raised by it."""
    if override.severity is None:
        return severity
    if _RANKS[severity] > _RANKS[override.own]:
        return max(severity, override.severity, key=_RANKS.__getitem__)
    return override.severity


def _fix(fix: Fix | None, override: Override) -> Fix | None:
    if fix is None or not override.fixable:
        return None
    if override.trust is None or fix.applicability is Applicability.DISPLAY:
        return fix
    return replace(fix, applicability=override.trust)
