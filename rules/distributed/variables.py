"""What is known about environment variables of CUDA's libraries."""

from __future__ import annotations

from neuronlint import Row, read_table

_HIDES = frozenset({"", "-1"})  # no device of CUDA's, which is what other machines have


def row_of_variable(name: str, value: str | None = None) -> Row | None:
    """What is known about a variable, or about all that start with the same word.

    There is none for a harmless one, nor for no value or one that hides CUDA's devices.
    """
    if value is not None and value.strip() in _HIDES:
        return None
    rows = read_table(__name__, "environment.toml")
    row = rows.get(name) or next(
        (row for key, row in rows.items() if key.endswith("*") and name.startswith(key[:-1])), None
    )
    return None if row is None or row.harmless else row
