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

_stamps: dict[str, tuple[int, int]] = {}


def stamp(package: str) -> tuple[int, int]:
    """The newest modification time of a package's Python and TOML files, and their number."""
    stamps = [_stamp(folder) for folder in _folders(package)]
    return max((newest for newest, _ in stamps), default=0), sum(number for _, number in stamps)


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
    return _is_installed(name) or name.removesuffix(".py") in packages


def _finders() -> list[str]:
    """The names of what looks for packages: it may look elsewhere than in sys.path."""
    return [str(getattr(each, "__name__", type(each).__name__)) for each in sys.meta_path]


def _points(place: str) -> Iterator[str]:
    """The files that may name rule packs: installing in place changes no folder around them."""
    for name in filter(_is_installed, _names(place)):
        yield f"{place or '.'}{os.sep}{name}{os.sep}entry_points.txt"


def _is_installed(name: str) -> bool:
    return name.endswith((".dist-info", ".egg-info"))


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
    return [*(spec.submodule_search_locations or ())] if spec else []


def _stamp(folder: str) -> tuple[int, int]:
    """The newest modification time of such files in and under a folder, and their number."""
    if folder not in _stamps:
        _stamps[folder] = _walked(folder)
    return _stamps[folder]


def _walked(folder: str) -> tuple[int, int]:
    newest, number, ahead = 0, 0, [folder]
    while ahead:
        try:
            with os.scandir(ahead.pop()) as listing:
                entries = [*listing]
        except OSError:
            continue
        for entry in entries:
            if entry.name.endswith((".py", ".toml")):
                newest, number = max(newest, entry.stat().st_mtime_ns), number + 1
            elif entry.name != "__pycache__" and entry.is_dir():
                ahead.append(entry.path)
    return newest, number
