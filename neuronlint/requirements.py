"""The oldest torch that a project's dependencies allow."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from neuronlint import there

_TORCH = re.compile(r"\s*torch\s*(?![\w.-])", re.IGNORECASE)
_CONDA = re.compile(
    r"\s*-\s*[\"']?(?:[\w-]+::)?(?:pytorch(?:-cpu|-gpu)?|torch)(?![\w-])\s*(?P<bounds>[^\"'#]*)"
)
_LOWER_BOUNDS = (">=", ">", "==", "===", "~=")


def torch_floor(pyproject: Mapping[str, Any], folder: Path) -> str | None:
    """The floor such as "2.9", "" where any torch will do, None where torch is not named.

    The dependencies proper count before the extras and groups, those before requirements files,
    and conda's environment last. What is too new for a project is not asked.
    """
    if not pyproject and not _names_any(folder):
        return None
    for lines in _sources(pyproject, folder):
        floors = [_floor(line) for line in lines if _TORCH.match(line)]
        known = [floor for floor in floors if floor is not None]
        if known:
            major, minor = min(known)
            return f"{major}.{minor}" if (major, minor) != (0, 0) else ""
    return None


def _names_any(folder: Path) -> bool:
    """Whether a folder has a file of requirements, as most folders have not."""
    there.lists(folder)
    try:
        names = os.listdir(folder)  # noqa: PTH208  # as text: there are many
    except OSError:
        return False
    return any(name.startswith(("requirements", "environment.", "setup.cfg")) for name in names)


def _sources(pyproject: Mapping[str, Any], folder: Path) -> Iterator[list[str]]:
    """The requirements of a folder, source by source."""
    project, tools = _table(pyproject, "project"), _table(pyproject, "tool")
    poetry, setup = _table(tools, "poetry"), _setup(folder / "setup.cfg")
    groups = [_table(each, "dependencies") for each in _table(poetry, "group").values()]
    yield _strings(project.get("dependencies"))
    yield _poetry(_table(poetry, "dependencies"))
    yield setup.get("install_requires", [])
    extras = (_table(project, "optional-dependencies"), _table(pyproject, "dependency-groups"))
    yield [line for extra in extras for each in extra.values() for line in _strings(each)]
    yield [line for group in groups for line in _poetry(group)]
    yield setup.get("extras", [])
    there.lists(folder)
    there.lists(folder / "requirements")
    files = [*folder.glob("requirements*.txt"), *folder.glob("requirements/*.txt")]
    yield [line for file in sorted(files) for line in _lines(file)]
    named = (folder / f"environment.{ending}" for ending in ("yml", "yaml"))
    yield [line for file in named for line in _conda(_lines(file))]


def _poetry(dependencies: Mapping[str, Any]) -> list[str]:
    """What Poetry is told of torch, as requirements: `"^2.4"` is `>=2.4` and has an end."""
    told = next((v for name, v in dependencies.items() if name.lower() == "torch"), None)
    found = []
    for each in told if isinstance(told, list) else [told]:
        version = each.get("version", "*") if isinstance(each, dict) else each
        if isinstance(version, str):
            bounds = (part.strip() for part in version.split(","))
            found.append("torch" + ",".join(_bound(bound) for bound in bounds if bound != "*"))
    return found


def _bound(text: str) -> str:
    """A bound of Poetry's or conda's in the words of pip."""
    if text[:1].isdigit():
        return f"=={text}"
    if text[:1] in "^~" and text[1:2].isdigit():
        return f">={text[1:]}"
    if text[:1] == "=" and text[1:2].isdigit():
        return f"=={text[1:].partition('=')[0]}"
    return text


def _conda(lines: Iterable[str]) -> Iterator[str]:
    """The requirements of torch in an environment of conda, those for its pip among them."""
    for line in lines:
        if match := _CONDA.match(line):
            bounds = match["bounds"].strip().split(" ")[0].split(",")
            yield "torch" + ",".join(_bound(bound) for bound in bounds if bound)


def _setup(file: Path) -> dict[str, list[str]]:
    """The requirements in a setup.cfg, and those of its extras."""
    lines = _lines(file)
    if not lines:
        return {}
    import configparser  # few projects have the file

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string("\n".join(lines))
    except configparser.Error:
        return {}
    needed = parser.get("options", "install_requires", fallback="").splitlines()
    section = "options.extras_require"
    extras = parser.options(section) if parser.has_section(section) else []
    more = [line for each in extras for line in parser.get(section, each).splitlines()]
    return {"install_requires": needed, "extras": more}


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
    with suppress(OSError):
        if there.is_file(file):  # to read a pipe is to wait for it
            return file.read_text(encoding="utf-8", errors="replace").splitlines()
    return []


def _strings(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _table(holder: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, dict) else {}
