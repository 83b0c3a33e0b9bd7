"""Globs for files, as the tables of a configuration have them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_PART = re.compile(r"\*\*/|\*+|\?|\[[!^]?\]?[^\]]*\]|\{[^{}]*\}|.", re.DOTALL)


@dataclass(frozen=True)
class Glob:
    """A glob that counts from a folder; one that starts with `!` is for all other files."""

    text: str
    folder: Path

    def covers(self, path: Path) -> bool:
        """Whether a file is meant, by its path or name or as part of a folder that is."""
        path = path.absolute()
        pattern = self.text.removeprefix("!").removeprefix("./").rstrip("/")
        parts = [path, *(each for each in path.parents if self.folder in each.parents)]
        return any(self._means(pattern, each) for each in parts) != self.text.startswith("!")

    def _means(self, pattern: str, path: Path) -> bool:
        if _compiled(pattern).fullmatch(path.name):
            return True
        folder = self.folder
        while pattern.startswith("../"):
            folder, pattern = folder.parent, pattern.removeprefix("../")
        inner = path.relative_to(folder) if path.is_relative_to(folder) else path
        return bool(_compiled(pattern).fullmatch(inner.as_posix()))


def _translated(glob: str) -> str:
    """A glob as a regular expression; `*` goes through folders, as in ruff."""
    return "".join(_part(match[0]) for match in _PART.finditer(glob))


def _part(part: str) -> str:
    match part[0], len(part):
        case _ if part == "**/":
            return "(?:.*/)?"
        case "*", _:
            return ".*"
        case "?", _:
            return "[^/]"
        case "[", length if length > 1:
            inner = part[1:-1].replace("\\", r"\\").replace("[", r"\[")
            return f"[^{inner[1:]}]" if inner[:1] in ("!", "^") else f"[{inner}]"
        case "{", length if length > 1:
            return f"(?:{'|'.join(map(_translated, part[1:-1].split(',')))})"
        case _:
            return re.escape(part)


@lru_cache
def _compiled(glob: str) -> re.Pattern[str]:
    try:
        return re.compile(_translated(glob), re.DOTALL)
    except re.error:  # a set such as [z-a]
        return re.compile(re.escape(glob))
