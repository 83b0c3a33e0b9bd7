"""Small JSON files in the user's cache directory; whatever is wrong with one, it is not there.

This is loaded by the shortest of runs, so it imports nothing that they have not loaded.
"""

from __future__ import annotations

import json
import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

_BEGUN = "neuronlint-"  # how files are called until they are whole
_folder: list[Path | None] = []  # the directory that was asked for; None for no cache at all


def use(folder: Path | None) -> None:
    """Keep files in this directory from now on, None to keep none."""
    _folder[:] = [folder]


def directory() -> str | None:
    """Where the files lie: where it was asked for, or in the user's cache directory."""
    if _folder:
        return None if _folder[0] is None else os.fspath(_folder[0])
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or _home("AppData", "Local")
    elif sys.platform == "darwin":
        home = _home("Library", "Caches")
    else:
        home = os.environ.get("XDG_CACHE_HOME") or _home(".cache")
    return os.path.join(home, "neuronlint")


def read(name: str, folder: str | None = None) -> dict[str, Any] | None:
    """What a file holds, None if there is none to be trusted."""
    folder = folder or directory()
    if folder is None:
        return None
    path = _path(folder, name)
    try:
        if not _is_ours(path, folder):
            return None
        with open(path, "rb") as file:
            data = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def write(name: str, data: dict[str, Any]) -> None:
    """Write a file, whole or not at all."""
    import tempfile
    from contextlib import suppress

    folder = directory()
    if folder is None:
        return
    with suppress(OSError):
        os.makedirs(folder, exist_ok=True, mode=0o700)
        descriptor, temporary = tempfile.mkstemp(".tmp", _BEGUN, folder)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(json.dumps(data, separators=(",", ":")))  # at once: dump has no C
            os.replace(temporary, _path(folder, name))
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary)


def thin(start: str, kept: int) -> None:
    """Remove the oldest files whose names start so, where there are more than are to be kept.

    Half as many as that are left, so that not every run has to look for the oldest.
    """
    folder = directory()
    if folder is None:
        return
    names = [name for name in _names(folder) if name.startswith(start)]
    if len(names) <= kept:
        return
    ages = []
    for name in names:
        try:
            ages.append((os.stat(os.path.join(folder, name)).st_mtime_ns, name))
        except OSError:
            continue
    for _, name in sorted(ages)[: len(ages) - kept // 2]:
        try:
            os.unlink(os.path.join(folder, name))
        except OSError:
            continue


def clean() -> int:
    """Remove all files that we wrote; how many there were."""
    folder = directory()
    if folder is None:
        return 0
    removed = 0
    for name in _names(folder):
        try:
            os.unlink(os.path.join(folder, name))
            removed += 1
        except OSError:
            continue
    return removed


def _names(folder: str) -> list[str]:
    """Our files in a folder, among them those that were begun when a process was killed."""
    try:
        return [name for name in os.listdir(folder) if _is_our_name(name)]
    except OSError:
        return []


def _is_our_name(name: str) -> bool:
    """Whether we write files of a name: a cache directory may hold what others need."""
    kept = name.startswith(("rules.", "findings-", "run-", "folder-")) and name.endswith(".json")
    return kept or (name.startswith(_BEGUN) and name.endswith(".tmp"))


def _path(folder: str, name: str) -> str:
    return os.path.join(folder, f"{name}.json")


def _home(*parts: str) -> str:
    return os.path.join(os.path.expanduser("~"), *parts)


def _is_ours(path: str, folder: str) -> bool:
    """Whether nobody else can have written a file: the user's own, writable by them alone."""
    file = os.stat(path)
    if not stat.S_ISREG(file.st_mode):  # to read a pipe is to wait for it
        return False
    if not hasattr(os, "getuid"):
        return True
    user = os.getuid()
    return all(each.st_uid == user and not each.st_mode & 0o022 for each in (file, os.stat(folder)))
