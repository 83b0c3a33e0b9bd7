"""The lines that were added: since a git ref, or as a diff says."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from neuronlint import git, there
from neuronlint.lines import EVERY, Lines
from neuronlint.user_error import UserError

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_HEADER = re.compile(rb"^(?:diff |\+\+\+ )", re.MULTILINE)
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))
_OLD_SIDES, _NEW_SIDES = (b"a/", b"c/", b"i/", b"o/"), (b"b/", b"w/", b"i/", b"c/")


@dataclass(frozen=True)
class Added:
    """The added lines by the real path of their file, and the folder that git looked at."""

    files: Mapping[str, Lines] = field(default_factory=dict)
    top: Path | None = None

    def lines(self, path: Path) -> Lines | None:
        """The lines added to a file; UserError for a file outside what git looked at."""
        real = os.path.realpath(path)
        if self.top is not None and not Path(real).is_relative_to(self.top):
            raise UserError(f"{path} lies outside the git repository {self.top}")
        return self.files.get(real)


def since(ref: str, folder: Path) -> Added:
    """What was added since the ref and the current state parted; raises UserError.

    That counts what is not committed yet, and files that git does not know yet.
    """
    top = git.top(folder)
    found = dict(_by_path(git.diff(top, git.base(top, ref)), [top]))
    found.update((os.path.realpath(path), EVERY) for path in git.untracked(top))
    return Added(found, Path(os.path.realpath(top)))


def told(diff: bytes) -> Added:
    """What a diff adds; its file names count from the current folder or from its repository."""
    if diff.strip() and not _HEADER.search(diff):
        raise UserError("what was given for the added lines is no unified diff")
    here = Path.cwd()
    top = next((each for each in (here, *here.parents) if there.exists(each / ".git")), here)
    return Added(dict(_by_path(diff, [top, here])))


def _by_path(diff: bytes, folders: list[Path]) -> Iterator[tuple[str, Lines]]:
    """The added lines by real path; a name is taken from the first folder that has it."""
    for name, lines in parse(diff):
        paths = [folder / os.fsdecode(name) for folder in folders]
        path = next((each for each in paths if there.exists(each)), paths[0])
        yield os.path.realpath(path), lines


def parse(diff: bytes) -> Iterator[tuple[bytes, Lines]]:
    """The files of a unified diff, with the lines added to each; raises UserError."""
    rows = iter(diff.removesuffix(b"\n").split(b"\n"))
    old, new, name = b"", b"", b""
    ranges: list[tuple[int, int]] = []
    for row in rows:
        if hunk := _HUNK.match(row):
            if not name:
                raise UserError("the diff names no file before its first hunk")
            ranges += _hunk(rows, *(int(count or 1) for count in hunk.group(1, 2, 3)))
        elif row.startswith(b"@@@"):
            raise UserError("the diff has more than one base; compare with one commit")
        elif row.startswith(b"--- "):
            old = _name(row[4:])
        elif row.startswith(b"+++ "):
            if ranges:
                yield name, Lines.of(ranges)
            new, ranges = _name(row[4:]), []
            name = _without_side(old, new)
    if ranges:
        yield name, Lines.of(ranges)


def _hunk(rows: Iterator[bytes], old: int, row: int, new: int) -> Iterator[tuple[int, int]]:
    """The added lines of a hunk; it is read by its counts, for its lines may look like anything."""
    left = row + new
    while old > 0 or row < left:
        line = next(rows, None)
        if line is None:
            raise UserError("the diff ends in the midst of a hunk")
        match line[:1]:
            case b"+":
                yield row, row
                row += 1
            case b"-":
                old -= 1
            case b"\\":  # "No newline at end of file"
                pass
            case _:
                old, row = old - 1, row + 1


def _name(text: bytes) -> bytes:
    """A file name as it is, without the quotes and the time that programs put around it."""
    text = text.removesuffix(b"\r")
    if text.startswith(b'"'):
        return _ESCAPE.sub(_unescaped, text[1 : text.rfind(b'"')])
    return text.partition(b"\t")[0]


def _unescaped(match: re.Match[bytes]) -> bytes:
    code: bytes = match[1]
    return bytes([int(code, 8) if len(code) == 3 else _ESCAPED[code[0]]])


def _without_side(old: bytes, new: bytes) -> bytes:
    """The new name without the letter that git puts before it; that of the old name is another."""
    has_sides = new[:2] in _NEW_SIDES and (
        old == b"/dev/null" or (old[:2] in _OLD_SIDES and old[:2] != new[:2])
    )
    return new[2:] if has_sides else new
