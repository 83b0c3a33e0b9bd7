"""What the commands of a shell script do, as far as rules ask."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from neuronlint.documents import packages
from neuronlint.documents.nodes import Address, Command, Image, Node, Option, Variable
from neuronlint.documents.words import Line, Word, lines

_ASSIGNED = re.compile(r"(?P<name>[A-Za-z_]\w*)\+?=(?P<value>.*)", re.DOTALL)
_OPTION = re.compile(r"(?:--?)?(?P<name>[A-Za-z][\w.-]*)=(?P<value>.*)", re.DOTALL)
# What a script asks for in words of its own; the commands ask for a program.
_CASE = re.compile(
    r"cuda|gpu|nvidia|rocm|cpu|xpu|hpu|npu|tpu|mps|neuron|device|accelerator|backend",
    re.IGNORECASE,
)
_FOR_PROGRAM = frozenset({"command", "which", "type"})
_QUESTIONS = _FOR_PROGRAM | {"[", "[[", "test"}
_BEFORE = frozenset(
    {"if", "elif", "then", "else", "do", "while", "until", "!", "{", "time", "exec", "sudo"}
    | {"nohup", "srun", "env", "export", "declare", "local", "readonly", "setenv"}
)
_ENDS = frozenset({"exit", "return"})
_INSTALLERS = frozenset({"pip", "pip3", "conda", "mamba", "micromamba"})
_CONTAINERS = frozenset({"docker", "podman", "nvidia-docker"})


@dataclass
class _Blocks:
    """Whether the `if` and `case` statements that are open ask for a case, and the chain so far.

    A statement asks for one if those around it do.
    """

    asked: list[bool] = field(default_factory=list)
    asking: bool = False
    chain: bool = False

    def meet(self, line: Line) -> None:
        """Take in a command before it is looked at."""
        first = line.words[0].text if line.words else ""
        match first:
            case "if" | "case":
                self.asked.append(self._within() or first == "case")
                self.asking = first == "if"
            case "fi" | "esac" if self.asked:
                self.asked.pop()
            case "elif":
                self.asking = True
            case "then":
                self.asking = False
        if self.asking and self.asked:
            self.asked[-1] |= _names_case(line)

    @property
    def chosen(self) -> bool:
        """Whether what comes next is for one case of several."""
        return self.asking or self.chain or self._within()

    def end(self, line: Line) -> None:
        """Take in how a command ends."""
        self.chain = line.end == "&&" and (self.chain or (_asks(line) and _names_case(line)))

    def _within(self) -> bool:
        return bool(self.asked) and self.asked[-1]


def read(text: str, start: int = 0, end: int | None = None) -> Iterator[Node]:
    """What the commands in a part of a text do."""
    blocks = _Blocks()
    found = list(lines(text, start, end))
    for line, handled in zip(found, _handled(found), strict=True):
        blocks.meet(line)
        yield from _done(line.words, blocks.chosen, handled)
        blocks.end(line)


def listed(words: Sequence[Word]) -> Iterator[Node]:
    """What a command does whose words are given one by one."""
    yield from _done(words, False, False)


def assigned(word: Word, chosen: bool = False) -> Variable | None:
    """The variable that a word sets, if it does."""
    match = _ASSIGNED.match(word.text)
    if match is None:
        return None
    end = word.start + len(match["name"])
    return Variable(word.start, end, chosen, match["name"], match["value"])


def _handled(found: Sequence[Line]) -> list[bool]:
    """For each command whether the script goes on in some way if it, or its pipeline, fails."""
    handled: list[bool] = []
    after: tuple[Word, ...] = ()
    for line in reversed(found):
        ends = bool(after) and after[0].text in _ENDS
        piped = line.end == "|" and bool(handled) and handled[-1]
        handled.append(piped or (line.end == "||" and not ends))
        after = line.words
    return handled[::-1]


def _names_case(line: Line) -> bool:
    """Whether a command has a word for a device, or asks for a program."""
    return any(word.text in _FOR_PROGRAM or _CASE.search(word.text) for word in line.words)


def _asks(line: Line) -> bool:
    """Whether a command is a question."""
    return bool(line.words) and line.words[0].text in _QUESTIONS


def _done(words: Sequence[Word], chosen: bool, handled: bool) -> Iterator[Node]:
    words = list(words)
    while words:
        if variable := assigned(words[0], chosen):
            yield variable
        elif words[0].text not in _BEFORE and not words[0].text.startswith("-"):
            break
        words.pop(0)
    if not words:
        return
    program, rest = words[0].text.rpartition("/")[2], words[1:]
    texts = tuple(word.text for word in rest)
    yield Command(words[0].start, words[0].end, chosen or handled, program, texts)
    yield from _options(program, rest, chosen)
    if program.startswith("python") and texts[:2] == ("-m", "pip"):
        program, rest = "pip", rest[2:]
    if program == "uv" and texts[:1] == ("pip",):
        program, rest = "pip", rest[1:]
    if program in _INSTALLERS and rest and rest[0].text == "install":
        yield from _installed(program, rest[1:], chosen or handled)
    elif program in _CONTAINERS:
        yield from (Image(one.start, one.end, chosen, one.text) for one in rest)


def _options(program: str, words: Sequence[Word], chosen: bool) -> Iterator[Node]:
    for word, after in zip_longest(words, words[1:]):
        if match := _OPTION.match(word.text):
            yield Option(word.start, word.end, chosen, program, match["name"], match["value"])
        elif word.text.startswith("-"):
            takes = after is not None and not after.text.startswith("-")
            value, end = (after.text, after.end) if after and takes else ("", word.end)
            yield Option(word.start, end, chosen, program, word.text.lstrip("-"), value)


def _installed(program: str, words: Sequence[Word], chosen: bool) -> Iterator[Node]:
    skipped = False
    for word in words:
        if word.text.startswith(("https://", "http://")) or "=http" in word.text:
            at = word.text.index("http")
            yield Address(word.start + at, word.end, chosen, word.text[at:])
        elif word.text.startswith("-"):
            skipped = "=" not in word.text and word.text in _WITH_VALUE
            continue
        elif not skipped and "$" not in word.text:
            made = (
                packages.required(word.text, word.start, chosen)
                if program.startswith("pip")
                else packages.conda(word.text, word.start, chosen)
            )
            yield from (_spanning(one, word) for one in made)
        skipped = False


_WITH_VALUE = frozenset(
    {"-r", "--requirement", "-c", "--constraint", "-e", "--editable", "-t", "--target", "-n"}
    | {"--channel", "--name", "--prefix", "-p", "--python-version", "--platform", "--only-binary"}
    | {"--no-binary", "--config-settings", "-C", "--global-option", "--cache-dir", "--timeout"}
    | {"--progress-bar", "--trusted-host", "--extra", "--retries", "--root-user-action"}
)


def _spanning(node: Node, word: Word) -> Node:
    return replace(node, start=word.start, end=word.end)
