"""Read what operators a device has a kernel for, as `python -m neuronlint.operators` writes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

FORMAT = 1
TENSOR = "torch.Tensor."
_LISTS = ("kernel", "composite", "missing")


class OperatorError(ValueError):
    """A file that does not list operators; the text names the file."""


@dataclass(frozen=True)
class Operators:
    """What calls a device has no kernel for: the operator of each, by the dotted name called."""

    device: str
    torch: str
    missing: tuple[tuple[str, str], ...] = ()

    def __hash__(self) -> int:
        return hash((self.device, self.torch, len(self.missing)))  # asked for with every file

    @cached_property
    def by_name(self) -> Mapping[str, str]:
        """The operators that are missing, by what calls them."""
        return dict(self.missing)

    @cached_property
    def words(self) -> frozenset[str]:
        """The last names of what calls them."""
        return frozenset(name.rpartition(".")[2] for name, _ in self.missing)


def read(file: Path) -> Operators:
    """What a file lists; raises OperatorError."""
    try:
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise OperatorError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise OperatorError(f"{file}: not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise OperatorError(f"{file}: not a list of operators: `format` must be {FORMAT}")
    return _operators(file, data)


def _operators(file: Path, data: Mapping[str, Any]) -> Operators:
    for key in ("device", "torch"):
        if not isinstance(data.get(key), str) or not data[key]:
            raise OperatorError(f"{file}: `{key}` must be a string")
    for key in _LISTS:
        names = data.get(key)
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise OperatorError(f"{file}: `{key}` must be a list of strings")
    calls = data.get("calls")
    if not isinstance(calls, dict) or not all(isinstance(name, str) for name in calls.values()):
        raise OperatorError(f"{file}: `calls` must be a table of strings")
    lacking = set(data["missing"]).difference(data["kernel"], data["composite"])
    missing = sorted((name, operator) for name, operator in calls.items() if operator in lacking)
    return Operators(data["device"], data["torch"], tuple(missing))
