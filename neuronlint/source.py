"""The bytes of a file as text that libcst can be given, and back."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from neuronlint.rule import Edit

_BOM = b"\xef\xbb\xbf"
_END = re.compile(rb"\r\n?|\n")
_LINE_FEED = re.compile(rb"\n")


class SourceError(Exception):
    """A file whose bytes are no Python text: its encoding is unknown or not kept to."""


@dataclass(frozen=True)
class Source:
    """One file's text, in UTF-8 whatever its encoding; offsets count in these bytes.

    libcst normalises carriage returns, which would shift every offset behind one, so what
    it is given (`parsable`) has a blank in their place.
    """

    data: bytes
    encoding: str = "utf-8"
    bom: bool = False
    exact: bool = True  # whether the encoding gives back the bytes that it was read from

    @classmethod
    def read(cls, raw: bytes) -> Source:
        """The text of a file, by its byte order mark or coding cookie."""
        try:
            lines = io.BytesIO(_END.sub(b"\n", raw) if b"\r" in raw else raw)
            encoding, _ = tokenize.detect_encoding(lines.readline)
            if encoding in ("utf-8", "utf-8-sig"):
                raw.decode("utf-8")
                return cls(raw.removeprefix(_BOM), bom=raw.startswith(_BOM))
            text = raw.decode(encoding)
            if "coding" not in text:  # what names the encoding is in another one
                raise LookupError(f"no encoding for Python: {encoding}")
            return cls(text.encode(), encoding, exact=text.encode(encoding) == raw)
        except (SyntaxError, UnicodeError, LookupError) as error:
            raise SourceError(f"cannot be decoded: {error}") from error

    @cached_property
    def parsable(self) -> str:
        """The text with every line ended by a single line feed, and as long."""
        if b"\r" not in self.data:
            return self.data.decode()
        text = self.data.replace(b"\\\r\n", b" \\\n").replace(b"\r\n", b" \n")
        return text.replace(b"\r", b"\n").decode()

    @cached_property
    def newline(self) -> str:
        """How the file ends its lines, by its first."""
        first = _END.search(self.data)
        return first[0].decode() if first else "\n"

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset at which each line starts."""
        text = self.parsable.encode() if b"\r" in self.data else self.data
        return [0, *(found.end() for found in _LINE_FEED.finditer(text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, counted from 1, the column in characters."""
        line = bisect_right(self.line_starts, offset)
        column = len(self.data[self.line_starts[line - 1] : offset].decode())
        return line, column + 1

    def ended(self, text: str) -> str:
        """A text whose lines end as the file's do; what was copied from the file may do so yet."""
        return text.replace("\r\n", "\n").replace("\n", self.newline)

    def edited(self, edits: Iterable[Edit]) -> Source:
        """The text with sorted edits made that do not overlap; new lines end as the file's do."""
        parts: list[bytes] = []
        position = 0
        for edit in edits:
            parts += [self.data[position : edit.start], self.ended(edit.text).encode()]
            position = edit.end
        return Source(b"".join([*parts, self.data[position:]]), self.encoding, self.bom, self.exact)

    def write(self) -> bytes:
        """The bytes of the file; UnicodeEncodeError where its encoding cannot give them."""
        if self.encoding == "utf-8":
            return (_BOM if self.bom else b"") + self.data
        text = self.data.decode()
        if not self.exact:
            why = "it writes the same text in other bytes"
            raise UnicodeEncodeError(self.encoding, text, 0, len(text), why)
        return text.encode(self.encoding)
