"""An installed rule pack, as the entry point that names it has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "neuronlint.rules"


@dataclass(frozen=True)
class Pack:
    """A name, and where the rules are, as `module:attribute`."""

    name: str
    value: str

    @property
    def package(self) -> str:
        """The package that the rules are in."""
        return self._point().module.partition(".")[0]

    def load(self) -> Any:
        """The rules."""
        return self._point().load()

    def _point(self) -> EntryPoint:
        from importlib.metadata import EntryPoint  # slow to load: most runs need none

        return EntryPoint(self.name, self.value, GROUP)
