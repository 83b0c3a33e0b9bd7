"""Where the comments and the logical lines of a source are."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property

from neuronlint.source import Source, SourceError

_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<string>'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?:\\.|[^\\'\n])*'|\"(?:\\.|[^\\\"\n])*\")"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<joined>\\\n)|(?P<end>\n)",
    re.DOTALL,
)
_STRING_STARTS, _STRING_ENDS = (
    {getattr(tokenize, f"{kind}STRING_{side}", None) for kind in "FT"} - {None}
    for side in ("START", "END")
)


@dataclass(frozen=True)
class Comment:
    """A comment: its line, the characters before it on the line, and its text."""

    row: int
    column: int
    text: str


@dataclass(frozen=True)
class Layout:
    """The lines of a source, its comments, where its logical lines end, and its long strings.

    `ends` are lines; `strings` are the first and last lines of strings over more than one.
    `above` says that no comment may follow on a line: one alone is about what comes next.
    """

    lines: list[str] = field(default_factory=list)
    comments: tuple[Comment, ...] = ()
    ends: tuple[int, ...] = ()
    strings: tuple[tuple[int, int], ...] = ()
    above: bool = False

    def subject(self, comment: Comment) -> int:
        """The line that a comment is about."""
        row = comment.row
        while self.above and row in self.by_row:
            row += 1
        return row

    def last_row(self, row: int) -> int:
        """The last line of the logical line that a line belongs to."""
        at = bisect_left(self.ends, row)
        return self.ends[at] if at < len(self.ends) else row

    def takes_comment(self, row: int) -> bool:
        """Whether a comment can be put at the end of a line."""
        return 0 < row <= len(self.lines) and row not in self._closed

    def is_alone(self, comment: Comment) -> bool:
        """Whether nothing else is on the comment's line."""
        return not self.lines[comment.row - 1][: comment.column].strip()

    @cached_property
    def by_row(self) -> dict[int, Comment]:
        """The comment of each line that has one."""
        return {comment.row: comment for comment in self.comments}

    @cached_property
    def _closed(self) -> frozenset[int]:
        """The lines whose ends are in a string or behind a backslash."""
        rows = {row for first, last in self.strings for row in range(first, last)}
        joined = (row for row, line in enumerate(self.lines, 1) if line.endswith("\\"))
        return frozenset(rows.union(row for row in joined if row not in self.by_row))


def layout(source: bytes) -> Layout:
    """The layout of a source, whatever state it is in."""
    try:
        return of_text(Source.read(source).parsable)
    except SourceError:
        return of_text(source.decode("latin-1"))


def of_text(text: str) -> Layout:
    """The layout as the tokenizer sees it, or, where it knows less syntax than the text has,
    as the plainest reading of strings, brackets and comments gives it.
    """
    try:
        return _tokenized(text)
    except (tokenize.TokenError, SyntaxError, ValueError):
        return _scanned(text)


def _tokenized(text: str) -> Layout:
    comments: list[Comment] = []
    ends: list[int] = []
    strings: list[tuple[int, int]] = []
    open_strings: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        row = token.start[0]
        if token.type == tokenize.COMMENT:
            comments.append(Comment(row, token.start[1], token.string.rstrip()))
        elif token.type == tokenize.NEWLINE:
            ends.append(row)
        elif token.type == tokenize.STRING and row < token.end[0]:
            strings.append((row, token.end[0]))
        elif token.type in _STRING_STARTS:
            open_strings.append(row)
        elif token.type in _STRING_ENDS:
            strings.append((open_strings.pop(), row))
    return Layout(text.split("\n"), tuple(comments), tuple(ends), tuple(strings))


def _scanned(text: str) -> Layout:
    comments: list[Comment] = []
    ends: list[int] = []
    strings: list[tuple[int, int]] = []
    row, depth, start = 1, 0, 0
    for token in _TOKEN.finditer(text):
        height = token[0].count("\n")
        match token.lastgroup:
            case "comment":
                comments.append(Comment(row, token.start() - start, token[0].rstrip()))
            case "string" if height:
                strings.append((row, row + height))
            case "open":
                depth += 1
            case "close":
                depth = max(depth - 1, 0)
            case "end" if depth == 0:
                ends.append(row)
        row += height
        start = token.start() + token[0].rindex("\n") + 1 if height else start
    return Layout(text.split("\n"), tuple(comments), tuple(ends), tuple(strings))
