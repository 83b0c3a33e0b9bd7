"""Whether a path is there and what it is; one that cannot be looked at is not there.

pathlib raises before Python 3.14 for some of these: a folder that may not be entered, a name
that is too long.
"""

from __future__ import annotations

import os
from pathlib import Path


def exists(path: Path) -> bool:
    """Whether there is anything of this name."""
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    """Whether the path is that of a regular file, or of a link to one."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether the path is that of a folder, or of a link to one."""
    return os.path.isdir(path)  # noqa: PTH112


def is_link(path: Path) -> bool:
    """Whether the path is a symbolic link."""
    return os.path.islink(path)  # noqa: PTH114
