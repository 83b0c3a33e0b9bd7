"""The oldest torch that a project's dependencies allow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_TORCH = re.compile(r"\s*torch\s*(?![\w.-])", re.IGNORECASE)
_LOWER_BOUNDS = (">=", ">", "==", "===", "~=")


def torch_floor(pyproject: Mapping[str, Any], files: Iterable[Path]) -> str | None:
    """The floor such as "2.9", "" where any torch will do, None where torch is not named.

    The dependencies proper count before the extras, and those before requirements files.
    """
    project = pyproject.get("project")
    project = project if isinstance(project, dict) else {}
    extras = project.get("optional-dependencies")
    sources = [
        _strings(project.get("dependencies")),
        [line for extra in _values(extras) for line in _strings(extra)],
        [line for file in files for line in _lines(file)],
    ]
    for lines in sources:
        floors = [_floor(line) for line in lines if _TORCH.match(line)]
        known = [floor for floor in floors if floor is not None]
        if known:
            major, minor = min(known)
            return f"{major}.{minor}" if (major, minor) != (0, 0) else ""
    return None


def _floor(line: str) -> tuple[int, int] | None:
    """The lowest version a requirement allows, (0, 0) for any, None for what is no requirement."""
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.version import InvalidVersion, Version

    try:
        requirement = Requirement(re.split(r"\s#|\s--|\s*\\$", line)[0].strip())
        bounds = [
            Version(each.version.removesuffix(".*"))
            for each in requirement.specifier
            if each.operator in _LOWER_BOUNDS
        ]
    except (InvalidRequirement, InvalidVersion):
        return None
    return max(((bound.major, bound.minor) for bound in bounds), default=(0, 0))


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _strings(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _values(value: object) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else []
