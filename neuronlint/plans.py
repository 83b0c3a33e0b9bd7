"""What is to be done with each file: the plan that its project makes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from neuronlint import operator_file, own, profiles, selection, there
from neuronlint.config import Config, ConfigError
from neuronlint.formats import format_of
from neuronlint.operator_file import Operators
from neuronlint.overrides import Override
from neuronlint.own import UNUSED
from neuronlint.projects import Projects
from neuronlint.rule import Rule
from neuronlint.runner import Plan
from neuronlint.settings import Settings
from neuronlint.style import Style, StyleError, style_of


@dataclass(frozen=True)
class _World:
    """What the files of a folder have in common, with the plans for them by what they have not."""

    config: Config
    rules: tuple[Rule, ...]
    settings: Settings
    plans: dict[tuple[frozenset[str], bool], Plan] = field(default_factory=dict)


class Plans:
    """The plans of a run by file; files that are to be treated alike share one.

    The rules of `base` run on every file, whatever a project chooses.
    """

    def __init__(self, projects: Projects, installed: Sequence[Rule], base: Plan) -> None:
        self._projects = projects
        self._installed = installed
        self._base = base
        self._chosen: dict[Path | None, tuple[Rule, ...]] = {}
        self._overridden: dict[Path | None, tuple[Override, ...]] = {}
        self._folders: dict[str, _World] = {}
        self._worlds: dict[tuple[Path | None, str, frozenset[str]], _World] = {}

    def of(self, path: Path) -> Plan:
        """The plan for a file; raises ConfigError where its configuration cannot be used."""
        name = os.path.dirname(path)
        world = self._folders.get(name)
        if world is None:
            world = self._folders[name] = self._world(path.absolute().parent)
        ignored = selection.ignored(world.config, world.rules, path)
        key = (ignored, format_of(path) is None)
        if key not in world.plans:
            world.plans[key] = self._plan(world, *key)
        return world.plans[key]

    def _world(self, folder: Path) -> _World:
        config, torch = self._projects.config(folder), self._projects.torch(folder)
        packages = self._packages(folder)
        key = (config.file, torch, packages)
        if key not in self._worlds:
            rules = self.chosen(config)
            self._worlds[key] = _World(config, rules, self._settings(config, torch, packages))
        return self._worlds[key]

    def _plan(self, world: _World, ignored: frozenset[str], is_python: bool) -> Plan:
        rules = [
            rule
            for rule in world.rules
            if rule.code not in ignored
            and (rule is UNUSED or rule.project != is_python)
            and _runs(rule, world.settings)
        ]
        rules += self._base.rules if is_python else ()
        return replace(self._base, rules=rules, settings=world.settings)

    def chosen(self, config: Config) -> tuple[Rule, ...]:
        """The rules that a project runs; raises ConfigError for a selector that fits none."""
        if config.file not in self._chosen:
            selection.check(config, self._installed)
            self._chosen[config.file] = selection.chosen(config, self._installed)
        return self._chosen[config.file]

    def rules(self) -> list[Rule]:
        """The rules that may have run on any file so far."""
        chosen = {rule.code: rule for rules in self._chosen.values() for rule in rules}
        return [*chosen.values(), *self._base.rules]

    def words(self) -> frozenset[str]:
        """The projects' own words that made a file worth a look, beside those of the rules."""
        return frozenset().union(*(world.settings.words for world in self._worlds.values()))

    def is_led(self, folder: Path, root: Config) -> bool:
        """Whether a run over files of a folder is one with this configuration, too.

        As long as that of the current folder is not, it is that of all that is named together.
        """
        folders = (folder, Path.cwd()) if root.file else (folder,)
        return any(self._projects.config(each).file == root.file for each in folders)

    def is_forced(self, folder: Path) -> bool:
        """Whether even a file of a folder that is named may be left out."""
        return bool(self._projects.config(folder).value("force-exclude"))

    def _settings(self, config: Config, torch: str, packages: frozenset[str]) -> Settings:
        return Settings(
            torch=torch,
            gates=frozenset(config.value("gates.decorators")),
            style=_style(config),
            overrides=self._overrides(config),
            markers=config.value("foreign-markers"),
            targets=profiles.chosen(config.value("target")),
            operators=_operators(config),
            known=frozenset(own.words(self._installed)),
            packages=packages,
        )

    def _packages(self, folder: Path) -> frozenset[str]:
        """The repository's own packages that a rule may ask about; the rest would part plans."""
        rules = tuple(self._installed)
        return frozenset(
            name for name in self._projects.packages(folder) if _is_asked_for(name, rules)
        )

    def _overrides(self, config: Config) -> tuple[Override, ...]:
        if config.file not in self._overridden:
            self._overridden[config.file] = selection.overrides(config, self.chosen(config))
        return self._overridden[config.file]


@cache
def _roots(rules: tuple[Rule, ...]) -> re.Pattern[str]:
    """What finds, in the name of a package, one that rules look for: `fla`, of `from fla`."""
    words = (word.split()[-1].partition(".")[0] for rule in rules for word in rule.triggers)
    return re.compile("|".join(sorted({re.escape(word) for word in words if word})) or "(?!)")


@cache
def _is_asked_for(package: str, rules: tuple[Rule, ...]) -> bool:
    return _roots(rules).search(package) is not None


def _runs(rule: Rule, settings: Settings) -> bool:
    """Whether a rule may find anything with these settings."""
    return not rule.needs or bool(getattr(settings, rule.needs))


def _operators(config: Config) -> Operators | None:
    """What the file that a project names lists, None where it names none."""
    layer = config.setter("operators")
    if layer is None or not layer.values["operators"]:
        return None
    file = layer.folder / Path(layer.values["operators"]).expanduser()
    there.tells(file)  # so that it is noted
    try:
        return operator_file.read(file)
    except operator_file.OperatorError as error:
        raise ConfigError(f"{layer.place}operators: {error}") from None


def _style(config: Config) -> Style:
    table = {key.replace("-", "_"): value for key, value in config.table("device").items()}
    try:
        return style_of(table)
    except StyleError as error:
        layers = [
            layer for layer in config.layers if any(k.startswith("device.") for k in layer.values)
        ]
        raise ConfigError(f"{layers[-1].place}{error}") from None
