"""NL903: a container that is made for CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuronlint import Document, Image, Match, Rule

from .facts import is_for_other

rule = Rule(
    "NL903",
    "cuda-image",
    "the image `{name}` is made for CUDA; make the image an argument that each device sets",
    __name__,
    triggers=("nvidia/", "nvcr.io", "-cuda"),
    project=True,
)

_IMAGE = re.compile(
    r"(?:docker\.io/)?nvidia/|nvcr\.io/nvidia/|(?:docker\.io/)?pytorch/pytorch:[\w.-]*-cuda"
)


@rule.check
def cuda_image(node: Image, document: Document) -> Iterator[Match]:
    """An image of NVIDIA's or of torch built for CUDA, where the document has no other."""
    others = (other.name for other in document.nodes(Image))
    if _IMAGE.match(node.name) and not any(map(is_for_other, others)):
        yield rule.match(node, name=node.name)
