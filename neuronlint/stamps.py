"""What changes when the code of a package does, told without importing it."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec


@cache
def stamp(package: str) -> tuple[int, int]:
    """The newest modification time of a package's files, and their number."""
    spec = find_spec(package)
    newest = number = 0
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for top, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in names:
                if name.endswith((".py", ".toml")):
                    newest = max(newest, os.stat(f"{top}{os.sep}{name}").st_mtime_ns)  # noqa: PTH116
                    number += 1
    return newest, number
