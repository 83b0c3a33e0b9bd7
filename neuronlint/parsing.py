"""A source as a syntax tree, as much of it as is needed."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import libcst as cst

from neuronlint.clock import phase
from neuronlint.cut import Part, needed
from neuronlint.limits import refused
from neuronlint.rule import Rule
from neuronlint.source import Source


class RefusedError(ValueError):
    """A source that libcst must not be given; the message says what of it."""


# What a source that cannot be parsed may raise, as libcst has it, a RefusedError among them.
ERRORS = (cst.ParserSyntaxError, SyntaxError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class Parsed:
    """The tree of a source, or of what was left of it, and the text that it was made from.

    `part` is what was kept of the source, with the rules that may find something in it.
    """

    tree: cst.Module
    part: Part

    @classmethod
    def whole(cls, text: str) -> Parsed:
        """A text, parsed as it is; raises one of ERRORS."""
        return cls(cst.parse_module(text), Part(text.encode(), ()))


def parse(source: Source, rules: Sequence[Rule], also: Iterable[str] = ()) -> Parsed | None:
    """What the rules need of a source, parsed; None where they need nothing.

    Offsets in it are those of the source. Raises one of ERRORS where the whole cannot be parsed.
    """
    text = source.parsable.encode()
    with phase("cut"):
        part = needed(text, rules, also)
    if part is None:
        return None
    if part.text != text:
        try:
            return Parsed(_parsed(part.text.decode(), part.starts), part)
        except ERRORS:
            part = Part(text, part.rules)  # whatever the cut made of it, the whole decides
    return Parsed(_parsed(source.parsable, part.starts), part)


def fault(text: str) -> tuple[int, int] | None:
    """The line and column at which a text cannot be parsed, None where it can be."""
    try:
        _parsed(text)
    except cst.ParserSyntaxError as error:
        return error.raw_line, error.editor_column
    except ERRORS:
        return 1, 1
    return None


def compiles(text: str) -> bool:
    """Whether the running Python takes a text for a program; nothing of it is run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "source", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _parsed(text: str, starts: Sequence[int] = ()) -> cst.Module:
    if (why := refused(text.encode(), starts)) is not None:
        raise RefusedError(why)
    with phase("parse"), _unvalidated():
        return cst.parse_module(text)


@contextmanager
def _unvalidated() -> Iterator[None]:
    """Skip the checks that nodes make of themselves: the parser builds only valid ones.

    They cost a tenth of a parse, and reject some valid code (Instagram/LibCST issue 1061).
    """
    node = cst.CSTNode
    checked = node.__post_init__
    node.__post_init__ = _accept  # type: ignore[method-assign]  # for a while
    try:
        yield
    finally:
        node.__post_init__ = checked  # type: ignore[method-assign]  # as it was


def _accept(self: cst.CSTNode) -> None:
    """Take a node as it is."""


def _hash_fast(node: type[object]) -> None:
    """Let nodes of a type, and of those below it, be hashed as any object.

    libcst does the same by a Python function, in ten times the time.
    """
    node.__hash__ = object.__hash__  # type: ignore[method-assign]
    for inner in node.__subclasses__():
        _hash_fast(inner)


_hash_fast(cst.CSTNode)
