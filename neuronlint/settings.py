"""What a project says of itself, as far as rules and fixes ask."""

from __future__ import annotations

from dataclasses import dataclass, field

from neuronlint.overrides import Override
from neuronlint.style import Style


@dataclass(frozen=True)
class Settings:
    """The oldest torch that is supported, the project's own test gates, and its device words.

    `torch` is a release such as "2.9", or "" where none is known and every fix is offered.
    `gates` are names of decorators that skip a test where CUDA is not. `overrides` are what the
    project makes of the findings of its rules, `markers` its own comments that suppress findings.
    """

    torch: str = ""
    gates: frozenset[str] = frozenset()
    style: Style = field(default_factory=Style)
    overrides: tuple[Override, ...] = ()
    markers: tuple[str, ...] = ()
