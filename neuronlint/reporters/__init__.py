"""The output formats: each turns a report into text and knows nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from neuronlint.report import Look, Report

Reporter: TypeAlias = "Callable[[Report, Look], str]"


class _Reporters(Mapping[str, Reporter]):
    """Reporters by the name of their format; one is imported when it is asked for."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Reporter:
        if name not in self._names:
            raise KeyError(name)
        module = import_module(f"{__name__}.{name.replace('-', '_')}")
        return cast(Reporter, module.report)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


REPORTERS: Mapping[str, Reporter] = _Reporters(
    *("text", "full", "concise", "grouped"),
    *("json", "json-lines", "sarif", "junit", "rdjson"),
    *("github", "gitlab", "azure", "pylint"),
)
