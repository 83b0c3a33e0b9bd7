"""The JSON of a notebook: its cells, the language they are in, and where their sources are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from neuronlint import magics
from neuronlint.stored import Document, RawCell, Stored

BOM = "\ufeff"
_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\n\r]*")


class NotebookError(Exception):
    """A file that is no notebook: the text says why, `line` and `column` where that shows."""

    def __init__(self, why: str, line: int = 1, column: int = 1) -> None:
        super().__init__(why)
        self.line, self.column = line, column


@dataclass(frozen=True)
class Code:
    """A code cell: its number, its lines, and the offsets of these in the file."""

    number: int
    lines: tuple[str, ...]
    offsets: tuple[int, ...]


def sources(raw: bytes) -> bytes:
    """The sources of the cells in a file, which is read anew for less than a search in its images.

    All of it where it is no notebook.
    """
    try:
        document = read(decoded(raw))
    except NotebookError:
        return raw
    if not is_python(document.language):
        return b""
    cells = (document.source(cell.stored) for cell in document.cells if cell.is_code)
    return "\n".join(cells).encode(errors="replace")


def decoded(raw: bytes) -> str:
    """The text of a file; raises NotebookError."""
    try:
        return raw.decode().removeprefix(BOM)
    except UnicodeDecodeError as error:
        raise NotebookError(f"cannot be decoded: {error}") from None


def read(text: str) -> Document:
    """The notebook in a text; raises NotebookError where there is none."""
    walk = _Walk(text)
    try:
        at = walk.object(
            walk.blank(0),
            {"cells": walk.cells, "worksheets": walk.worksheets, "metadata": walk.metadata},
        )
        if walk.blank(at) < len(text):
            raise json.JSONDecodeError("Extra data", text, walk.blank(at))
    except json.JSONDecodeError as error:
        raise NotebookError(f"is not JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise NotebookError("is not a notebook: it is nested too deeply") from None
    except ValueError as error:  # a number with too many digits
        raise NotebookError(f"is not a notebook: {error}") from None
    if walk.found is None:
        raise NotebookError("is not a notebook: it has no cells")
    return Document(text, tuple(walk.found), walk.language)


def is_python(language: str) -> bool:
    """Whether a language is Python; where none is told, it is."""
    return not language or language.lower().startswith(("python", "ipython"))


def codes(document: Document) -> Iterator[Code]:
    """The cells that are Python."""
    for cell in document.cells:
        if cell.is_code and is_python(cell.language):
            lines = document.lines(cell.stored)
            texts = tuple(line.text for line in lines)
            if _is_text(texts) and magics.is_python(texts):
                yield Code(cell.number, texts, tuple(line.offset for line in lines))


def _is_text(lines: Iterable[str]) -> bool:
    """Whether there is no half of a character, which JSON can have and no source can."""
    try:
        "".join(lines).encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass
class _Walk:
    """What was found so far on the way through the JSON of a notebook."""

    text: str
    found: list[RawCell] | None = None
    count: int = 0
    language: str = ""

    def blank(self, at: int) -> int:
        """The offset behind the white space at one."""
        match = _BLANK.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int) -> tuple[Any, int]:
        """The value at an offset, and where it ends."""
        return _DECODER.raw_decode(self.text, at)

    def object(self, at: int, visits: Mapping[str, Callable[[int], int]]) -> int:
        """The end of an object; what visits a member's value says where that ends."""
        if self.text[at : at + 1] != "{":
            return self.value(at)[1]

        def member(at: int) -> int:
            if self.text[at : at + 1] != '"':
                message = "Expecting property name enclosed in double quotes"
                raise json.JSONDecodeError(message, self.text, at)
            key, at = self.value(at)
            at = self.blank(self._past(":", self.blank(at)))
            return visits[key](at) if key in visits else self.value(at)[1]

        return self._items(at + 1, "}", member)

    def array(self, at: int, visit: Callable[[int], int]) -> int:
        """The end of an array; what visits an element says where that ends."""
        if self.text[at : at + 1] != "[":
            return self.value(at)[1]
        return self._items(at + 1, "]", visit)

    def worksheets(self, at: int) -> int:
        """The end of the worksheets that older notebooks have, with their cells taken in."""
        return self.array(at, lambda sheet: self.object(sheet, {"cells": self.more_cells}))

    def cells(self, at: int) -> int:
        """The end of a list of cells, which are taken in."""
        self.found, self.count = None, 0
        return self.more_cells(at)

    def more_cells(self, at: int) -> int:
        """The end of a list of cells, which are taken in after those before them."""
        if self.text[at : at + 1] == "[":
            self.found = self.found or []
        return self.array(at, self._cell)

    def metadata(self, at: int) -> int:
        """The end of the notebook's metadata, of which the language is taken in."""
        data, end = self.value(at)
        match data:
            case {"language_info": {"name": str(name)}} | {"kernelspec": {"language": str(name)}}:
                self.language = name
        return end

    def _cell(self, at: int) -> int:
        self.count += 1
        facts: dict[str, Any] = {}
        stored: list[Stored | None] = []

        def fact(key: str) -> Callable[[int], int]:
            def visit(at: int) -> int:
                facts[key], end = self.value(at)
                return end

            return visit

        def source(at: int) -> int:
            found, end = self._source(at)
            stored.append(found)
            return end

        visits = {key: fact(key) for key in ("cell_type", "metadata", "language")}
        end = self.object(at, {**visits, "source": source, "input": source})
        if self.found is not None and stored and stored[-1]:
            is_code = facts.get("cell_type") == "code"
            self.found.append(RawCell(self.count, is_code, _language(facts), stored[-1]))
        return end

    def _source(self, at: int) -> tuple[Stored | None, int]:
        """The source at an offset, None for what is no text, and where it ends."""
        elements: list[tuple[int, int]] = []
        texts = True

        def element(start: int) -> int:
            nonlocal texts
            value, end = self.value(start)
            texts = texts and isinstance(value, str)
            elements.append((start, end))
            return end

        listed = self.text[at : at + 1] == "["
        end = self.array(at, element) if listed else element(at)
        return (Stored(at, end, tuple(elements), listed) if texts else None), end

    def _items(self, at: int, closing: str, visit: Callable[[int], int]) -> int:
        """The offset behind the closing bracket of what has items, each visited."""
        at = self.blank(at)
        if self.text[at : at + 1] == closing:
            return at + 1
        while True:
            at = self.blank(visit(at))
            if self.text[at : at + 1] == closing:
                return at + 1
            at = self.blank(self._past(",", at))

    def _past(self, sign: str, at: int) -> int:
        if self.text[at : at + 1] != sign:
            raise json.JSONDecodeError(f"Expecting {sign!r} delimiter", self.text, at)
        return at + 1


def _language(facts: Mapping[str, Any]) -> str:
    """The language that a cell itself says it is in."""
    match facts:
        case {"metadata": {"vscode": {"languageId": str(language)}}} | {"language": str(language)}:
            return language
        case _:
            return ""
