"""Valid modules made at random: shapes of CUDA code, put together with Python's odd corners."""

import io
import re
import tokenize
from collections.abc import Callable, Iterator
from random import Random

from generated_shapes import (
    AROUND,
    BLOCKS,
    COMMENTS,
    DOCS,
    EXPRESSIONS,
    IMPORTS,
    STATEMENTS,
    SUITES,
)


def module(random: Random) -> bytes:
    """A module that Python compiles, as the bytes of a file."""
    torch = random.choice(["torch", "torch", "th"])
    text = _text(random, torch)
    while not _valid(text):  # two odd things that do not go together
        text = _text(random, torch)
    for change in (_spread, _commented):
        changed = change(text, random)
        text = changed if _valid(changed) else text
    return _written(text, random)


def _text(random: Random, torch: str) -> str:
    use = "import torch" if torch == "torch" else "import torch as th"
    conditional = f"try:\n    {use}\nexcept ImportError:\n    {torch} = None"
    head = [random.choice([use, use, use, conditional])]
    head += random.sample(IMPORTS, random.randint(0, 3))
    if random.random() < 0.2:
        head[:0] = [random.choice(DOCS), "from __future__ import annotations"]
    unit = random.choice(["    ", "    ", "  ", "\t"])
    lines = [line for _ in range(random.randint(1, 4)) for line in _suite(random, torch, unit, 0)]
    return "\n".join([*head, *lines]) + "\n"


def _suite(random: Random, torch: str, unit: str, depth: int) -> Iterator[str]:
    """The lines of a statement, simple or with suites."""
    if depth > 2 or random.random() < 0.45:
        shape = random.choice(random.choice([STATEMENTS, STATEMENTS, SUITES]))
        yield from _filled(shape, random, torch).split(">>")
        return
    for header in random.choice(BLOCKS).split("&&"):
        *before, last = header.split(">>")
        yield from (_filled(line, random, torch) for line in before)
        yield _filled(last.replace("    ", unit, 1), random, torch)
        inner = unit * (2 if last.startswith(" ") else 1)  # a case of a match
        for _ in range(random.randint(1, 2)):
            for line in _suite(random, torch, unit, depth + 1):
                yield inner + line


def _filled(shape: str, random: Random, torch: str, depth: int = 0) -> str:
    """A shape with something in each of its holes."""

    def put(hole: re.Match[str]) -> str:
        match hole[0]:
            case "T":
                return torch
            case "S":
                return _filled(random.choice(STATEMENTS), random, torch, depth + 1)
            case "F":
                return _formatted(_filled("E", random, torch, depth + 1), random)
        chosen = random.choice(EXPRESSIONS if depth > 1 or random.random() < 0.6 else AROUND)
        return _filled(chosen, random, torch, depth + 1)

    return re.sub(r"(?<![\w.'])[TESF](?!\w)", put, shape)


def _formatted(text: str, random: Random) -> str:
    """The expression in an f-string, where one can hold it before Python 3.12."""
    for quote in random.sample(["'", '"', "'''", '"""'], 4):
        if quote[0] not in text and "\\" not in text and "\n" not in text:
            return f"f{quote}a {{({text})!r:>{{rank}}}} {{{{cuda}}}}{quote}"
    return f"({text})"


def _spread(text: str, random: Random) -> str:
    """The text with some of its lines broken: in brackets with comments, elsewhere without."""
    share = random.choice([0.0, 0.0, 0.05, 0.3])
    places = [place for place in _gaps(text) if random.random() < share]
    lines = text.splitlines(keepends=True)
    for (row, column), depth in reversed(places):
        comment = random.choice([*COMMENTS, ""]) if depth else "\\"
        before, after = lines[row - 1][:column], lines[row - 1][column:]
        lines[row - 1] = f"{before} {comment}\n{random.choice(['', '  ', '        '])}{after}"
    return "".join(lines)


def _gaps(text: str) -> Iterator[tuple[tuple[int, int], int]]:
    """The ends of tokens behind which a line may be broken, and how many brackets are open."""
    depth, strings, previous = 0, 0, tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        strings += (name == "FSTRING_START") - (name == "FSTRING_END")
        if name == "OP":
            depth += (token.string in "([{") - (token.string in ")]}")
        ends = name in ("NEWLINE", "NL", "COMMENT", "INDENT", "DEDENT", "ENDMARKER")
        if not strings and not ends and text.splitlines()[token.end[0] - 1][token.end[1] :].strip():
            yield token.end, depth
        previous = token.type
    assert previous == tokenize.ENDMARKER


def _commented(text: str, random: Random) -> str:
    """The text with comments or blanks around some of its lines."""
    return "".join(_around(text, random))


def _around(text: str, random: Random) -> Iterator[str]:
    share = random.choice([0.0, 0.0, 0.3])
    inside = _inside_texts(text)
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if number not in inside and not line.endswith("\\\n") and random.random() < share:
            indent = line[: len(line) - len(line.lstrip())]
            odd = [indent + "# x.cuda()", "# type: x", "\x0c", "", "  \t# cuda"]
            yield random.choice(odd) + "\n" if number - 1 not in _joined(text) else ""
            yield f"{line[:-1]}  {random.choice(COMMENTS)}\n" if "#" not in line else line
        else:
            yield line


def _joined(text: str) -> set[int]:
    """The lines that a backslash joins to the next."""
    return {n for n, line in enumerate(text.splitlines(), 1) if line.endswith("\\")}


def _inside_texts(text: str) -> set[int]:
    """The lines that a string of several lines covers."""
    return {
        row
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.STRING and token.start[0] != token.end[0]
        for row in range(token.start[0], token.end[0] + 1)
    }


def _valid(text: str) -> bool:
    try:
        compile(text, "generated.py", "exec")
    except SyntaxError:
        return False
    return True


def _written(text: str, random: Random) -> bytes:
    """The text as one of the files that may hold it."""
    ends: list[Callable[[str], str]] = [
        *[str] * 4,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r\n", 2),
        lambda text: text.replace("\n", "\r"),
    ]
    kind = random.randrange(10)
    heads = {1: "# coding: latin-1\n", 2: "#!/usr/bin/env python\n\x0c\n", 3: "\n\n"}
    text = random.choice(ends)(heads.get(kind, "") + text)
    if random.random() < 0.2:
        text = text.rstrip("\r\n")
    mark = b"\xef\xbb\xbf" if kind == 0 else b""
    return mark + text.encode("latin-1" if kind == 1 else "utf-8", "replace")
