"""Read TOML, from a file or from a word on the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import tomli  # compiled: Python's own of the same authors takes three times as long


class TomlError(ValueError):
    """What is no TOML, or cannot be read; the text says where and why."""


def read(file: Path) -> dict[str, Any]:
    """What a file says; raises TomlError."""
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise TomlError(f"{file}: not TOML: not UTF-8 at byte {error.start}") from error
    except OSError as error:
        raise TomlError(f"{file}: {error.strerror}") from error
    return parse(text, str(file))


def parse(text: str, place: str) -> dict[str, Any]:
    """What a text from a named place says; raises TomlError."""
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        reason, at, position = str(error).partition(" (at ")
        numbers = re.findall(r"\d+", position)
        where = ":".join([place, *numbers])
        ending = f" ({at.strip(' (')} {position}" if at and not numbers else ""
        raise TomlError(f"{where}: not TOML: {reason}{ending}") from error
    except RecursionError as error:
        raise TomlError(f"{place}: not TOML: it nests too deeply") from error
    except ValueError as error:  # a number with too many digits
        raise TomlError(f"{place}: not TOML: {error}") from error


def written(value: object) -> str:
    """A value as TOML has it."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _quoted(value)
        case dict():
            pairs = (f"{_quoted(str(key))} = {written(each)}" for key, each in value.items())
            return f"{{ {', '.join(pairs)} }}" if value else "{}"
        case list() | tuple():
            return f"[{', '.join(map(written, value))}]"
        case _:
            return str(value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_escaped(char) for char in escaped) + '"'


def _escaped(char: str) -> str:
    return char if char.isprintable() else f"\\U{ord(char):08X}"
