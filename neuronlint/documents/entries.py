"""The entries of YAML and JSON files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from neuronlint.documents import packages
from neuronlint.documents.nodes import Entry, Image, Node, Variable

ITEM = "-"


def read(text: str) -> Iterator[Node]:
    """The entries of a file, and what they are where that is known; none of one that is broken."""
    variables: dict[tuple[str, ...], Entry] = {}
    for entry in _entries(text):
        yield entry
        match entry.keys:
            case ("dependencies", "-"):
                yield from packages.conda(entry.value, entry.start)
            case ("dependencies", "-", "pip", "-"):
                yield from packages.required(entry.value, entry.start)
            case (*_, "image" | "base_image" | "container"):
                yield Image(entry.start, entry.end, False, entry.value)
            case (*above, "name") if "env" in above:
                variables[tuple(above)] = entry
            case (*above, "value") if (named := variables.pop(tuple(above), None)) is not None:
                yield Variable(named.start, named.end, False, named.value, entry.value)
            case (*_, "environment" | "env" | "env_vars", "-") if "=" in entry.value:
                name, _, value = entry.value.partition("=")
                yield Variable(entry.start, entry.end, False, name, value)
            case (*_, key) if key.isupper():
                yield Variable(entry.start, entry.end, False, key, entry.value)


@dataclass
class _Level:
    """A mapping or a list that is open: the keys that lead to it, and the key at hand."""

    keys: tuple[str, ...]
    is_list: bool
    key: str | None = field(default=None)

    def next(self) -> tuple[str, ...]:
        """The keys that lead to the value that comes next."""
        keys = (*self.keys, ITEM if self.is_list else self.key or "")
        self.key = None
        return keys


def _entries(text: str) -> Iterator[Entry]:
    """Every scalar of a file with the keys that lead to it; nothing nests on Python's stack."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    found: list[Entry] = []
    levels: list[_Level] = []
    try:
        for event in yaml.parse(text.replace("\t", " "), Loader=loader):
            level = levels[-1] if levels else None
            match event:
                case yaml.ScalarEvent() if level and not level.is_list and level.key is None:
                    level.key = event.value
                case yaml.ScalarEvent():
                    keys = level.next() if level else ()
                    start, end = (starts[mark.line] + mark.column for mark in _marks(event))
                    found.append(Entry(start, end, False, keys, event.value))
                case yaml.CollectionStartEvent():
                    is_list = isinstance(event, yaml.SequenceStartEvent)
                    levels.append(_Level(level.next() if level else (), is_list))
                case yaml.CollectionEndEvent():
                    levels.pop()
                case yaml.AliasEvent() if level:
                    level.next()
    except yaml.YAMLError:
        return
    yield from found


def _marks(event: Any) -> tuple[Any, Any]:
    return event.start_mark, event.end_mark
