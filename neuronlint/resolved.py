"""The settings of a project with all that was extended and overridden worked in."""

from __future__ import annotations

from typing import Any

from neuronlint import files, toml
from neuronlint.config import Config
from neuronlint.keys import KEYS


def resolved(config: Config, torch: str) -> str:
    """The settings as TOML, every key but those that nothing stands for."""
    values = {name: _value(config, name) for name in KEYS if name != "extend"}
    values["torch"] = torch
    if not config.setter("exclude"):
        values["exclude"] = files.DEFAULT_EXCLUDE
    lines = [
        f"{name} = {toml.written(value)}\n"
        for name, value in values.items()
        if not (isinstance(value, str) and value.startswith("["))
    ]
    return "".join(lines)


def _value(config: Config, name: str) -> Any:
    """What holds for a key: the last word, or for keys that add to others all words."""
    if not name.startswith("extend-") and name not in ("ignore", "severity", "unfixable"):
        return config.value(name)
    set_ = [layer.values[name] for layer in config.layers if name in layer.values]
    if all(isinstance(value, tuple) for value in set_):
        return tuple(word for value in set_ for word in value) if set_ else KEYS[name].default
    return {key: each for value in set_ for key, each in value.items()}
