"""The packages that a repository holds itself: to import one is to use no library."""

from __future__ import annotations

from pathlib import Path

from neuronlint import there

_SOURCES = ("src", "python")  # where packages lie, seen from the root
_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")


class Homegrown:
    """What the files of a folder may import from their own repository, each looked up once."""

    def __init__(self) -> None:
        self._roots: dict[Path, frozenset[str]] = {}
        self._folders: dict[Path, frozenset[str]] = {}

    def packages(self, folder: Path) -> frozenset[str]:
        """The names of what lies beside the files of a folder, and in the repository's root."""
        if folder not in self._folders:
            self._folders[folder] = _names(folder) | self._of_root(_root(folder))
        return self._folders[folder]

    def _of_root(self, root: Path) -> frozenset[str]:
        if root not in self._roots:
            places = (root, *(root / source for source in _SOURCES))
            self._roots[root] = frozenset().union(*map(_names, places))
        return self._roots[root]


def _root(folder: Path) -> Path:
    """The root of the repository that holds a folder; where there is none, of its distribution."""
    above = (folder, *folder.parents)
    found = (next((one for one in above if there.exists(one / mark)), None) for mark in _MARKS)
    return next((one for one in found if one is not None), folder)


def _names(folder: Path) -> frozenset[str]:
    try:
        found = [*folder.iterdir()]
    except OSError:
        return frozenset()
    packages = (one for one in found if one.suffix == ".py" or there.is_file(one / "__init__.py"))
    return frozenset(one.stem for one in packages)
