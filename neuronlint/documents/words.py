"""The commands of a shell script, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<blank>(?:[ \t\r]|\\[ \t\r]*\n)+)"
    r"|(?P<comment>\#[^\n]*)"
    r"|<<-?[ \t]*(?P<quote>['\"]?)(?P<heredoc>\w+)(?P=quote)"
    r"|(?P<redirect>[0-9]*(?:<<<|[<>]+&?)(?:[0-9]+|-)?)"
    r"|(?P<end>\n|;;?|\|\||&&|[|&()`])"
    r"|(?P<word>(?:\\.|\$\{[^}]*\}|'[^']*'|\"(?:\\.|[^\"\\])*\"|[^\s;&|()<>\\'\"`])+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_QUOTED = re.compile(r"'([^']*)'|\"((?:\\.|[^\"\\])*)\"|\\(.)", re.DOTALL)
_INNER = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")


@dataclass(frozen=True)
class Word:
    """A word as the shell understands it, and where it stands."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Line:
    """A command, and the sign that ends it: a line feed, `;`, `|`, `||`, `&&`, a bracket."""

    words: tuple[Word, ...]
    end: str


def lines(text: str, start: int = 0, end: int | None = None) -> Iterator[Line]:
    """The commands in a part of a text, those inside of others behind them; here-documents are
    no commands.
    """
    end = len(text) if end is None else end
    words: list[Word] = []
    inner: list[tuple[int, int]] = []
    heredocs: list[str] = []
    while start < end and (token := _TOKEN.match(text, start, end)):
        start = token.end()
        match token.lastgroup:
            case "heredoc":
                heredocs.append(token["heredoc"])
            case "word":
                words.append(Word(token.start(), start, _plain(token[0])))
                if not token[0].startswith("'"):
                    inner += [_part(found, token.start()) for found in _INNER.finditer(token[0])]
            case "end":
                yield Line(tuple(words), token[0])
                words = []
                for first, last in inner:
                    yield from lines(text, first, last)
                inner = []
                if token[0] == "\n" and heredocs:
                    start, heredocs = _past(text, start, end, heredocs), []
    yield Line(tuple(words), "\n")
    for first, last in inner:
        yield from lines(text, first, last)


def _part(found: re.Match[str], offset: int) -> tuple[int, int]:
    first, last = found.span(1 if found[1] is not None else 2)
    return offset + first, offset + last


def _past(text: str, start: int, end: int, ends: list[str]) -> int:
    """Where the here-documents that start on a line are over."""
    for word in ends:
        found = re.compile(rf"^\t*{word}[ \t\r]*$\n?", re.MULTILINE).search(text, start, end)
        start = found.end() if found else end
    return start


def _plain(word: str) -> str:
    """A word without its quotes."""
    return _QUOTED.sub(lambda found: found[1] or found[2] or found[3] or "", word)
