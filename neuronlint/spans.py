"""Where each node of a tree stands in its source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import TracebackType

import libcst as cst
from libcst._nodes.internal import CodegenState

from neuronlint.clock import phase
from neuronlint.tree import Tree

Span = tuple[int, int]
# libcst's parser drops some blanks: before the colon of `except Error :`, a form feed or a
# continued line before a statement.
_LOST = re.compile(rb"[\s\\]*")


class MisplacedError(ValueError):
    """A tree of which the nodes cannot be found in its source."""


class Spans(CodegenState):
    """The offsets at which nodes start and end, in bytes of UTF-8, worked out where asked for.

    libcst tells them by writing the code anew. Where the tree knows on which line each statement
    starts, only the one is written that a node is in, and of a compound one only its first line.
    libcst's own provider writes all, visits the tree once more, and makes two objects for every
    node.
    """

    def __init__(self, tree: Tree, data: bytes) -> None:
        layout = tree.root.default_indent, tree.root.default_newline
        super().__init__(*layout)
        self._tree = tree
        self._data = data
        self._lines: Mapping[cst.CSTNode, int] = tree.lines
        self._spans: dict[cst.CSTNode, Span] = {}
        self._begin()

    def _begin(self, offset: int = 0, body: cst.CSTNode | None = None) -> None:
        """Be about to write what starts at an offset, up to the body of it that is given."""
        self.position = offset
        self.indent_tokens = [self._margin(offset)]
        self._body = body
        self._moved = False
        self._starts: list[int] = []
        self._around: list[int] = []  # where the statements start that are being written
        self._wrapped = 0  # how much white space between brackets is being written
        self._empty = False  # whether an empty line is: those before a statement do not count

    def _margin(self, offset: int) -> str:
        return self._data[self._data.rfind(b"\n", 0, offset) + 1 : offset].decode()

    def __getitem__(self, node: cst.CSTNode) -> Span:
        """The offsets at which a node starts and ends, its own parentheses left out."""
        if node not in self._spans:
            with phase("positions"):
                self._find(node)
        return self._spans[node]

    def _find(self, node: cst.CSTNode) -> None:
        self._find_statement(node)
        if node not in self._spans:
            self._find_all()

    def _find_statement(self, node: cst.CSTNode) -> None:
        """Find the nodes of the statement that a node is, or is in the first line of."""
        holder: cst.CSTNode | None = node
        while holder is not None and holder not in self._lines:
            holder = self._tree.parents.get(holder)
        if holder is None:
            return
        bodies = (getattr(holder, "body", None), None) if holder is not node else (None,)
        for body in bodies:
            self._begin(self._lines[holder], body if isinstance(body, cst.BaseSuite) else None)
            try:
                holder._codegen(self, **_as_clause(holder, self._tree.parents[holder]))
            except _BodyReached:
                pass
            except MisplacedError:
                return
            if node in self._spans:
                return

    def _find_all(self) -> None:
        """Find the nodes of the whole tree."""
        self._lines = {}
        self._begin()
        self._tree.root._codegen(self)
        # A last line feed may be one too many or too few. Better no finding than one elsewhere.
        data = self._data
        blank = data[len(data.rstrip()) :].strip(b"\r\n")  # some of it is lost, to no harm
        if self._tree.root.body and not blank and abs(self.position - len(data)) > 1:
            raise MisplacedError

    def add_indent_tokens(self) -> None:
        if self._around and not self._wrapped:
            self.position = self._around[-1]
        else:
            self.position += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        if self._empty:
            return
        text = value.encode()
        if not self._data.startswith(text, self.position) and value.strip(" \t\f\n\\"):
            self._catch_up(text)
        self.position += len(text)

    def _catch_up(self, text: bytes) -> None:
        """Go on to where a text stands, behind blanks that the tree lacks."""
        lost = _LOST.match(self._data, self.position)
        if lost and self._data.startswith(text, lost.end()):
            self.position, self._moved = lost.end(), True
        elif text != b"#" and b"\n" not in text:
            raise MisplacedError

    def before_codegen(self, node: cst.CSTNode) -> None:
        if node is self._body:
            raise _BodyReached
        self._starts.append(self.position)
        if (line := self._lines.get(node)) is not None:
            self._around.append(line)
        elif type(node) is cst.ParenthesizedWhitespace:
            self._wrapped += 1
        elif type(node) is cst.EmptyLine:
            self._empty = bool(self._around) and not self._wrapped

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self._starts.pop()
        if node in self._lines:
            self._around.pop()
        elif type(node) is cst.ParenthesizedWhitespace:
            self._wrapped -= 1
        elif type(node) is cst.EmptyLine:
            self._empty = False
        if self._moved and (lost := _LOST.match(self._data, start, self.position)):
            start = lost.end() if lost.end() < self.position else start
        self._spans.setdefault(node, (start, self.position))

    def record_syntactic_position(  # type: ignore[override]  # any context manager will do
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> _Recorded:
        return _Recorded(self, node, start_node, end_node)


class _BodyReached(Exception):  # noqa: N818  # no error: all that is asked for is written
    """The first line of a compound statement is written."""


class _Recorded:
    """The part of a node's text that counts as the node."""

    __slots__ = ("_end", "_first", "_node", "_spans", "_start")

    def __init__(
        self, spans: Spans, node: cst.CSTNode, start: cst.CSTNode | None, end: cst.CSTNode | None
    ) -> None:
        self._spans, self._node, self._start, self._end = spans, node, start, end
        self._first = spans.position

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            return
        known = self._spans._spans
        first = self._first if self._start is None else known[self._start][0]
        last = self._spans.position if self._end is None else known[self._end][1]
        known[self._node] = first, last


def _as_clause(node: cst.CSTNode, parent: cst.CSTNode) -> dict[str, bool]:
    """What tells libcst to write a condition as one more of those before."""
    is_elif = isinstance(node, cst.If) and isinstance(parent, cst.If) and parent.orelse is node
    return {"is_elif": True} if is_elif else {}
