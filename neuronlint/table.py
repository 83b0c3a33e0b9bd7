"""Read the tables of facts that lie beside the rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from neuronlint import toml


class TableError(ValueError):
    """A table that cannot be read as rows; the message names the file and the row."""


@dataclass(frozen=True)
class Row:
    """What is known about one CUDA-bound name, and what to write instead of it.

    `new` without `instead` is a drop-in: the name alone changes. With `instead` the arguments
    change too. A row without either is `harmless`: the name may stay.
    """

    new: str = ""  # dotted name of the portable twin
    since: str = ""  # first torch release with `new`, or with what `instead` names
    without: str = ""  # expression the original gives where no accelerator is, and `new` raises
    guard: bool = False  # the fixed code asks torch.accelerator.is_available() first
    safe: bool = False  # the same on CUDA and on a CPU-only machine
    harmless: bool = False  # a setting or a probe that works anywhere
    instead: str = ""  # what to do, as a phrase that follows a semicolon
    older: str = ""  # the form for torch before `since`: a phrase, with `older_since` an expression
    older_since: str = ""  # first torch release where `older` may stand in the place of `new`
    added: str = (
        ""  # torch release from which the old name is surely there, "" for any supported one
    )
    gone: str = ""  # torch release from which it is not there any more
    note: str = ""  # what differs
    source: str = ""  # where the fact is documented
    dtype: str = ""  # of the elements of a tensor or storage type
    cpu: tuple[str, ...] = ()  # what the original and the fixed form do on a CPU-only build
    neuron: tuple[str, ...] = ()  # the same on the simulated neuron device


_BOOLEANS = frozenset({"guard", "safe", "harmless"})
_OUTCOMES = frozenset({"cpu", "neuron"})
_STRINGS = frozenset(Row.__dataclass_fields__) - _BOOLEANS - _OUTCOMES


@cache
def read_table(module: str, *files: str) -> dict[str, Row]:
    """The rows of the TOML tables that lie beside a rule's module, by old name."""
    package = module.rpartition(".")[0]
    raw: dict[str, tuple[str, dict[str, Any]]] = {}
    for file in files:
        for name, row in _parse(package, file).items():
            where = f"{file}: {name}"
            if name in raw:
                raise TableError(f"{where}: the row is also in {raw[name][0].split(':')[0]}")
            if not isinstance(row, dict):
                raise TableError(f"{where}: not a row")
            raw[name] = where, row
    return {name: _row(where, _target(where, row, raw)) for name, (where, row) in raw.items()}


def _parse(package: str, file: str) -> dict[str, Any]:
    """The file as nested dictionaries."""
    from importlib.resources import files  # costs what a run that needs no table does not pay

    text = (files(package) / file).read_text(encoding="utf-8")
    try:
        return toml.parse(text, file)
    except toml.TomlError as error:
        raise TableError(str(error)) from error


def _target(
    where: str, row: dict[str, Any], raw: dict[str, tuple[str, dict[str, Any]]]
) -> dict[str, Any]:
    """The row itself, or the one its alias names."""
    if "alias" not in row:
        return row
    if len(row) > 1:
        raise TableError(f"{where}: an alias has no other key")
    _, target = raw.get(row["alias"], (where, row))
    if "alias" in target:
        raise TableError(f"{where}: alias of {row['alias']!r}, which is not a row of these files")
    return target


def _row(where: str, row: dict[str, Any]) -> Row:
    """The row as a record, once its keys and values are what they must be."""
    for key, value in row.items():
        _check(where, key, value)
    if not (row.get("new") or row.get("instead") or row.get("harmless")):
        raise TableError(f"{where}: one of `new`, `instead` and `harmless` is required")
    if row.get("new") and not row.get("since"):
        raise TableError(f"{where}: `since` is required with `new`")
    outcomes = {key: tuple(row[key]) for key in _OUTCOMES & row.keys()}
    return Row(**{**row, **outcomes})


def _check(where: str, key: str, value: object) -> None:
    """Raise unless `key` is a field of Row and `value` of its type."""
    if key in _BOOLEANS:
        fits = isinstance(value, bool)
    elif key in _STRINGS:
        fits = isinstance(value, str)
    elif key in _OUTCOMES:
        fits = isinstance(value, list) and all(isinstance(outcome, str) for outcome in value)
    else:
        raise TableError(f"{where}: unknown key `{key}`")
    if not fits:
        raise TableError(f"{where}: `{key}` has a value of the wrong type")
