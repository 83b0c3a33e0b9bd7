"""What changes when installed code does, told without importing any of it.

This is loaded by the shortest of runs, so it imports nothing that they have not loaded.
"""

from __future__ import annotations

import os
import sys

from neuronlint import there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

# What is imported beside the packs: another one elsewhere may come before it.
NEEDED = frozenset(("click", "libcst", "packaging", "pathspec", "yaml", "tomli"))
_stamps: dict[str, tuple[int, int, int]] = {}


def stamp(package: str) -> tuple[int, int]:
    """The number of a package's files, and the sum of their modification times and sizes."""
    stamps = [_stamp(folder) for folder in _folders(package)]
    return sum(number for number, _, _ in stamps), sum(total for _, total, _ in stamps)


def installation(packages: Iterable[str]) -> dict[str, Any]:
    """What stands for Python, for all that is installed, and for the code of some packages."""
    names = sorted({*packages})
    path = _path(names)
    folders = sorted({folder for name in names for folder in _folders(name)})
    return {
        "python": [*sys.version_info[:3], *_finders()],
        "names": names,
        "path": path,
        "places": {place or ".": there.sign(place or ".", listed=True) for place in path},
        "points": {file: there.sign(file) for place in path for file in _points(place)},
        "packages": {folder: [*_stamp(folder)] for folder in folders},
    }


def holds(installation: dict[str, Any]) -> bool:
    """Whether all is still installed that was, and nothing else."""
    return (
        installation["python"] == [*sys.version_info[:3], *_finders()]
        and installation["path"] == _path(installation["names"])
        and [*installation["places"]] == [*dict.fromkeys(p or "." for p in installation["path"])]
        and not any(there.changed(installation["places"], listed=True))
        and not any(there.changed(installation["points"]))
        and all([*_stamp(folder)] == was for folder, was in installation["packages"].items())
    )


def _path(packages: list[str]) -> list[str]:
    """Where Python looks for packages, without the folders in which there are none.

    Such as the one that a program was started from: it is another one for each way to start.
    """
    return [place for place in sys.path if any(_matters(name, packages) for name in _names(place))]


def _matters(name: str, packages: list[str]) -> bool:
    plain = name.removesuffix(".py")
    return _is_installed(name) or plain in packages or plain in NEEDED


def _finders() -> list[str]:
    """The names of what looks for packages: it may look elsewhere than in sys.path."""
    return [str(getattr(each, "__name__", type(each).__name__)) for each in sys.meta_path]


def _points(place: str) -> Iterator[str]:
    """The files that may name rule packs: installing in place changes no folder around them."""
    for name in filter(_is_installed, _names(place)):
        yield f"{place or '.'}{os.sep}{name}{os.sep}entry_points.txt"


def _is_installed(name: str) -> bool:
    return name.lower().endswith((".dist-info", "egg-info"))


def _names(place: str) -> list[str]:
    """What lies in a place: in an archive there may be anything."""
    try:
        return os.listdir(place or ".")
    except NotADirectoryError:
        return [".egg-info"]
    except OSError:
        return []


def _folders(package: str) -> list[str]:
    if package == __package__:
        return [os.path.dirname(__file__)]
    from importlib.util import find_spec

    spec = find_spec(package)
    if spec is None:
        return []
    return [*(spec.submodule_search_locations or [spec.origin or ""])]


def _stamp(place: str) -> tuple[int, int, int]:
    """The number of files in and under a folder, or of a file; when and how they changed.

    A sum for what has its times from elsewhere, and the newest change that the system knows of.
    """
    if place not in _stamps:
        found = [*_walked(place)]
        total = sum(one.st_mtime_ns + one.st_size for one in found)
        _stamps[place] = len(found), total, max((one.st_ctime_ns for one in found), default=0)
    return _stamps[place]


def _walked(place: str) -> Iterator[os.stat_result]:
    """What the system says of the files in and under a folder that may matter, or of a file."""
    ahead = [place]
    while ahead:
        folder = ahead.pop()
        try:
            with os.scandir(folder) as listing:
                entries = [*listing]
        except OSError:
            yield from _status(folder)
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name.endswith((".md", "__pycache__")):
                continue
            if entry.is_dir():
                ahead.append(entry.path)
            else:
                yield from _status(entry)


def _status(path: str | os.DirEntry[str]) -> list[os.stat_result]:
    """What the system says of a file, nothing of one that led nowhere or has just gone."""
    try:
        return [os.stat(path)]
    except OSError:
        return []
