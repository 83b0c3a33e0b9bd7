"""The dependencies in pyproject.toml and setup.cfg."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from neuronlint import toml
from neuronlint.documents import packages
from neuronlint.documents.nodes import Address, Node, Requirement

_INDEXES = ("index", "source")  # tables that name one each
_ADDRESSES = ("index-url", "extra-index-url", "find-links")


def pyproject(text: str) -> Iterator[Node]:
    """What a pyproject.toml asks for whatever is chosen, none of its extras and groups."""
    try:
        data = toml.parse(text, "pyproject.toml")
    except toml.TomlError:
        return
    for header, key in (("project", "dependencies"), ("build-system", "requires")):
        for value in _strings(_table(data, header).get(key)):
            if (at := _place(text, header, key, value)) is not None:
                yield from packages.required(value, at)
    tools = _table(data, "tool")
    for name, asked in _table(_table(tools, "poetry"), "dependencies").items():
        optional = isinstance(asked, dict) and bool(asked.get("optional"))
        at = _key(text, "tool.poetry.dependencies", name)
        if at is not None and not optional:
            yield Requirement(at, at + len(name), False, packages.normal(name))
    for url in _urls(tools):
        if (found := re.search(rf"(?<=[\"']){re.escape(url)}(?=[\"'])", text)) is not None:
            yield Address(*found.span(), False, url)


def setup_cfg(text: str) -> Iterator[Node]:
    """What a setup.cfg asks for, whatever is chosen."""
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
        values = parser.get("options", "install_requires", fallback="").splitlines()
    except configparser.Error:
        return
    start = text.find("install_requires")
    for value in filter(None, values):
        found = re.compile(rf"(?<![\w.-]){re.escape(value)}[ \t]*$", re.MULTILINE).search(
            text, start
        )
        if found is not None:
            yield from packages.required(value, found.start())


def _urls(tools: Mapping[str, Any]) -> Iterator[str]:
    """The indexes that tools are told of, but for those that are used where they are named."""
    for tool in ("uv", "poetry", "pdm"):
        table = _table(tools, tool)
        for key in _INDEXES:
            rows = table.get(key)
            for row in rows if isinstance(rows, list) else ():
                if isinstance(row, dict) and not (row.get("explicit") or _is_explicit(row)):
                    yield from _strings([row.get("url")])
        for owner in (table, _table(table, "pip")):
            for key in _ADDRESSES:
                value = owner.get(key)
                yield from _strings(value if isinstance(value, list) else [value])


def _is_explicit(row: Mapping[str, Any]) -> bool:
    return row.get("priority") in ("explicit", "supplemental")


def _place(text: str, header: str, key: str, value: str) -> int | None:
    """Where a text of a list stands."""
    begun = re.search(rf"^\s*\[{re.escape(header)}\]", text, re.MULTILINE)
    if begun is None:
        return None
    listed = re.compile(rf"^[ \t]*{re.escape(key)}[ \t]*=", re.MULTILINE).search(text, begun.end())
    if listed is None:
        return None
    pattern = re.compile(rf"(?<=[\"']){re.escape(value)}(?=[\"'])")
    found = pattern.search(text, listed.end())
    return found.start() if found else None


def _key(text: str, header: str, name: str) -> int | None:
    """Where a key of a table stands."""
    begun = re.search(rf"^\s*\[{re.escape(header)}\]", text, re.MULTILINE)
    if begun is None:
        return None
    pattern = re.compile(rf"^[ \t]*[\"']?({re.escape(name)})[\"']?[ \t]*=", re.MULTILINE)
    found = pattern.search(text, begun.end())
    return found.start(1) if found else None


def _table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _strings(values: object) -> Iterable[str]:
    return [one for one in values if isinstance(one, str)] if isinstance(values, list) else []
