"""NL908: settings that place a program on CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuronlint import Document, Entry, Match, Option, Rule, Severity

rule = Rule(
    "NL908",
    "cuda-setting",
    "`{old}` fails where CUDA is not; leave it out, where the program can find the device there is",
    __name__,
    Severity.ERROR,
    triggers=("cuda",),
    project=True,
)

_KEY = re.compile(r"(?:^|[._-])(?:device(?:[_-]?type)?|map_location)$", re.IGNORECASE)
_VALUE = re.compile(r"cuda(?::\d+)?")


@rule.check
def cuda_option(node: Option, document: Document) -> Iterator[Match]:
    """A device that is given to a program."""
    if _KEY.search(node.name) and _VALUE.fullmatch(node.value):
        yield rule.match(node, old=f"{node.name} {node.value}")


@rule.check
def cuda_entry(node: Entry, document: Document) -> Iterator[Match]:
    """A device in a file of settings."""
    if _KEY.search(node.key) and _VALUE.fullmatch(node.value):
        yield rule.match(node, old=f"{node.key}: {node.value}")
