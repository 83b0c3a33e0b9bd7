"""The findings that a project knows of already: a file that lists them, and what is new."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from neuronlint.rule import Finding
from neuronlint.user_error import UserError

VERSION = 1
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, order=True)
class Entry:
    """One known finding: the text of its line, and which one of those that are alike it is.

    It has no line number, so that it stays known when it moves. `path` counts from the file
    that it is listed in.
    """

    path: str
    rule: str
    line: str
    nth: int = 1


@dataclass(frozen=True)
class Baseline:
    """The entries of one file."""

    file: Path
    entries: frozenset[Entry] = frozenset()

    def name(self, path: Path) -> str:
        """How entries name a file."""
        try:
            return Path(os.path.relpath(path, self.file.parent)).as_posix()
        except ValueError:  # on another drive
            return path.absolute().as_posix()

    def keyed(self, path: Path, findings: Iterable[Finding], source: bytes) -> list[Entry]:
        """The entry that each finding in a file has or would have."""
        lines = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        name, seen = self.name(path), Counter[tuple[str, str]]()
        keys = []
        for finding in findings:
            raw = lines[finding.line - 1] if finding.line <= len(lines) else b""
            line = " ".join(raw.decode(errors="backslashreplace").split())
            seen[finding.code, line] += 1
            keys.append(Entry(name, finding.code, line, seen[finding.code, line]))
        return keys

    def vanished(self, checked: Collection[str]) -> set[Entry]:
        """The entries of files that are no more, and are not among those checked."""
        names = {entry.path for entry in self.entries}.difference(checked)
        gone = {name for name in names if not os.path.lexists(self.file.parent / name)}
        return {entry for entry in self.entries if entry.path in gone}

    def write(self) -> None:
        """Put the entries in the file, all or none; raises UserError."""
        text = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", _text(self.entries))
        try:
            _replace(Path(os.path.realpath(self.file)), text.encode())
        except OSError as error:
            raise UserError(f"{self.file}: cannot be written: {error.strerror}") from None


def read(file: Path) -> Baseline:
    """The baseline in a file; raises UserError where there is none that can be read."""
    try:
        data = json.loads(file.read_bytes().decode("utf-8-sig", "surrogateescape"))
    except FileNotFoundError:
        raise UserError(f"there is no baseline {file}; --update-baseline writes it") from None
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file}: not JSON: {error}") from None
    match data:
        case {"version": int(version)} if version != VERSION:
            raise UserError(f"{file}: a baseline of version {version}; this reads {VERSION}")
        case {"version": int(), "findings": dict(findings)}:
            pass
        case _:
            raise UserError(f"{file}: not a baseline")
    try:
        return Baseline(file, frozenset(_entries(findings)))
    except (TypeError, KeyError, AttributeError) as error:
        raise UserError(f"{file}: not a baseline: {error!r}") from None


def _entries(findings: Mapping[str, Any]) -> Iterator[Entry]:
    for path, listed in findings.items():
        for one in listed:
            rule, line, nth = one["rule"], one["line"], one.get("nth", 1)
            if not (isinstance(rule, str) and isinstance(line, str) and isinstance(nth, int)):
                raise TypeError(one)
            yield Entry(path, rule, line, nth)


def _text(entries: Iterable[Entry]) -> str:
    """The JSON of the entries, in order, each on a line of its own."""
    files = []
    for path, group in groupby(sorted(entries), key=lambda entry: entry.path):
        rows = ",\n".join(f"      {_dumped(_row(entry))}" for entry in group)
        files.append(f"    {_dumped(path)}: [\n{rows}\n    ]")
    listed = "{\n" + ",\n".join(files) + "\n  }" if files else "{}"
    return f'{{\n  "version": {VERSION},\n  "findings": {listed}\n}}\n'


def _row(entry: Entry) -> dict[str, object]:
    row: dict[str, object] = {"rule": entry.rule, "line": entry.line}
    return row if entry.nth == 1 else {**row, "nth": entry.nth}


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _replace(file: Path, content: bytes) -> None:
    """Put a new file in the old one's place, with its mode; raises OSError."""
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".tmp", dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode(file))
        temporary.replace(file)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _mode(file: Path) -> int:
    try:
        return file.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
