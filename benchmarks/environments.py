"""A virtual environment for each contestant, so that none decides what another gets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {
    "neuronlint": str(ROOT),
    "ruff": "ruff",
    "ast-grep": "ast-grep-cli",
    "flake8": "flake8",
    "fixit": "fixit",
    "torchfix": "torchfix",
}


def made(work: Path, name: str) -> Path:
    """The folder of an environment's programs; it is made if it is not there yet.

    neuronlint is installed anew each time, since it changes.
    """
    home = work / "environments" / name
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    is_new = not (home / "ready").exists()
    if is_new:
        venv.create(home, with_pip=True, clear=True)
    if is_new or name == "neuronlint":
        pip(programs / "python", "install", "--quiet", PACKAGES[name])
        (home / "ready").touch()
    return programs


def pip(python: Path | str, *words: str) -> str:
    """What pip prints."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def version(programs: Path, name: str) -> str:
    """The version of what an environment is for, with libcst's where it builds on that."""
    listed = json.loads(pip(programs / "python", "list", "--format", "json"))
    versions = {each["name"].lower(): each["version"] for each in listed}
    package = "neuronlint" if name == "neuronlint" else PACKAGES[name]
    libcst = f" (libcst {versions['libcst']})" if "libcst" in versions else ""
    return f"{name} {versions[package]}{libcst}"


def machine() -> str:
    """The machine in words."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    load = os.getloadavg()[0]
    system = f"{models[0] if models else 'unknown processor'}, {os.cpu_count()} processors"
    return f"{system}, CPython {sys.version.split()[0]}, load {load:.0f} at the start"
