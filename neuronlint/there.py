"""Whether a path is there and what it is; one that cannot be looked at is not there.

pathlib raises before Python 3.14 for some of these: a folder that may not be entered, a name
that is too long. What a path is, and that a folder is read, can be noted, so that a later run can
tell that all is as it was. This is loaded by the shortest of runs, so it imports nothing that they
have not loaded.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    # Of a file: when it changed, its size and its number; of a folder: nothing, unless the names
    # in it matter.
    Sign = list[int] | None

_FRESH = 50_000_000  # nanoseconds: what changed so lately may change again without a sign of it
_COARSE = 2_000_000_000  # the same, where a file system counts seconds
_ALWAYS = 1 << 63  # when a pipe or a device changes


class Seen:
    """What was looked at: by path its sign, and of folders whose names were read, theirs.

    `told` are files that say how others are treated, whatever they are called.
    """

    def __init__(self) -> None:
        self.looked: dict[str, Sign] = {}
        self.listed: dict[str, Sign] = {}
        self.told: set[str] = set()


_noted: list[Seen] = []


def note() -> Seen:
    """Note what is looked at from now on, and give what will have been."""
    _noted[:] = [Seen()]
    return _noted[0]


def forget() -> None:
    """Note no more."""
    _noted.clear()


def exists(path: Path | str) -> bool:
    """Whether there is anything of this name."""
    return _mode(path) != 0


def is_file(path: Path | str) -> bool:
    """Whether the path is that of a regular file, or of a link to one."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: Path | str) -> bool:
    """Whether the path is that of a folder, or of a link to one."""
    return stat.S_ISDIR(_mode(path))


def is_link(path: Path | str) -> bool:
    """Whether the path is a symbolic link."""
    return os.path.islink(path)


def status(path: Path | str) -> os.stat_result:
    """What the system says of a file; raises OSError or ValueError."""
    found = os.stat(path)
    if _noted:
        _noted[0].looked[os.fspath(path)] = sign_of(found)
    return found


def lists(folder: Path | str) -> None:
    """Say that the names in a folder are read now."""
    if _noted:
        _noted[0].listed[os.fspath(folder)] = sign(folder, listed=True)


def tells(file: Path | str) -> bool:
    """Whether there is a file that is to say how others are treated."""
    if _noted:
        _noted[0].told.add(os.fspath(file))
    return is_file(file)


def sign(path: Path | str, listed: bool = False) -> Sign:
    """What tells a file as it is now from what it will be, None where there is none.

    A folder changes with the names in it, which matters where these are `listed`.
    """
    try:
        return sign_of(os.stat(path), listed)
    except (OSError, ValueError):
        return None


def changed(signs: dict[str, Sign], listed: bool = False) -> Iterator[str]:
    """The paths that are not what they were when they had these signs."""
    for path, was in signs.items():
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            if was is not None:
                yield path
        else:
            # Nearly all are files, and as they were: a function call each would take as long again.
            same = was == [found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino]
            if not same and was != sign_of(found, listed):
                yield path


def sign_of(found: os.stat_result, listed: bool = False) -> list[int]:
    """The sign of what the system says this of."""
    if stat.S_ISDIR(found.st_mode) and not listed:
        return []
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        return [_ALWAYS, _ALWAYS, 0, 0]
    # Whoever gives a file an old time, or other rights, cannot give it an old time of change.
    return [found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino]


def is_settled(sign: Sign, now: int) -> bool:
    """Whether what had this sign at a time has another one if it has changed since."""
    if not sign:
        return True
    is_coarse = sign[1] % 1_000_000_000 == 0
    return max(sign[:2]) <= now - (_COARSE if is_coarse else _FRESH)  # Windows has one of them


def _mode(path: Path | str) -> int:
    """What there is of a name, 0 for nothing."""
    try:
        return status(path).st_mode
    except (OSError, ValueError):
        if _noted:
            _noted[0].looked[os.fspath(path)] = None
        return 0
