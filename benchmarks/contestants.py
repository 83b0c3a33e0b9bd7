"""How each contestant is asked for something comparable, on one processor."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import environments
from measuring import Contestant

HERE = Path(__file__).resolve().parent
_PYTHON_ONLY = ("--include=*.py",)
_AST_GREP = """\
id: cuda
language: python
rule:
  any:
    - pattern: $X.cuda($$$)
    - pattern: torch.cuda.$F
"""
_CHANGED = b"# changed\n"
_BANNED = 'lint.flake8-tidy-imports.banned-api."torch.cuda".msg = "CUDA only"'


class Field:
    """The contestants that are asked for, each with its environment."""

    def __init__(self, work: Path, names: list[str]) -> None:
        self.work = work
        self.names = names
        self.programs = {
            name: environments.made(work, name)
            for name in ["neuronlint", *names]
            if name in environments.PACKAGES
        }

    def versions(self) -> list[str]:
        """The versions of all."""
        return [environments.version(where, name) for name, where in self.programs.items()]

    def neuronlint(self, name: str, folder: Path, *words: str, **given: object) -> Contestant:
        """neuronlint with all rules, whatever is configured elsewhere."""
        usual = ("check", "--isolated", "--exit-zero", "--quiet", *(words or ("-j1",)), ".")
        cache = self.work / "caches" / "neuronlint" / folder.name
        command = [self.programs["neuronlint"] / "neuronlint", *usual, "--cache-dir", cache]
        return Contestant(f"neuronlint, {name}", command, folder, **given)  # type: ignore[arg-type]

    def forget(self, folder: Path) -> None:
        """Throw neuronlint's cache of a folder away."""
        shutil.rmtree(self.work / "caches" / "neuronlint" / folder.name, ignore_errors=True)

    def ourselves(self, folder: Path, elsewhere: Path) -> Iterator[Contestant]:
        """neuronlint in all states of its cache; the warm ones are those that follow."""
        cold = {"before": lambda: (_restore(folder), self.forget(folder))}
        yield self.neuronlint("2 processes, cold", folder, "-j2", processors=2, **cold)
        yield self.neuronlint("cold", folder, **cold)
        yield self.neuronlint("warm", folder)
        yield self.neuronlint("one file changed", folder, before=lambda: _touch(folder))
        yield self.neuronlint("another checkout's cache", elsewhere, before=lambda: _age(elsewhere))

    def others(self, folder: Path) -> Iterator[Contestant]:
        """Those that can be asked about a whole repository."""
        if "parse" in self.names:
            script = [self.programs["neuronlint"] / "python", HERE / "bare_parse.py", "."]
            yield Contestant("libcst's bare parse of the files that mention CUDA", script, folder)
        if "grep" in self.names:
            command = ["grep", "-rnE", *_PYTHON_ONLY, r"\.cuda\(|torch\.cuda", "."]
            yield Contestant("grep -rnE", command, folder, statuses=(0, 1))
        if "rg" in self.names:
            command = ["rg", "-j1", "-n", "-tpy", r"\.cuda\(|torch\.cuda", "."]
            yield Contestant("ripgrep", command, folder, statuses=(0, 1))
        if "ruff" in self.names:
            yield from self._ruff(folder)
        if "ast-grep" in self.names:
            rule = self.work / "ast-grep.yml"
            rule.write_text(_AST_GREP)
            command = [self.programs["ast-grep"] / "ast-grep", "scan", "-j1", "--rule", rule, "."]
            yield Contestant("ast-grep, two patterns", command, folder, statuses=(0, 1))

    def _ruff(self, folder: Path) -> Iterator[Contestant]:
        cache = self.work / "caches" / "ruff" / folder.name
        words = ("check", "--isolated", "--quiet", "--exit-zero", "--select", "TID251")
        command = [self.programs["ruff"] / "ruff", *words, "--config", _BANNED]
        command += ["--cache-dir", cache, "."]
        alone = {"RAYON_NUM_THREADS": "1"}
        yield Contestant(
            *("ruff, one rule, cold", command, folder, alone),
            before=lambda: shutil.rmtree(cache, ignore_errors=True),
        )
        yield Contestant("ruff, one rule, warm", command, folder, alone)

    def slow(self, folder: Path) -> Iterator[Contestant]:
        """Those that can be asked about a few files only."""
        where = self.programs
        if "flake8" in where:
            command = [where["flake8"] / "flake8", "-j1", "--isolated", "--select", "F", "."]
            yield Contestant("flake8, pyflakes only", command, folder, statuses=(0, 1))
        if "fixit" in where:
            rule = "fixit.rules.use_fstring:UseFstring"
            command = [where["fixit"] / "fixit", "--rules", rule, "lint", "."]
            yield Contestant("Fixit, one rule", command, folder, statuses=(0, 1))
        if "torchfix" in where:
            command = [where["torchfix"] / "torchfix", "--select", "ALL", "."]
            yield Contestant("TorchFix, all rules", command, folder, statuses=(0, 1))


def _touch(folder: Path) -> None:
    """Change one file that has to be parsed."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes()
        if b"torch.cuda." in text:
            path.write_bytes(text + _CHANGED)
            return


def _restore(folder: Path) -> None:
    """Take the change back, so that the other checkout holds nothing new."""
    for path in folder.rglob("*.py"):
        text = path.read_bytes()
        while text.endswith(_CHANGED):
            text = text.removesuffix(_CHANGED)
            path.write_bytes(text)


def _age(folder: Path) -> None:
    """Make every file as new as in a checkout that has just been made."""
    for path in folder.rglob("*.py"):
        path.touch()
