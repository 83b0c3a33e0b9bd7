"""NL907: settings that ask for nccl."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuronlint import Document, Entry, Match, Option, Rule, Severity

rule = Rule(
    "NL907",
    "nccl-setting",
    "`{old}` serves CUDA only; leave it out, where the program can choose the device's own backend",
    __name__,
    Severity.ERROR,
    triggers=("nccl", "NCCL"),
    project=True,
)

_KEY = re.compile(r"(?:^|[._-])backend$", re.IGNORECASE)


@rule.check
def nccl_option(node: Option, document: Document) -> Iterator[Match]:
    """A backend that is given to a program."""
    if _KEY.search(node.name) and node.value.lower() == "nccl":
        yield rule.match(node, old=f"{node.name} {node.value}")


@rule.check
def nccl_entry(node: Entry, document: Document) -> Iterator[Match]:
    """A backend in a file of settings."""
    if _KEY.search(node.key) and node.value.lower() == "nccl":
        yield rule.match(node, old=f"{node.key}: {node.value}")
