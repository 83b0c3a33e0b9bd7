"""Where the comments of files are that are no Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from neuronlint import layout as python
from neuronlint.formats import Format, format_of
from neuronlint.layout import Comment, Layout
from neuronlint.source import Source, SourceError

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")
_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"")


def layout_of(path: Path) -> Callable[[bytes], Layout]:
    """What finds the comments in the source of a file."""
    format = format_of(path)
    return python.layout if format is None else lambda source: _layout(source, format)


def _layout(source: bytes, format: Format) -> Layout:
    """The lines and comments of a file; where none may follow on a line, those above it count."""
    try:
        text = Source.read(source).parsable
    except SourceError:
        return Layout()
    lines = text.split("\n")
    if not format.has_comments:
        return Layout(lines, above=True)
    comments = []
    for row, line in enumerate(lines, 1):
        bare = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), line)
        found = _COMMENT.search(bare)
        if found and (format.has_trailing_comments or not line[: found.start()].strip()):
            comments.append(Comment(row, found.start(), line[found.start() :].rstrip()))
    ends = (row for row, line in enumerate(lines, 1) if not line.rstrip().endswith("\\"))
    return Layout(lines, tuple(comments), tuple(ends), above=not format.has_trailing_comments)
