"""Which files beside Python a project consists of, told by their names."""

from __future__ import annotations

import re
from enum import Enum
from fnmatch import translate
from functools import lru_cache
from pathlib import Path

NOTEBOOK = ".ipynb"
LIMIT = 1_000_000  # bytes; a larger file is data


class Format(Enum):
    """What a file that is no Python is written in, and whether comments may follow on a line."""

    REQUIREMENTS = "requirements"
    PYPROJECT = "pyproject"
    SETUP_CFG = "setup.cfg"
    CONTAINER = "container"
    SHELL = "shell"
    YAML = "yaml"
    JSON = "json"

    @property
    def has_comments(self) -> bool:
        """Whether a file may hold comments at all."""
        return self is not Format.JSON

    @property
    def has_trailing_comments(self) -> bool:
        """Whether a comment may stand behind something else."""
        return self not in (Format.JSON, Format.CONTAINER, Format.SETUP_CFG)


_NAMES: dict[Format, tuple[str, ...]] = {
    Format.REQUIREMENTS: ("*requirements*.txt", "*requirements*.in", "constraints*.txt"),
    Format.PYPROJECT: ("pyproject.toml",),
    Format.SETUP_CFG: ("setup.cfg",),
    Format.CONTAINER: ("Dockerfile*", "*.dockerfile", "*.Dockerfile", "Containerfile*"),
    Format.SHELL: ("*.sh", "*.bash", "*.slurm", "*.sbatch"),
    Format.YAML: ("*.yaml", "*.yml"),
    Format.JSON: ("*.json",),
}
_FOLDER = "requirements"  # all texts in a folder of that name

# What a folder is searched for, as in a .gitignore file. What runs in CI names the machines that
# it runs on, locks repeat what other files say, and data of tests are nobody's settings.
INCLUDE = (
    *(name for names in _NAMES.values() for name in names),
    f"{_FOLDER}/*.txt",
    *("!**/.*/**", "!.*.yml", "!.*.yaml", "!.*.json", "!**/ci/**", "!azure-pipelines*"),
    *("!*lock*.json", "!*-lock.y*ml"),
    *(
        f"!**/{folder}/**/*.{kind}"
        for folder in ("tests", "test", "testdata", "fixtures")
        for kind in ("yaml", "yml", "json")
    ),
)


def _pattern(names: tuple[str, ...]) -> str:
    return "|".join(map(translate, names))


_OF = {format: re.compile(_pattern(names)) for format, names in _NAMES.items()}
_ANY = re.compile("|".join(map(_pattern, _NAMES.values())))


def format_of(path: Path) -> Format | None:
    """What a file is written in, None for Python and whatever is named otherwise."""
    name = path.name
    return of_name(name, path.parent.name if name.endswith(".txt") else "")


@lru_cache(maxsize=4096)
def of_name(name: str, folder: str) -> Format | None:
    """What a file of this name is written in, that lies in a folder of that name."""
    if _ANY.match(name):
        return next(format for format, pattern in _OF.items() if pattern.match(name))
    return Format.REQUIREMENTS if folder == _FOLDER and name.endswith(".txt") else None
