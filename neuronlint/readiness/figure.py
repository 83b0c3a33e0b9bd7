"""The readiness figure: how many of the files that use PyTorch have nothing that blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from neuronlint.readiness.survey import Glance, Survey
from neuronlint.readiness.work import Settled, blocks, settled


@dataclass(frozen=True)
class Figure:
    """Files that count, those that are ready, and those that would be after the fixes."""

    counted: int = 0
    ready: int = 0
    after_fix: int = 0
    after_review: int = 0

    @classmethod
    def of(cls, survey: Survey) -> Figure:
        """The figure of a survey; a CUDA source counts as a file that is not ready."""
        counted = [each for each in survey.glances if counts(each)]
        return cls(
            len(counted) + len(survey.kernels),
            sum(is_ready(each) for each in counted),
            sum(is_ready(each, (Settled.AUTOMATIC,)) for each in counted),
            sum(is_ready(each, (Settled.AUTOMATIC, Settled.REVIEW)) for each in counted),
        )

    def percent(self, ready: int) -> int | None:
        """So many files in percent, rounded down: 100 is all of them; None where none counts."""
        return ready * 100 // self.counted if self.counted else None


def counts(glance: Glance) -> bool:
    """Whether a file is one of those the figure is about: it imports torch, or has a finding."""
    return glance.torch or bool(glance.findings)


def is_ready(glance: Glance, fixed: Iterable[Settled] = ()) -> bool:
    """Whether nothing in a file blocks, once what these settle is fixed."""
    return all(settled(each) in fixed for each in glance.findings if blocks(each))
