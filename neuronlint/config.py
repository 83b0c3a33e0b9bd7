"""What a project asks of neuronlint: layers of settings, from files and from the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from neuronlint import there, toml
from neuronlint.key import checked
from neuronlint.keys import KEYS, TABLES, near_key
from neuronlint.user_error import UserError

FILES = (".neuronlint.toml", "neuronlint.toml", "pyproject.toml")


class ConfigError(UserError):
    """A configuration that cannot be used; the text names the file."""


@dataclass(frozen=True)
class Layer:
    """What one file or the command line sets, by key; globs in it count from `folder`.

    `place` is what messages put before a key.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = field(default_factory=Path.cwd)
    place: str = ""
    file: Path | None = None

    def words(self, name: str) -> tuple[str, ...]:
        """The words of a list, none where it is not set."""
        return tuple(self.values.get(name, ()))


@dataclass(frozen=True)
class Config:
    """The layers that hold for a file, the one that decides last."""

    layers: tuple[Layer, ...] = ()

    def value(self, name: str) -> Any:
        """What the last layer to set a key says, or the key's default."""
        layer = self.setter(name)
        return KEYS[name].default if layer is None else layer.values[name]

    def setter(self, name: str) -> Layer | None:
        """The layer that decides a key."""
        return next((layer for layer in reversed(self.layers) if name in layer.values), None)

    def more(self, name: str) -> list[tuple[Layer, Any]]:
        """The key as the last layer sets it, and what each layer's `extend-` key adds to it."""
        layer = self.setter(name)
        base = [(layer, layer.values[name])] if layer else []
        extended = f"extend-{name}"
        return base + [(one, one.values[extended]) for one in self.layers if extended in one.values]

    def table(self, prefix: str) -> dict[str, Any]:
        """What is set in a table, by the rest of the key."""
        names = [name for name in KEYS if name.startswith(f"{prefix}.")]
        return {
            name.removeprefix(f"{prefix}."): self.value(name) for name in names if self.setter(name)
        }

    @property
    def file(self) -> Path | None:
        """The configuration file nearest to what is checked."""
        return next((layer.file for layer in reversed(self.layers) if layer.file), None)

    @property
    def folder(self) -> Path:
        """The folder from which globs in that file count, or the current one."""
        layers = (layer for layer in reversed(self.layers) if layer.file)
        return next((layer.folder for layer in layers), Path.cwd())


def nearest(folder: Path) -> Path | None:
    """The configuration file in a folder, the first of the names that it may have."""
    for name in FILES:
        if there.is_file(f"{folder}{os.sep}{name}"):
            file = folder / name
            if name != "pyproject.toml" or _table(file) is not None:
                return file
    return None


def read(file: Path, folder: Path | None = None) -> tuple[Layer, ...]:
    """The layers of a file: those of the files it extends, then its own; raises ConfigError.

    Globs count from the file they are in, or from `folder` where one is given.
    """
    layers: list[Layer] = []
    seen: list[Path] = []
    next_file: Path | None = file
    while next_file is not None:
        if next_file.resolve() in seen:
            chain = " -> ".join(map(str, [*seen, next_file.resolve()]))
            raise ConfigError(f"{file}: extends itself: {chain}")
        seen.append(next_file.resolve())
        layer = _layer(next_file, folder or next_file.absolute().parent)
        layers.insert(0, layer)
        next_file = _extended(layer)
    return tuple(layers)


def given(values: Mapping[str, Any]) -> Layer:
    """The layer that the options of the command line make; raises ConfigError."""
    try:
        right = {name: checked(KEYS[name], value) for name, value in values.items()}
    except ValueError as error:
        raise ConfigError(f"--{error}") from None
    return Layer(right, place="--")


def inline(text: str) -> Layer:
    """The layer that a `KEY = VALUE` of the command line makes; raises ConfigError."""
    try:
        return Layer(dict(_values(toml.parse(text, "--config"))), place="--config: ")
    except ValueError as error:
        raise ConfigError(f"--config {text!r}: {str(error).removeprefix('--config:')}") from None


def _layer(file: Path, folder: Path) -> Layer:
    table = _table(file) or {}
    try:
        values = dict(_values(table))
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from None
    return Layer(values, folder, f"{file}: ", file)


def _extended(layer: Layer) -> Path | None:
    """The file that a layer's file extends."""
    name = layer.values.get("extend")
    if not name or layer.file is None:
        return None
    file = Path(os.path.normpath(layer.file.absolute().parent / Path(name).expanduser()))
    if not there.tells(file):
        raise ConfigError(f"{layer.file}: extend: there is no file {str(file)!r}")
    return file


def _values(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The keys of a table with their values; raises ValueError for what is no key or value."""
    for name, value in table.items():
        full = prefix + name
        if full in TABLES:
            if not isinstance(value, dict):
                raise ValueError(f"{full} must be a table")
            yield from _values(value, f"{full}.")
        elif full in KEYS:
            yield full, checked(KEYS[full], value)
        else:
            raise ValueError(f"unknown key {full!r}{near_key(full)}")


def _table(file: Path) -> Mapping[str, Any] | None:
    """The settings in a file; None for a pyproject.toml that has none."""
    try:
        data = toml.read(file)
    except toml.TomlError as error:
        raise ConfigError(str(error)) from None
    if file.name != "pyproject.toml":
        return data
    tools = data.get("tool", {})
    table = tools.get("neuronlint") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{file}: [tool.neuronlint] must be a table")
    return table
