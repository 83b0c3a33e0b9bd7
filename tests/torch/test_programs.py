"""CUDA-bound programs fail as they stand and run on a CPU and on `neuron` once they are fixed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[[Path], "subprocess.CompletedProcess[str]"]

CORPUS = Path(__file__).parent.parent / "programs"
PROGRAMS = sorted(path.stem for path in CORPUS.iterdir() if not path.name.startswith((".", "_")))

# They ask for an accelerator and stop without one: a port keeps that.
NEED_AN_ACCELERATOR = {"exit_without_gpu", "get_device_or_raise", "require_cuda"}


@pytest.fixture(scope="session")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the corpus, fixed."""
    folder = _copy(tmp_path_factory.mktemp("fixed"))
    _fix(folder)
    return folder


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_fails_as_it_stands(name: str, on_cpu: Run, tmp_path: Path) -> None:
    done = on_cpu(_main(_copy(tmp_path, name), name))
    assert done.returncode == 1, done.stdout
    assert "device:" not in done.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_runs_on_a_cpu_once_fixed(name: str, fixed: Path, on_cpu: Run) -> None:
    done = on_cpu(_main(fixed, name))
    if name in NEED_AN_ACCELERATOR:
        assert done.returncode == 1, _report(fixed, name, done.stdout)
    else:
        assert _device(done) == "cpu", _report(fixed, name, done.stdout)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_runs_on_neuron_once_fixed(name: str, fixed: Path, on_neuron: Run) -> None:
    done = on_neuron(_main(fixed, name))
    assert _device(done) == "neuron", _report(fixed, name, done.stdout)


def test_a_second_fix_changes_nothing(fixed: Path) -> None:
    before = _contents(fixed)
    assert before != _contents(CORPUS)
    _fix(fixed)
    assert _contents(fixed) == before


def _copy(folder: Path, name: str = "") -> Path:
    """The folder, with the corpus or one program of it copied there."""
    for path in CORPUS.glob("*"):
        if path.is_dir() and path.name in (name or path.name):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(path, folder / path.name, ignore=ignored)
        elif path.suffix == ".py" and path.stem in (name or path.stem):
            shutil.copy(path, folder)
    return folder


def _main(folder: Path, name: str) -> Path:
    """The file to run of a program: itself, or the train.py of its folder."""
    program = folder / name
    return program / "train.py" if program.is_dir() else program.with_suffix(".py")


def _fix(folder: Path) -> None:
    """Fix every file of the folder in place."""
    command = [sys.executable, "-m", "neuronlint", "--fix", "--unsafe-fixes", str(folder)]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, env=env, cwd=folder, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr


def _contents(folder: Path) -> dict[Path, bytes]:
    """The bytes of each Python file."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.py")}


def _device(done: subprocess.CompletedProcess[str]) -> str:
    """The device type that a program which ran to its end says it used."""
    lines = [line for line in done.stdout.splitlines() if line.startswith("device: ")]
    return lines[-1].removeprefix("device: ") if lines and done.returncode == 0 else ""


def _report(folder: Path, name: str, output: str) -> str:
    """What a failure shows: the program as it was fixed, and what it printed."""
    return f"{_main(folder, name).read_text()}\n--- output\n{output}"
