"""What is known about environment variables of CUDA's libraries."""

from __future__ import annotations

from neuronlint import Row, read_table


def row_of_variable(name: str) -> Row | None:
    """What is known about a variable, or about all that start with the same word."""
    rows = read_table(__name__, "environment.toml")
    return rows.get(name) or next(
        (row for key, row in rows.items() if key.endswith("*") and name.startswith(key[:-1])), None
    )
