"""Real shells complete our commands."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from project import Run, write

BASH = """\
source completion
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
compopt() { :; }
_neuronlint_completion neuronlint
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(autouse=True)
def in_project(run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts `neuronlint` on the path of an empty project, which has a folder with a blank."""
    write("rule book/a.py", "")
    program = write("bin/neuronlint", f'#!/bin/sh\nexec "{sys.executable}" -m neuronlint "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{Path('bin').absolute()}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(pack))


def shell(name: str, run: Run) -> str:
    """The shell, which may not be there, once our code for it lies in a file."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"there is no {name}")
    write("completion", run("generate-shell-completion", name).out)
    return found


WORDS = [
    ("neuronlint gen", ["generate-shell-completion"]),
    ("neuronlint rule", ["rule", "rules", "rule book"]),
    ("neuronlint --output-format js", ["json", "json-lines"]),
    ("neuronlint rule tst10", ["TST101", "TST102"]),
    ("neuronlint rule unsafe", ["unsafe-old"]),
    ("neuronlint config required", ["required-version"]),
    ("neuronlint --cache-dir r", ["rule book"]),
]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        *WORDS,
        ("neuronlint --output-format = js", ["json", "json-lines"]),  # as bash parts the words
        ("neuronlint --fail-on =", ["error", "warning", "info"]),
        ("neuronlint 'rule", ["rule", "rules", "rule book"]),
    ],
)
def test_bash_completes(run: Run, typed: str, offered: list[str]) -> None:
    bash = shell("bash", run)
    command = [bash, "--norc", "-c", BASH, "bash", *typed.split(" ")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.stdout.splitlines(), ran.stderr) == (offered, "")


@pytest.mark.parametrize(("typed", "offered"), WORDS)
def test_fish_completes(run: Run, typed: str, offered: list[str]) -> None:
    fish = shell("fish", run)
    code = f"source completion; complete -C '{typed}'"
    ran = subprocess.run([fish, "--no-config", "-c", code], capture_output=True, text=True)
    words = {line.split("\t")[0].rstrip("/") for line in ran.stdout.splitlines()}
    assert (words, ran.stderr) == (set(offered), "")


def test_zsh_completes(run: Run) -> None:
    zsh = shell("zsh", run)
    code = "zmodload zsh/zpty; zpty z zsh -f; zpty -w z 'autoload -U compinit; compinit -u -D'\n"
    code += "zpty -w z 'source completion'; zpty -w z $'neuronlint gen\\t'\n"
    code += "zpty -r z line '*generate-shell-completion*' && echo completed"
    ran = subprocess.run([zsh, "-f", "-c", code], capture_output=True, text=True, timeout=30)
    assert ran.stdout == "completed\n"
