"""A file that is no Python, and what it is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from neuronlint.conditions import BACKENDS
from neuronlint.documents import container, entries, packages, shell, tables
from neuronlint.documents.nodes import Node
from neuronlint.formats import Format, format_of
from neuronlint.settings import Settings
from neuronlint.source import Source

N = TypeVar("N", bound=Node)
_READERS: Mapping[Format, Callable[[str], Iterator[Node]]] = {
    Format.REQUIREMENTS: packages.read,
    Format.PYPROJECT: tables.pyproject,
    Format.SETUP_CFG: tables.setup_cfg,
    Format.CONTAINER: container.read,
    Format.SHELL: shell.read,
    Format.YAML: entries.read,
    Format.JSON: entries.read,
}
_OWNERS = BACKENDS | {"cpu", "cuda", "gpu", "nvidia", "amd", "intel"}
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Document:
    """A requirements file, a Dockerfile, a script or a file of settings."""

    source: Source
    path: Path
    settings: Settings

    def nodes(self, kind: type[N]) -> list[N]:
        """All parts of a kind, as the file has them."""
        return [node for node in self._nodes if isinstance(node, kind)]

    @cached_property
    def is_of_backend(self) -> bool:
        """Whether the file, or its folder, is by its name one backend's own."""
        words = _WORD.findall(f"{self.path.parent.name} {self.path.name}".lower())
        return not _OWNERS.isdisjoint(words)

    def place(self, node: Node) -> tuple[int, int, int, int]:
        """The line and column at which a part starts, and those at which it ends."""
        text = self.source.parsable
        start, end = (
            at if text.isascii() else len(text[:at].encode()) for at in (node.start, node.end)
        )
        return (*self.source.place(start), *self.source.place(end))

    @cached_property
    def _nodes(self) -> list[Node]:
        format = format_of(self.path)
        return [] if format is None else list(_READERS[format](self.source.parsable))
