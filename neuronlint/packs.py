"""An installed rule pack, as the entry point that names it has it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Pack:
    """A name, and where the rules are: `module:attribute`, with extras perhaps behind it."""

    name: str
    value: str

    @property
    def module(self) -> str:
        """The module that has the rules."""
        return self.value.partition("[")[0].partition(":")[0].strip()

    @property
    def package(self) -> str:
        """The package that the module is in."""
        return self.module.partition(".")[0]

    def load(self) -> Any:
        """The rules."""
        names = self.value.partition("[")[0].partition(":")[2].strip().split(".")
        return reduce(getattr, filter(None, names), import_module(self.module))
