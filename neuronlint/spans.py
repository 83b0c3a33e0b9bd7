"""Where each node of a tree stands in its source."""

from __future__ import annotations

import re
from types import TracebackType

import libcst as cst
from libcst.metadata.span_provider import SpanProvidingCodegenState

Span = tuple[int, int]
# libcst's parser drops some blanks: before the colon of `except Error :`, a form feed or a
# continued line before a statement.
_LOST = re.compile(rb"[\s\\]*")


class MisplacedError(ValueError):
    """A tree of which the nodes cannot be found in its source."""


class Spans(SpanProvidingCodegenState):
    """The offsets at which every node starts and ends, in bytes of UTF-8.

    libcst's own provider says the same at three times the cost: it visits the tree once more,
    and makes two objects for every node.
    """

    def __init__(self, tree: cst.Module, data: bytes) -> None:
        layout = tree.default_indent, tree.default_newline
        super().__init__(*layout, provider=None)  # type: ignore[arg-type]  # it is never asked
        self._spans: dict[cst.CSTNode, Span] = {}
        self._starts: list[int] = []
        self._data = data
        self._moved = False
        tree._codegen(self)
        # A last line feed may be one too many or too few. Better no finding than one elsewhere.
        blank = data[len(data.rstrip()) :].strip(b"\r\n")  # some of it is lost, to no harm
        if tree.body and not blank and abs(self.position - len(data)) > 1:
            raise MisplacedError

    def __getitem__(self, node: cst.CSTNode) -> Span:
        """The offsets at which a node starts and ends, its own parentheses left out."""
        return self._spans[node]

    def add_indent_tokens(self) -> None:
        self.position += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        text = value.encode()
        if not self._data.startswith(text, self.position) and value.strip(" \t\f\n\\"):
            self._find(text)
        self.position += len(text)

    def _find(self, text: bytes) -> None:
        """Go on to where a text stands, behind blanks that the tree lacks."""
        lost = _LOST.match(self._data, self.position)
        if lost and self._data.startswith(text, lost.end()):
            self.position, self._moved = lost.end(), True
        elif text != b"#" and b"\n" not in text:
            raise MisplacedError

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._starts.append(self.position)

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self._starts.pop()
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
        known = self._spans._spans
        first = self._first if self._start is None else known[self._start][0]
        last = self._spans.position if self._end is None else known[self._end][1]
        known[self._node] = first, last
