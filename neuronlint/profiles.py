"""Read the targets that installed rule packs describe, each in a file of its `targets` folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from neuronlint import near, toml
from neuronlint.registry import packs
from neuronlint.rule import Severity
from neuronlint.target import Fact, Target, Verdict
from neuronlint.user_error import UserError

DEFAULT = "neuron"
ANY = "any"
_FOLDER = "targets"
_FACTS = (
    *("device", "module", "dtypes", "autocast", "process_group", "compile", "accelerator"),
    "operators",
)
_LISTS = ("missing", "unsupported", "slow")
_VERDICT = ("rules", "symbols", "of", "severity", "reason", "source")


class TargetError(UserError):
    """A target that does not exist, or whose file cannot be read."""


@cache
def names() -> tuple[str, ...]:
    """The names of all targets, that of all together last."""
    return (*sorted(_files()), ANY)


@cache
def read(name: str) -> Target:
    """The target of a name; raises TargetError."""
    if name not in _files():
        raise TargetError(f"no target is called {name!r}{near.hint(name, names())}")
    file = _files()[name]
    try:
        return _target(name, toml.read(file))
    except ValueError as error:
        raise TargetError(f"{file}: {error}") from error


def chosen(wanted: Iterable[str]) -> tuple[Target, ...]:
    """The targets of some names, each once; `any` stands for all of them."""
    listed = [each for name in wanted for each in (names()[:-1] if name == ANY else (name,))]
    return tuple(read(name) for name in dict.fromkeys(listed))


@cache
def _files() -> Mapping[str, Path]:
    """The file of each target; a pack does not change the target of another one."""
    found: dict[str, Path] = {}
    for pack in sorted(packs(), key=lambda pack: pack.name != "builtin"):
        spec = find_spec(pack.package)  # which imports no rule
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            for file in sorted(Path(folder, _FOLDER).glob("*.toml")):
                found.setdefault(file.stem, file)
    return found


def _target(name: str, table: Mapping[str, Any]) -> Target:
    _known(table, ("title", *_FACTS, *_LISTS, "findings"), "")
    if "device" not in table:
        raise ValueError("`device` is required")
    facts: dict[str, Any] = {key: _fact(table[key], key) for key in _FACTS if key in table}
    for key in _LISTS:
        facts[key] = tuple(_fact(row, key) for row in table.get(key, ()))
    verdicts = tuple(map(_verdict, table.get("findings", ())))
    return Target(name, _text(table, "title"), verdicts=verdicts, **facts)


def _fact(row: Mapping[str, Any], place: str) -> Fact:
    _known(row, ("value", "source", "note"), place)
    return Fact(_text(row, "value"), _text(row, "source"), str(row.get("note", "")))


def _verdict(row: Mapping[str, Any]) -> Verdict:
    _known(row, _VERDICT, "findings")
    if not (row.get("rules") or row.get("symbols")):
        raise ValueError("`rules` or `symbols` is required in `findings`")
    return Verdict(
        _text(row, "reason"),
        _text(row, "source"),
        _severity(_text(row, "severity")),
        tuple(row.get("rules", ())),
        tuple(row.get("symbols", ())),
        _severity(row["of"]) if "of" in row else None,
    )


def _severity(word: str) -> Severity | None:
    return None if word == "none" else Severity(word)


def _text(row: Mapping[str, Any], key: str) -> str:
    if not isinstance(row.get(key), str) or not row[key]:
        raise ValueError(f"`{key}` is required, and is a string")
    return str(row[key])


def _known(row: object, keys: Iterable[str], place: str) -> None:
    """Raise ValueError unless a table has these keys only."""
    if not isinstance(row, Mapping):
        raise ValueError(f"`{place}` is a table")
    for key in row:
        if key not in keys:
            raise ValueError(f"unknown key `{place}{'.' if place else ''}{key}`")
