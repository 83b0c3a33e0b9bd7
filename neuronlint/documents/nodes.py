"""What a file that is no Python is made of, as rules see it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """A part of a document: the characters from `start` to `end`.

    `chosen` says that the file has it for one case of several, or goes on without it: an extra,
    a branch, a command that is asked for first. Nothing is found there.
    """

    start: int
    end: int
    chosen: bool


@dataclass(frozen=True)
class Requirement(Node):
    """A package to install, its name in lower case with hyphens; `build` is as in 2.1+cu118."""

    name: str
    build: str = ""


@dataclass(frozen=True)
class Address(Node):
    """Where packages come from: an index, a page of links, or a file."""

    url: str


@dataclass(frozen=True)
class Image(Node):
    """A container's image."""

    name: str


@dataclass(frozen=True)
class Command(Node):
    """A program that a shell runs, without its folder, and all words behind it."""

    program: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Option(Node):
    """An option of a program, without its hyphens, and the value that it is given."""

    program: str
    name: str
    value: str


@dataclass(frozen=True)
class Variable(Node):
    """An environment variable that is set."""

    name: str
    value: str


@dataclass(frozen=True)
class Entry(Node):
    """A text in a YAML or JSON file, with the keys that lead to it; "-" is an item of a list."""

    keys: tuple[str, ...]
    value: str

    @property
    def key(self) -> str:
        """The last key."""
        return self.keys[-1] if self.keys else ""
