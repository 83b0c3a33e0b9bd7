"""What a project asks of neuronlint: read from the nearest configuration file."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from neuronlint import requirements

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILES = (".neuronlint.toml", "neuronlint.toml", "pyproject.toml")


class ConfigError(Exception):
    """A configuration that cannot be used; the text names the file."""


@dataclass(frozen=True)
class Config:
    """The settings of a run; patterns count from `folder`, `torch` is the oldest to support."""

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] | None = None  # None: those of neuronlint.files
    extend_exclude: tuple[str, ...] = ()
    torch: str = ""
    folder: Path = field(default_factory=Path.cwd)


_KEYS = {each.name.replace("_", "-"): each.name for each in fields(Config) if each.name != "folder"}


def load(paths: Iterable[Path]) -> Config:
    """The settings in the nearest file above all the paths, with the torch floor filled in."""
    start = _common_folder(paths)
    for folder in (start, *start.parents):
        for name in FILES:
            file = folder / name
            if file.is_file() and (table := _table(file)) is not None:
                return _with_floor(_config(table, file), start)
    return _with_floor(Config(), start)


def read(file: Path, paths: Iterable[Path] = ()) -> Config:
    """The settings in one file, with the torch floor filled in."""
    return _with_floor(_config(_table(file) or {}, file), _common_folder(paths or [file]))


def version(text: str) -> str:
    """A torch version as given; ConfigError if it is none."""
    if not re.fullmatch(r"\d+(\.\d+)*", text):
        raise ConfigError(f"torch {text!r} is not a version; write for example 2.9")
    return text


def _nearest(word: str, words: Iterable[str]) -> str:
    """A hint at the word most like a wrong one, if one is."""
    close = difflib.get_close_matches(word, list(words), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _common_folder(paths: Iterable[Path]) -> Path:
    folders = {path if path.is_dir() else path.parent for path in map(Path.absolute, paths)}
    try:
        return Path(os.path.commonpath(folders)) if folders else Path.cwd()
    except ValueError:  # on different drives
        return Path.cwd()


def _table(file: Path) -> Mapping[str, Any] | None:
    """The settings in a file; None for a pyproject.toml that has none."""
    data = _toml(file)
    if file.name != "pyproject.toml":
        return data
    tools = data.get("tool", {})
    table = tools.get("neuronlint") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{file}: [tool.neuronlint] must be a table")
    return table


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode())
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not TOML: not UTF-8 at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        reason, at, place = str(error).partition(" (at ")
        numbers = re.findall(r"\d+", place)
        where = f"{file}:{':'.join(numbers)}" if numbers else f"{file}"
        ending = f" ({at.strip(' (')} {place}" if at and not numbers else ""
        raise ConfigError(f"{where}: not TOML: {reason}{ending}") from error
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from error


def _config(table: Mapping[str, Any], file: Path) -> Config:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _KEYS:
            raise ConfigError(f"{file}: unknown key {key!r}{_nearest(key, _KEYS)}")
        values[_KEYS[key]] = _version(value, file) if key == "torch" else _words(key, value, file)
    return Config(**values, folder=file.absolute().parent)


def _words(key: str, value: object, file: Path) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return tuple(value)
    raise ConfigError(f"{file}: {key} must be a list of strings")


def _version(value: object, file: Path) -> str:
    if not isinstance(value, str):
        raise ConfigError(f'{file}: torch must be a string such as "2.9"')
    try:
        return version(value)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def _with_floor(config: Config, start: Path) -> Config:
    """The settings with the oldest torch that the project's dependencies allow, if they say."""
    if config.torch:
        return config
    for folder in _project_folders(start):
        pyproject = folder / "pyproject.toml"
        data = _toml(pyproject) if pyproject.is_file() else {}
        floor = requirements.torch_floor(data, sorted(folder.glob("requirements*.txt")))
        if floor is not None:
            return replace(config, torch=floor)
    return config


def _project_folders(start: Path) -> Iterator[Path]:
    """The folder and those above it, up to the root of the repository."""
    for folder in (start, *start.parents):
        yield folder
        if (folder / ".git").exists():
            return
