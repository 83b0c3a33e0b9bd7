"""What the formats for programs share: names of files, marks of findings, valid JSON."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from neuronlint import edits, there
from neuronlint.report import Report
from neuronlint.rule import Edit, Finding, Fix
from neuronlint.source import Source

_SURROGATE = re.compile("[\ud800-\udfff]")


def dumps(value: object, indent: int | None = None) -> str:
    """The value as JSON in ASCII that strict readers take, whatever bytes file names hold."""
    return json.dumps(_readable(value), indent=indent)


def _readable(value: object) -> object:
    """The value with a replacement character for what is no Unicode."""
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case list():
            return [_readable(each) for each in value]
        case dict():
            return {key: _readable(each) for key, each in value.items()}
        case _:
            return value


def absolute(path: Path) -> str:
    """The path from the root of the file system."""
    return os.path.normpath(path.absolute())


def root() -> Path:
    """The folder that a repository's file names count from: the nearest one with a `.git`."""
    here = Path.cwd()
    return next((each for each in (here, *here.parents) if there.exists(each / ".git")), here)


def from_root(path: Path, root: Path) -> str | None:
    """The path as a repository names it, None where it lies elsewhere."""
    full = Path(absolute(path))
    return full.relative_to(root).as_posix() if full.is_relative_to(root) else None


def edits_of(fix: Fix, source: Source) -> list[Edit]:
    """The edits of a fix in source order, none twice, with the line ends of the file."""
    merged, _, _ = edits.merge([fix])
    return [replace(edit, text=source.ended(edit.text)) for edit in merged]


def patched(source: Source, edits: Sequence[Edit], start: int, end: int) -> str:
    """A part of the source with the edits in it made."""
    parts, at = [], start
    for edit in edits:
        parts += [source.data[at : edit.start], edit.text.encode()]
        at = edit.end
    return b"".join([*parts, source.data[at:end]]).decode()


def line(source: Source, row: int) -> str:
    """A line of the source without its end, "" where there is no such line."""
    ends = [*source.line_starts, len(source.data)][row - 1 : row + 1]
    return source.data[slice(*ends)].decode().rstrip("\r\n") if len(ends) == 2 else ""


def rows(finding: Finding) -> tuple[int, int]:
    """The first and the last line of a finding in its file.

    For whoever shows the file: a notebook is JSON, in which columns would mean nothing.
    """
    cell = finding.cell
    if cell is None:
        return finding.line, finding.end_line
    return cell.row(finding.line), cell.row(finding.end_line)


def fingerprints(report: Report) -> list[str]:
    """A mark for each finding that no other has and that stays when lines move.

    It is made of the file, the code, the line's text and the number of the same before it.
    """
    top, seen, marks = root(), Counter[tuple[str, ...]](), []
    for finding in report.findings:
        path = from_root(finding.path, top) or absolute(finding.path)
        key = (path, finding.code, " ".join(line(report.source(finding), finding.line).split()))
        text = "\0".join([*key, str(seen[key])])
        seen[key] += 1
        marks.append(hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16])
    return marks
