"""Small JSON files in the user's cache directory; whatever is wrong with one, it is not there."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

_folder: list[Path | None] = []  # the directory that was asked for; None for no cache at all


def use(folder: Path | None) -> None:
    """Keep files in this directory from now on, None to keep none."""
    _folder[:] = [folder]


def directory() -> Path | None:
    """Where the files lie: where it was asked for, or in the user's cache directory."""
    if _folder:
        return _folder[0]
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "neuronlint"


def read(name: str) -> dict[str, Any] | None:
    """What a file holds, None if there is none to be trusted."""
    folder = directory()
    with suppress(OSError, ValueError):
        if folder is not None and _is_ours(path := folder / f"{name}.json"):
            data = json.loads(path.read_bytes())
            return data if isinstance(data, dict) else None
    return None


def write(name: str, data: dict[str, Any]) -> None:
    """Write a file, whole or not at all."""
    folder = directory()
    if folder is None:
        return
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(data, file, separators=(",", ":"))
            Path(temporary).replace(folder / f"{name}.json")
        finally:
            Path(temporary).unlink(missing_ok=True)


def clean() -> int:
    """Remove all files; how many there were."""
    folder = directory()
    removed = 0
    if folder is not None:
        for path in folder.glob("*.json"):
            with suppress(OSError):
                path.unlink()
                removed += 1
    return removed


def _is_ours(path: Path) -> bool:
    """Whether nobody else can have written a file: the user's own, writable by them alone."""
    if not hasattr(os, "getuid"):
        return True
    places = (path.stat(), path.parent.stat())
    return all(one.st_uid == os.getuid() and not one.st_mode & 0o022 for one in places)
