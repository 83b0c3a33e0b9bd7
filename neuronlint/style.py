"""How a project writes the portable API: in torch's own words, or in those of its library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any


class StyleError(ValueError):
    """A style that does not exist or cannot be read; the message says what is wrong."""


@dataclass(frozen=True)
class Style:
    """Expressions that fixes write instead of torch's, and the imports they need.

    `device` is the device, `device_type` its type as text; empty ones leave torch's words.
    `names` maps a dotted name of torch to the expression to write, `imports` the first name of
    an expression to the statement that imports it. `guarded` says that the functions need an
    accelerator, as torch's do, so that calls ask for one first.
    """

    device: str = ""
    device_type: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    guarded: bool = True

    def __hash__(self) -> int:
        return hash((self.device, self.device_type, tuple(self.names.items()), self.guarded))


def style_of(table: Mapping[str, Any]) -> Style:
    """The style that a `[tool.neuronlint.device]` table describes.

    `style` names a ready-made one; other keys change it. Raises StyleError.
    """
    if not table:  # as in most projects
        return Style()
    chosen = dict(table)
    name = chosen.pop("style", "torch")
    ready = _ready()
    if name not in ready:
        raise StyleError(f"device.style: no style {name!r}; there are {', '.join(sorted(ready))}")
    merged = {**ready[name]}
    for key, value in chosen.items():
        old = merged.get(key)
        _check(key, value)
        merged[key] = {**old, **value} if isinstance(old, dict) else value
    return Style(**merged)


def _check(key: str, value: object) -> None:
    kinds: dict[str, type] = {"names": dict, "imports": dict, "guarded": bool}
    if key not in {one.name for one in fields(Style)}:
        raise StyleError(f"device.{key}: unknown key")
    kind = kinds.get(key, str)
    if not isinstance(value, kind):
        raise StyleError(f"device.{key}: not a {'table' if kind is dict else kind.__name__}")
    if isinstance(value, dict) and not all(isinstance(text, str) for text in value.values()):
        raise StyleError(f"device.{key}: every value is a string")


@cache
def _ready() -> dict[str, dict[str, Any]]:
    """The styles that come with neuronlint."""
    from importlib.resources import files  # most projects write torch's own words

    from neuronlint import toml

    text = (files("neuronlint") / "styles.toml").read_text(encoding="utf-8")
    return toml.parse(text, "styles.toml")
