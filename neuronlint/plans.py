"""What is to be done with each file: the plan that its project makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from neuronlint import operator_file, own, profiles, selection
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

_World = tuple[Path | None, str, frozenset[str]]  # configuration, torch, own packages


class Plans:
    """The plans of a run by file; files that are to be treated alike share one.

    The rules of `base` run on every file, whatever a project chooses.
    """

    def __init__(self, projects: Projects, installed: Sequence[Rule], base: Plan) -> None:
        self._projects = projects
        self._installed = installed
        self._base = base
        self._chosen: dict[Path | None, tuple[Rule, ...]] = {}
        self._settings: dict[_World, Settings] = {}
        self._own: dict[Path, frozenset[str]] = {}
        self._plans: dict[tuple[_World, frozenset[str], bool], Plan] = {}

    def of(self, path: Path) -> Plan:
        """The plan for a file; raises ConfigError where its configuration cannot be used."""
        folder = path.absolute().parent
        config, torch = self._projects.config(folder), self._projects.torch(folder)
        packages = self._packages(folder)
        chosen = self.chosen(config)
        ignored = selection.ignored(config, chosen, path)
        is_python = format_of(path) is None
        key = ((config.file, torch, packages), ignored, is_python)
        if key not in self._plans:
            settings = self._settings_of(config, torch, packages)
            rules = [
                rule
                for rule in chosen
                if rule.code not in ignored
                and (rule is UNUSED or rule.project != is_python)
                and _runs(rule, settings)
            ]
            rules += self._base.rules if is_python else ()
            self._plans[key] = replace(self._base, rules=rules, settings=settings)
        return self._plans[key]

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
        return frozenset().union(*(settings.words for settings in self._settings.values()))

    def is_forced(self, folder: Path) -> bool:
        """Whether even a file of a folder that is named may be left out."""
        return bool(self._projects.config(folder).value("force-exclude"))

    def _settings_of(self, config: Config, torch: str, packages: frozenset[str]) -> Settings:
        key = (config.file, torch, packages)
        if key not in self._settings:
            self._settings[key] = Settings(
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
        return self._settings[key]

    def _packages(self, folder: Path) -> frozenset[str]:
        """The repository's own packages that a rule may ask about; the rest would part plans."""
        if folder not in self._own:
            names = self._projects.packages(folder)
            words = _roots(tuple(self._installed))
            asked = (name for name in names if any(word in name for word in words))
            self._own[folder] = frozenset(asked)
        return self._own[folder]

    def _overrides(self, config: Config) -> tuple[Override, ...]:
        return selection.overrides(config, self.chosen(config))


@cache
def _roots(rules: tuple[Rule, ...]) -> frozenset[str]:
    """Words of which the name of a package that rules look for has one: `fla`, of `from fla`."""
    words = (word.split()[-1].partition(".")[0] for rule in rules for word in rule.triggers)
    return frozenset(word for word in words if word)


def _runs(rule: Rule, settings: Settings) -> bool:
    """Whether a rule may find anything with these settings."""
    return not rule.needs or bool(getattr(settings, rule.needs))


def _operators(config: Config) -> Operators | None:
    """What the file that a project names lists, None where it names none."""
    layer = config.setter("operators")
    if layer is None or not layer.values["operators"]:
        return None
    try:
        return operator_file.read(layer.folder / Path(layer.values["operators"]).expanduser())
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
