"""The target that a readiness report is about, as its readers know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neuronlint import profiles
from neuronlint.config import Config
from neuronlint.rule import Finding, Severity
from neuronlint.target import Target as Device

# What stands for a CUDA source: an extension that is built from one.
_KERNEL = Finding(Path(), 1, 1, 1, 1, "NL603", "cuda-extension", "", Severity.ERROR)


@dataclass(frozen=True)
class Target:
    """The target, or those that are meant together: the name to ask for it, and what people say.

    `ports` is whether CUDA sources are work there.
    """

    name: str
    title: str
    ports: bool = True


def of(config: Config) -> Target:
    """The target that a project is for; raises TargetError."""
    found = profiles.chosen(config.value("target"))
    names = [each.name for each in found]
    titles = ["every device"] if len(names) == len(profiles.names()) - 1 else _short(found)
    *first, last = titles or ["any device"]
    title = f"{', '.join(first)} and {last}" if first else last
    return Target(",".join(names), title, any(map(_ports, found)) or not found)


def _short(found: Sequence[Device]) -> list[str]:
    """The titles without what comes after a comma, as they stand in a sentence."""
    short = (each.title.partition(",")[0] for each in found)
    return [f"t{title[1:]}" if title.startswith("The ") else title for title in short]


def _ports(target: Device) -> bool:
    return target.severity(_KERNEL) is not None
