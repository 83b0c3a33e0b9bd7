"""The instructions of a Dockerfile."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuronlint.documents import shell
from neuronlint.documents.nodes import Image, Node, Variable
from neuronlint.documents.words import Word, lines

_INSTRUCTION = re.compile(
    r"^[ \t]*(?:ONBUILD[ \t]+)?(?P<word>[A-Za-z]+)[ \t]+"
    r"(?P<rest>(?:\\[ \t\r]*\n|[^\n\\]|\\(?![ \t\r]*\n))*)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"^[ \t]*#[^\n]*\n", re.MULTILINE)
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1")
_TEXT = re.compile(r"\"((?:\\.|[^\"\\])*)\"")
_REFERENCE = re.compile(r"\$(?:\{(\w+)(?::-[^}]*)?\}|(\w+))$")


def read(text: str) -> Iterator[Node]:
    """What the instructions do."""
    text = _COMMENT.sub(lambda found: " " * len(found[0]), text) if "#" in text else text
    defaults: dict[str, Word] = {}
    end = 0
    for found in _INSTRUCTION.finditer(text):
        if found.start() < end:  # in a here-document
            continue
        start, end = found.span("rest")
        match found["word"].upper():
            case "FROM":
                yield from _image(_words(text, start, end), defaults)
            case "ARG":
                defaults |= dict(_defaults(_words(text, start, end)))
            case "ENV":
                yield from _variables(_words(text, start, end))
            case "RUN" | "CMD" | "ENTRYPOINT":
                if text[start] == "[":
                    yield from shell.listed(list(_listed(text, start, end)))
                else:
                    end = _whole(text, start, end)
                    yield from shell.read(text, _script(text, start), end)


def _words(text: str, start: int, end: int) -> list[Word]:
    return [word for line in lines(text, start, end) for word in line.words]


def _defaults(words: list[Word]) -> Iterator[tuple[str, Word]]:
    """The values of build arguments, by name."""
    for word in words:
        if variable := shell.assigned(word):
            start = word.end - len(variable.value)
            yield variable.name, Word(start, word.end, variable.value)


def _image(words: list[Word], defaults: dict[str, Word]) -> Iterator[Image]:
    names = [word for word in words if not word.text.startswith("--")]
    if names:
        asked = _REFERENCE.match(names[0].text)
        word = defaults.get(asked[1] or asked[2], names[0]) if asked else names[0]
        yield Image(word.start, word.end, False, word.text)


def _variables(words: list[Word]) -> Iterator[Variable]:
    """The variables of an ENV instruction, in its old form, too: a name and all the rest."""
    if words and "=" not in words[0].text:
        value = " ".join(word.text for word in words[1:])
        yield Variable(words[0].start, words[0].end, False, words[0].text, value)
        return
    yield from filter(None, map(shell.assigned, words))


def _listed(text: str, start: int, end: int) -> Iterator[Word]:
    """The words of a command that is written as a list."""
    for found in _TEXT.finditer(text, start, end):
        yield Word(found.start(1), found.end(1), found[1])


def _script(text: str, start: int) -> int:
    """Where the commands start: in the here-document, where that is all there is."""
    alone = re.compile(rf"{_HEREDOC.pattern}[ \t\r]*\n").match(text, start)
    return alone.end() if alone else start


def _whole(text: str, start: int, end: int) -> int:
    """Where a command is over, with the here-documents that belong to it."""
    for document in _HEREDOC.finditer(text, start, end):
        close = re.compile(rf"^\t*{document[2]}[ \t\r]*$", re.MULTILINE).search(text, end)
        end = close.end() if close else len(text)
    return end
