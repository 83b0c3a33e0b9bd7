"""Where each node of a tree stands in its source."""

from __future__ import annotations

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, CodeSpan


class Spans(ByteSpanPositionProvider):
    """The offset and length of every node, in bytes of UTF-8.

    Asking the provider itself, not a MetadataWrapper, saves a visit of the whole tree.
    """

    def __init__(self, tree: cst.Module) -> None:
        super().__init__()
        self._gen_impl(tree)

    def __getitem__(self, node: cst.CSTNode) -> tuple[int, int]:
        """The offsets at which a node starts and ends, its own parentheses left out."""
        span = self._computed[node]
        assert isinstance(span, CodeSpan)
        return span.start, span.start + span.length
