"""neuronlint as a plugin of flake8: the findings of the file that flake8 is at."""

from __future__ import annotations

import re
from argparse import Namespace
from ast import AST
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from neuronlint import engine, registry
from neuronlint.plans import Plans
from neuronlint.projects import Projects
from neuronlint.report import told
from neuronlint.runner import Plan
from neuronlint.texts import encoded

_NOQA = re.compile(r"(#\s*)noqa\b", re.IGNORECASE)


class Plugin:
    """The findings of one file, as flake8 asks for them; `# noqa` is its own business."""

    name = "neuronlint"
    version = version("neuronlint")
    disable_noqa = False

    def __init__(self, tree: AST, filename: str, lines: Sequence[str]) -> None:
        self._path = Path(filename)
        self._text = "".join(lines)

    @classmethod
    def parse_options(cls, options: Namespace) -> None:
        """Take over what flake8 was asked for."""
        cls.disable_noqa = options.disable_noqa

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """The line, the column from 0, and the message of each finding."""
        projects, plans = _configured()
        path = self._path.absolute()
        if projects.filter(path.parent).excludes_within(path):
            return
        plan = plans.of(self._path)
        text = _NOQA.sub(r"\1----", self._text) if self.disable_noqa else self._text
        for finding in engine.check(encoded(text), self._path, plan.rules, plan.settings):
            said = f"{finding.code} {told(finding)}"
            yield finding.line, finding.column - 1, said, type(self)


@cache
def _configured() -> tuple[Projects, Plans]:
    projects = Projects()
    return projects, Plans(projects, registry.installed(), Plan(()))
