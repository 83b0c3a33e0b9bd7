"""What a record of a run is for, and what it is called: all that an answer to the run hangs on.

This is loaded by the shortest of runs, so it imports nothing that they have not loaded.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FORMAT = 2
RUN, FOLDER = "run", "folder"  # of all that was asked for; of what may be asked for in a folder
PYTHON = (".py", ".pyi")
_ENVIRONMENT = ("NO_COLOR", "FORCE_COLOR", "FORCE_HYPERLINK", "TERM", "HOME", "USERPROFILE")


def parted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options, and the Python files that are named behind them.

    What lies above a folder is told by the system alone: it may be a link.
    """
    number = len(words)
    while number and _is_file(words[number - 1]):
        number -= 1
    return [*words[:number]], [*words[number:]]


def _is_file(word: str) -> bool:
    return word.endswith(PYTHON) and word[0] != "-" and ".." not in word


def key_of(kind: str, words: Sequence[str], folder: str = "") -> list[Any]:
    """What a record is for: words of a command line, or options in a folder, in a process."""
    names = sorted(name for name in os.environ if name.startswith("NEURONLINT_"))
    environment = [[name, os.environ.get(name)] for name in (*names, *_ENVIRONMENT)]
    terminals = [stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr)]
    return [FORMAT, kind, [*words], folder, os.getcwd(), environment, terminals]


def name_of(key: Sequence[Any]) -> str:
    """The name under which a record is stored."""
    from zlib import crc32

    return f"{key[1]}-{crc32(repr(key).encode(errors='replace')):08x}"


def folder_of(file: str) -> str:
    """The folder of a file, from the root."""
    return os.path.dirname(os.path.abspath(file))
