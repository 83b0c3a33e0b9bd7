"""The CUDA sources of a project: kernels to be written anew for another device."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from neuronlint.files import Filter, Filters, find
from neuronlint.ignores import Patterns

SUFFIXES = (".cu", ".cuh", ".ptx")
_SOURCES = tuple(f"*{suffix}" for suffix in SUFFIXES)


def kernels(paths: Iterable[Path], filters: Filters) -> tuple[Path, ...]:
    """The CUDA sources under the paths, but for what the project leaves out."""

    def sources(folder: Path) -> Filter:
        return replace(filters(folder), include=(Patterns.of(folder, _SOURCES),), usual=None)

    found = find(paths, sources).files
    return tuple(path for path in found if path.suffix in SUFFIXES)  # but for other named files
