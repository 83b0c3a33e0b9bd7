"""A copy of what the package is built from, and what to do where nothing can be installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = (
    *("pyproject.toml", "README.md", "LICENSE", "action.yml", ".pre-commit-hooks.yaml"),
    *("neuronlint", "rules", "integrations"),
)


def copy(folder: Path) -> Path:
    """The folder, with the project in it as a checkout has it."""
    folder.mkdir(parents=True)
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)
    return folder


def skip_without_index(folder: Path, failed: subprocess.CompletedProcess[str]) -> None:
    """Skip where a failed installation has no index to blame it on, fail where it has."""
    download = ["download", "--quiet", "--no-deps", "--dest", str(folder / "index"), "click"]
    index = subprocess.run(
        [sys.executable, "-m", "pip", *download], capture_output=True, check=False
    )
    if index.returncode:
        pytest.skip("no package index can be reached, and an installation needs one")
    pytest.fail(failed.stdout + failed.stderr, pytrace=False)
