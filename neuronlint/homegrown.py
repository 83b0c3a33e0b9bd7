"""The packages that a repository holds itself: to import one is to use no library."""

from __future__ import annotations

import os
from pathlib import Path

from neuronlint import there

_SOURCES = ("src", "python")  # where packages lie, seen from the root
_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")


class Homegrown:
    """What the files of a folder may import from their own repository, each looked up once."""

    def __init__(self) -> None:
        self._roots: dict[Path, frozenset[str]] = {}
        self._folders: dict[Path, frozenset[str]] = {}
        self._marks: dict[tuple[Path, str], Path | None] = {}

    def packages(self, folder: Path) -> frozenset[str]:
        """The names of what lies beside the files of a folder, and in the repository's root."""
        if folder not in self._folders:
            self._folders[folder] = _names(folder) | self._of_root(self._root(folder))
        return self._folders[folder]

    def _root(self, folder: Path) -> Path:
        """The root of the repository that holds a folder; if there is none, of its distribution."""
        found = (self._marked(folder, mark) for mark in _MARKS)
        return next((one for one in found if one is not None), folder)

    def _marked(self, folder: Path, mark: str) -> Path | None:
        """The nearest folder around one, or itself, that holds something of a name."""
        if (folder, mark) not in self._marks:
            here = there.exists(f"{folder}{os.sep}{mark}")
            above = None if here or folder.parent == folder else self._marked(folder.parent, mark)
            self._marks[folder, mark] = folder if here else above
        return self._marks[folder, mark]

    def _of_root(self, root: Path) -> frozenset[str]:
        if root not in self._roots:
            places = (root, *(root / source for source in _SOURCES))
            self._roots[root] = frozenset().union(*map(_names, places))
        return self._roots[root]


def _names(folder: Path) -> frozenset[str]:
    """The packages and modules that lie in a folder."""
    there.lists(folder)
    try:
        with os.scandir(folder) as listing:
            found = [entry for entry in listing if entry.name.endswith(".py") or _is_package(entry)]
    except OSError:
        return frozenset()
    return frozenset(os.path.splitext(entry.name)[0] for entry in found)


def _is_package(entry: os.DirEntry[str]) -> bool:
    return not entry.is_file(follow_symlinks=False) and there.is_file(f"{entry.path}/__init__.py")
