"""The configuration of each file: the nearest one above it, as the command line changes it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from neuronlint import config, files, requirements, there, toml
from neuronlint.config import Config, ConfigError, Layer
from neuronlint.homegrown import Homegrown
from neuronlint.ignores import Patterns
from neuronlint.version import VERSION

Named = Path | None  # a configuration file; None where there is none


class Projects:
    """The configurations that apply under the paths of a run, each read once.

    `over` are the layers of the command line. With `file` that file holds everywhere; with
    `isolated` none does, and dependencies are not looked at.
    """

    def __init__(
        self, over: Sequence[Layer] = (), file: Path | None = None, isolated: bool = False
    ) -> None:
        self._over = tuple(over)
        self._file = file
        self._isolated = isolated
        self._nearest: dict[Path, Named] = {}
        self._of: dict[Path, Named] = {}
        self._configs: dict[Named, Config] = {}
        self._filters: dict[Named, files.Filter] = {}
        self._floors: dict[Path, str] = {}
        self._homegrown = Homegrown()

    @classmethod
    def asked(cls, words: Iterable[str], isolated: bool, given: Layer | None = None) -> Projects:
        """Those that the words of --config and the other options ask for; raises ConfigError."""
        named: list[Path] = []
        inline: list[Layer] = []
        for word in words:
            if there.tells(Path(word)):
                named.append(Path(word))
            elif "=" in word:
                inline.append(config.inline(word))
            else:
                raise ConfigError(f"--config: there is no file {word!r}, and it is no KEY=VALUE")
        if len(named) > 1:
            first, second = map(str, named[:2])
            raise ConfigError(f"--config: one file only, not both {first!r} and {second!r}")
        if named and isolated:
            raise ConfigError(f"--isolated reads no file, --config {str(named[0])!r} asks for one")
        return cls([*inline, given or Layer()], named[0] if named else None, isolated)

    def config(self, folder: Path) -> Config:
        """The configuration of the files in a folder; raises ConfigError.

        Where there is none above the folder, that of the current folder holds.
        """
        file = self._found(folder)
        if file not in self._configs:
            # As in ruff, globs in a file that is named count from the current folder.
            layers = config.read(file, Path.cwd() if self._file else None) if file else ()
            made = Config((*layers, *self._over))
            _require(made)
            self._configs[file] = made
        return self._configs[file]

    def root(self, paths: Iterable[Path]) -> Config:
        """The configuration of the run: the current folder's, or that of all the paths."""
        if self._isolated or self._file or self._above(Path.cwd()):
            return self.config(Path.cwd())
        return self.config(_common_folder(paths))

    def filter(self, folder: Path) -> files.Filter:
        """Which files of a folder are wanted."""
        chosen = self.config(folder)
        if chosen.file not in self._filters:
            self._filters[chosen.file] = _filter(chosen)
        return self._filters[chosen.file]

    def torch(self, folder: Path) -> str:
        """The oldest torch that the files in a folder support, "" where that is not known."""
        chosen = self.config(folder)
        if chosen.setter("torch"):
            return str(chosen.value("torch"))
        return "" if self._isolated else self._floor(folder.absolute())

    def packages(self, folder: Path) -> frozenset[str]:
        """The names that the files in a folder may import from their own repository."""
        return self._homegrown.packages(folder.absolute())

    def _found(self, folder: Path) -> Named:
        if self._isolated or self._file:
            return self._file
        if folder not in self._of:
            self._of[folder] = self._above(folder.absolute()) or self._above(Path.cwd())
        return self._of[folder]

    def _above(self, folder: Path) -> Named:
        """The nearest configuration file in a folder or above it."""
        if folder not in self._nearest:
            above = folder.parent
            found = config.nearest(folder) or (None if above == folder else self._above(above))
            self._nearest[folder] = found
        return self._nearest[folder]

    def _floor(self, folder: Path) -> str:
        """The torch that the nearest dependencies ask for, up to the root of the repository."""
        if folder not in self._floors:
            floor, above = requirements.torch_floor(_pyproject(folder), folder), folder.parent
            is_last = floor is not None or above == folder or there.exists(folder / ".git")
            self._floors[folder] = (floor or "") if is_last else self._floor(above)
        return self._floors[folder]


def _common_folder(paths: Iterable[Path]) -> Path:
    folders = {path if there.is_folder(path) else path.parent for path in map(Path.absolute, paths)}
    try:
        return Path(os.path.commonpath(folders)) if folders else Path.cwd()
    except ValueError:  # on different drives
        return Path.cwd()


def _filter(chosen: Config) -> files.Filter:
    exclude = _patterns(chosen.more("exclude"))
    if not chosen.setter("exclude"):
        exclude = (Patterns.of(chosen.folder, files.DEFAULT_EXCLUDE), *exclude)
    include = _patterns(chosen.more("include"))
    usual = None
    if not chosen.setter("include"):
        usual = Patterns.of(chosen.folder, files.DEFAULT_INCLUDE)
    forced, gitignore = chosen.value("force-exclude"), chosen.value("respect-gitignore")
    return files.Filter(exclude, include, gitignore, forced, usual)


def _patterns(listed: Iterable[tuple[Layer, Sequence[str]]]) -> tuple[Patterns, ...]:
    return tuple(
        Patterns.of(layer.folder, (glob.removeprefix("./") for glob in globs))
        for layer, globs in listed
    )


def _require(chosen: Config) -> None:
    """Raise ConfigError where the configuration is for other versions than this one."""
    wanted = chosen.value("required-version")
    if not wanted:
        return
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        specifiers = SpecifierSet(wanted if wanted[0] in "<>=!~" else f"=={wanted}")
    except InvalidSpecifier:
        raise ConfigError(
            f"required-version {wanted!r} is none; write for example '>=0.1'"
        ) from None
    if not specifiers.contains(VERSION, prereleases=True):
        raise ConfigError(f"neuronlint {wanted} is required, this is {VERSION}")


def _pyproject(folder: Path) -> dict[str, Any]:
    if not there.is_file(f"{folder}{os.sep}pyproject.toml"):
        return {}
    try:
        return toml.read(folder / "pyproject.toml")
    except toml.TomlError as error:
        raise ConfigError(str(error)) from None
