"""How much work findings are: who settles each, the points that makes, and a grade of these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from neuronlint.report import FAILURES
from neuronlint.rule import Applicability, Finding, Severity

# Topics whose findings stand for code that is to be written anew.
_HEAVY = ("NL6",)
KERNEL_POINTS = 20
GRADES = ((0, "none"), (25, "small"), (100, "medium"), (500, "large"))
BEYOND = "very large"

TOPICS = {
    "NL0": "Files not checked",
    "NL1": "Choosing the device",
    "NL2": "torch.cuda functions",
    "NL3": "CUDA settings",
    "NL4": "Mixed precision",
    "NL5": "Distributed training",
    "NL6": "Kernels and libraries",
    "NL7": "Tests and start-up checks",
    "NL8": "Compilation and speed",
    "NL9": "Project files",
}
OTHER = "Other rules"


class Settled(Enum):
    """Who settles a finding; what is harmless need not be settled, even if it has a fix."""

    AUTOMATIC = "automatic"  # --fix does
    REVIEW = "review"  # --fix --unsafe-fixes does, and a person looks at the change
    PERSON = "person"  # a person does
    NOTHING = "nothing"  # nobody need


POINTS = {Settled.AUTOMATIC: 0, Settled.REVIEW: 1, Settled.PERSON: 5, Settled.NOTHING: 0}


@dataclass(frozen=True)
class Tally:
    """Findings counted by what they do and, of those that block, by who settles them."""

    errors: int = 0
    warnings: int = 0
    infos: int = 0
    automatic: int = 0
    review: int = 0
    person: int = 0
    points: int = 0

    @property
    def blocking(self) -> int:
        """How many findings keep the code from the target."""
        return self.errors + self.warnings

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Tally:
        """The tally of findings."""
        counts = dict.fromkeys(cls.__dataclass_fields__, 0)
        for finding in findings:
            counts[_KINDS[finding.severity]] += 1
            if blocks(finding):
                counts[settled(finding).value] += 1
                counts["points"] += points(finding)
        return cls(**counts)


_KINDS = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.INFO: "infos"}


def topic(code: str) -> str:
    """What a rule is about, by its code."""
    return TOPICS.get(code[:3], OTHER)


def blocks(finding: Finding) -> bool:
    """Whether the code fails on the target, or silently does something else there."""
    return finding.severity is not Severity.INFO


def settled(finding: Finding) -> Settled:
    """Who settles a finding."""
    match finding.fix and finding.fix.applicability:
        case _ if not blocks(finding):
            return Settled.NOTHING
        case Applicability.SAFE:
            return Settled.AUTOMATIC
        case Applicability.UNSAFE:
            return Settled.REVIEW
        case _:
            return Settled.PERSON


def points(finding: Finding) -> int:
    """The points of a finding, 0 for one that does not block."""
    who = settled(finding)
    is_heavy = finding.code.startswith(_HEAVY) and finding.code not in FAILURES
    return KERNEL_POINTS if who is Settled.PERSON and is_heavy else POINTS[who]


def grade(points: int) -> str:
    """The grade of so many points."""
    return next((word for limit, word in GRADES if points <= limit), BEYOND)


def rule() -> str:
    """How the grade is found, in words."""
    limits = ", ".join(f"{word} up to {limit}" for limit, word in GRADES[1:])
    return (
        f"Each place that fails or silently does something else counts: {POINTS[Settled.AUTOMATIC]}"
        f" points if it is fixed automatically, {POINTS[Settled.REVIEW]} if its fix needs a look, "
        f"{POINTS[Settled.PERSON]} if a person changes it, and {KERNEL_POINTS} if that is a kernel "
        f"or a library tied to CUDA; a CUDA source file is {KERNEL_POINTS}, too. "
        f"Grades: none at 0, {limits}, {BEYOND} beyond. Points order the work; they are not hours."
    )
