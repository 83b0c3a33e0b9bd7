"""NL902: an index of packages that are built for CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuronlint import Address, Document, Match, Rule

from .facts import is_for_cuda, is_for_other

rule = Rule(
    "NL902",
    "cuda-index",
    "`{url}` has builds for CUDA; leave the choice of the index to whoever installs",
    __name__,
    triggers=("/cu1", "+cu", "-cu1", "_cu1", "cuda", "nvidia.com"),
    project=True,
)

_NVIDIA = re.compile(r"https?://(?:pypi|pypi\.ngc)\.nvidia\.com\b")


@rule.check
def cuda_index(node: Address, document: Document) -> Iterator[Match]:
    """An index, a page of links or a file of CUDA's, where the document has no other."""
    if is_for_cuda(node.url) or _NVIDIA.match(node.url):
        others = document.nodes(Address)
        if not any(is_for_other(other.url) for other in others):
            yield rule.match(node, url=node.url)
