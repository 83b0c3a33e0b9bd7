"""Lines as in a .gitignore file, and what they say of a path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME = re.compile(r"[\w.-]+")  # what stands for itself alone
_WORD = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class Patterns:
    """Lines as in a .gitignore file, that count from the folder."""

    folder: Path
    lines: tuple[str, ...]

    @classmethod
    def of(cls, folder: Path, lines: Iterable[str]) -> Patterns:
        """The patterns; those that cannot be understood are passed over, as git does."""
        return cls(folder, tuple(lines))

    def verdict(self, path: Path, is_folder: bool) -> bool | None:
        """Whether the path is left out, or kept by a `!` pattern; None if no pattern says."""
        full, folder = os.fspath(path), self._start
        if full.startswith(folder):
            inner = full[len(folder) :].replace(os.sep, "/")
        elif path == self.folder:
            return None
        else:  # it lies elsewhere: only patterns of its name can mean it
            inner = path.name
        if not self._glance.may_mean(inner, is_folder):
            return None
        return _spec_of(self.lines).check_file(f"{inner}/" if is_folder else inner).include

    @cached_property
    def _start(self) -> str:
        return os.path.join(self.folder, "") if self.folder.parts else ""

    @cached_property
    def _glance(self) -> _Glance:
        return _glance_of(self.lines)


class _Glance:
    """The lines, made ready to tell that none of them can mean a path: so it is with most paths."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._names: set[str] = set()
        self._endings: set[str] = set()
        self._others: list[str] = []
        for line in lines:
            self._take(line)

    def may_mean(self, inner: str, is_folder: bool) -> bool:
        """Whether any line may mean a path, seen from the folder that the lines count from."""
        parts = inner.split("/")
        if not self._names.isdisjoint(parts):
            return True
        if self._endings and not self._endings.isdisjoint(map(_ending, parts)):
            return True
        if not self._others:
            return False
        told = _spec_of(tuple(self._others)).check_file(f"{inner}/" if is_folder else inner)
        return told.include is not None

    def _take(self, line: str) -> None:
        """Sort a line by what it asks for: a name, the ending of one, or more than that."""
        if not line.strip() or line.startswith("#"):
            return
        where, _, last = line.rstrip(" ").removeprefix("!").removesuffix("/").rpartition("/")
        if _NAME.fullmatch(last) and last.strip("."):
            self._names.add(last)
        elif not where and last.startswith("*.") and _WORD.fullmatch(last[2:]):
            self._endings.add(_ending(last))
        else:
            self._others.append(line)


def _ending(name: str) -> str:
    return name[name.rfind(".") :]


@lru_cache(maxsize=256)
def _glance_of(lines: tuple[str, ...]) -> _Glance:
    return _Glance(lines)


@lru_cache(maxsize=256)
def _spec_of(lines: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # a run that names its files asks for none

    try:
        return GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):  # such as ! alone, or the set [z-a]
        return GitIgnoreSpec.from_lines(filter(_is_pattern, lines))


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
