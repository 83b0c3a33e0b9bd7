"""One key of a configuration, and what it may be set to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from neuronlint import near


class Kind(Enum):
    """What a key may be set to."""

    FLAG = "true or false"
    TEXT = "a string"
    VERSION = 'a string such as "2.9"'
    WORDS = "a list of strings"
    TEXTS = "a table of strings"
    LISTS = "a table of lists of strings"


@dataclass(frozen=True)
class Key:
    """One key: its name, what it may hold, what it means, and what stands for it unset.

    `default` is the value, or words in brackets for one that is worked out.
    `choices` are the only strings it may hold, as values where it holds a table or a list.
    """

    name: str
    kind: Kind
    default: Any
    meaning: str
    example: str
    choices: tuple[str, ...] = ()
    option: str = ""


def formats() -> tuple[str, ...]:
    """The names of the output formats."""
    from neuronlint.reporters import REPORTERS

    return tuple(REPORTERS)


def checked(key: Key, value: object) -> object:
    """A value as the rest of the program takes it: lists are tuples; raises ValueError."""
    right, result = _CHECKS[key.kind](value)
    if not right:
        raise ValueError(f"{key.name} must be {key.kind.value}")
    if key.kind is Kind.VERSION:
        return version(str(value), key.name)
    if words := choices(key):
        _choose(key.name, value, words)
    return result


def choices(key: Key) -> tuple[str, ...]:
    """The only words a key may hold, none where it may hold any."""
    match key.name:
        case "output-format":
            return formats()
        case "target":
            from neuronlint import profiles

            return profiles.names()
        case _:
            return key.choices


def version(text: str, name: str = "torch") -> str:
    """A version as given; ValueError if it is none."""
    if not re.fullmatch(r"\d+(\.\d+)*", text):
        raise ValueError(f"{name} {text!r} is not a version; write for example 2.9")
    return text


def _choose(name: str, value: object, choices: tuple[str, ...]) -> None:
    if isinstance(value, Mapping):
        for inner, each in value.items():
            _choose(f"{name}.{inner}", each, choices)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _choose(name, each, choices)
    elif value not in choices:
        listed = ", ".join(map(repr, choices))
        hint = near.hint(str(value), choices)
        raise ValueError(f"{name} must be one of {listed}, not {value!r}{hint}")


def _flag(value: object) -> tuple[bool, object]:
    return isinstance(value, bool), value


def _text(value: object) -> tuple[bool, object]:
    return isinstance(value, str), value


def _words(value: object) -> tuple[bool, object]:
    right = isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value)
    return right, tuple(value) if isinstance(value, (list, tuple)) else ()


def _texts(value: object) -> tuple[bool, object]:
    if not isinstance(value, Mapping):
        return False, {}
    return all(isinstance(each, str) for each in value.values()), dict(value)


def _lists(value: object) -> tuple[bool, object]:
    if not isinstance(value, Mapping):
        return False, {}
    pairs = {name: _words(each) for name, each in value.items()}
    return all(right for right, _ in pairs.values()), {
        name: each[1] for name, each in pairs.items()
    }


_CHECKS: dict[Kind, Callable[[object], tuple[bool, object]]] = {
    Kind.FLAG: _flag,
    Kind.TEXT: _text,
    Kind.VERSION: _text,
    Kind.WORDS: _words,
    Kind.TEXTS: _texts,
    Kind.LISTS: _lists,
}
