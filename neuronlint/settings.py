"""What a project says of itself, as far as rules and fixes ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from neuronlint.operator_file import Operators
from neuronlint.overrides import Override
from neuronlint.style import Style
from neuronlint.target import Target


@dataclass(frozen=True)
class Settings:
    """The oldest torch that is supported, the project's own test gates, and its device words.

    `torch` is a release such as "2.9", or "" where none is known and every fix is offered.
    `gates` are names of decorators that skip a test where CUDA is not. `overrides` are what the
    project makes of the findings of its rules, `markers` its own comments that suppress findings.
    `targets` are the devices that the code is for, none for what rules say of themselves;
    `operators` what one of them has a kernel for, None where that is not known. `known` are the
    codes and names of all rules there are, none where nobody says. `packages` are the names that
    the repository itself holds, so that an import of one is no library's.
    """

    torch: str = ""
    gates: frozenset[str] = frozenset()
    style: Style = field(default_factory=Style)
    overrides: tuple[Override, ...] = ()
    markers: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    operators: Operators | None = None
    known: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()

    @property
    def missing_dtypes(self) -> Mapping[str, tuple[str, ...]]:
        """The targets that lack a dtype, by its name in torch."""
        found: dict[str, tuple[str, ...]] = {}
        for target in self.targets:
            for fact in target.missing:
                found[fact.value] = (*found.get(fact.value, ()), target.name)
        return found

    @property
    def words(self) -> frozenset[str]:
        """Words of the project that make a source worth a look, beside those of the rules."""
        return self.gates if self.operators is None else self.gates | self.operators.words
