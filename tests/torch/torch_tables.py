"""The tables of facts, and what they claim of the installed torch release."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ACCELERATOR = "torch.accelerator."


def load_tool() -> ModuleType:
    """tools/torch_api.py as a module."""
    spec = importlib.util.spec_from_file_location("torch_api", ROOT / "tools" / "torch_api.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()
ROWS: dict[str, dict[str, Any]] = TOOL.read_rows()
PLAIN = {name: row for name, row in ROWS.items() if "alias" not in row}
FACTS: dict[str, str] = TOOL.read_table(ROOT / "tests" / "accelerator.toml")["since"]


def here() -> dict[str, dict[str, Any]]:
    """The rows whose old name the installed torch has."""
    return {name: row for name, row in PLAIN.items() if TOOL.has_old_name(row)}


def later() -> set[str]:
    """The names of torch.accelerator that only a newer torch has."""
    new = (name for name, since in FACTS.items() if TOOL.release(since) > TOOL.installed())
    return {ACCELERATOR + name for name in new}


def is_known(row: dict[str, Any]) -> bool:
    """Whether the installed torch has what a row suggests."""
    return bool(TOOL.release(row.get("since", "0")) <= TOOL.installed())
