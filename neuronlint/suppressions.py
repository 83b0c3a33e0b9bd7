"""Comments in a source that say which of its findings are meant to be there."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left
from dataclasses import dataclass

from neuronlint.report import FAILURES
from neuronlint.rule import Finding
from neuronlint.source import Source, SourceError

_WORD = re.compile(rb"noqa|neuronlint", re.IGNORECASE)
_NOQA = re.compile(
    r"#\s*noqa\b(?:\s*(?P<colon>:)\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?)?(?!\w)",
    re.IGNORECASE,
)
_IGNORE = re.compile(
    r"#\s*neuronlint\s*:\s*ignore(?P<file>-file)?(?![\w-])"
    r"(?:\s*\[(?P<codes>[^\]]*)\]|(?!\s*\[))",
    re.IGNORECASE,
)
_CODE = re.compile(r"[a-z][a-z0-9-]*", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<string>'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?:\\.|[^\\'\n])*'|\"(?:\\.|[^\\\"\n])*\")"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<joined>\\\n)|(?P<end>\n)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Marker:
    """One comment: the line it stands on, and the codes it names, None for every code."""

    row: int
    codes: tuple[str, ...] | None
    whole_file: bool = False

    def names(self, finding: Finding) -> bool:
        """Whether the marker means the finding's rule, by code, start of the code or name."""
        if self.codes is None:
            return True
        return any(
            finding.code.upper().startswith(code.upper()) or finding.name == code.lower()
            for code in self.codes
        )


@dataclass(frozen=True)
class _Layout:
    """The comments of a source by line, and the last line of each of its logical lines."""

    comments: tuple[tuple[int, str], ...] = ()
    ends: tuple[int, ...] = ()


class Suppressions:
    """The markers of one source.

    A marker counts on the first and the last line of a finding, and on the last line of the
    logical line in which the finding starts: where a formatter leaves the comment.
    """

    def __init__(self, source: bytes) -> None:
        layout = _layout(source) if _WORD.search(source) else _Layout()
        self._ends = layout.ends
        self.markers = tuple(
            marker for row, comment in layout.comments for marker in _markers(row, comment)
        )

    def covers(self, finding: Finding) -> bool:
        """Whether a marker says that this finding is meant to be there."""
        if not self.markers or finding.code in FAILURES:
            return False
        rows = {finding.line, finding.end_line, self._last_row(finding.line)}
        return any(
            (marker.whole_file or marker.row in rows) and marker.names(finding)
            for marker in self.markers
        )

    def _last_row(self, row: int) -> int:
        """The last line of the logical line that a line belongs to."""
        at = bisect_left(self._ends, row)
        return self._ends[at] if at < len(self._ends) else row


def _markers(row: int, comment: str) -> list[Marker]:
    """The markers in a comment; `# noqa:` before anything but codes is none, as in ruff."""
    found = []
    for match in _NOQA.finditer(comment):
        if match["codes"] or not match["colon"]:
            codes = tuple(re.split(r"[,\s]+", match["codes"])) if match["codes"] else None
            found.append(Marker(row, codes))
    for match in _IGNORE.finditer(comment):
        listed = None if match["codes"] is None else tuple(_CODE.findall(match["codes"]))
        found.append(Marker(row, listed, whole_file=bool(match["file"])))
    return found


def _layout(source: bytes) -> _Layout:
    """The layout as the tokenizer sees it, or, where it knows less syntax than the source has,
    as the plainest reading of strings, brackets and comments gives it.
    """
    try:
        text = Source.read(source).parsable
    except SourceError:
        text = source.decode("latin-1")
    try:
        return _tokenized(text)
    except (tokenize.TokenError, SyntaxError, ValueError):
        return _scanned(text)


def _tokenized(text: str) -> _Layout:
    comments, ends = [], []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.string))
        elif token.type == tokenize.NEWLINE:
            ends.append(token.start[0])
    return _Layout(tuple(comments), tuple(ends))


def _scanned(text: str) -> _Layout:
    comments: list[tuple[int, str]] = []
    ends: list[int] = []
    row, depth = 1, 0
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "comment":
                comments.append((row, token[0]))
            case "open":
                depth += 1
            case "close":
                depth = max(depth - 1, 0)
            case "end" if depth == 0:
                ends.append(row)
        row += token[0].count("\n")
    return _Layout(tuple(comments), tuple(ends))
