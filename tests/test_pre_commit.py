"""The hooks, run by pre-commit itself from a repository with this project in it."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from checkout import ROOT, copy, skip_without_index

from neuronlint.files import DEFAULT_INCLUDE, Patterns

CUDA = "import torch\n\nmodel = torch.nn.Linear(2, 2).cuda()\n"
PORTABLE = "import torch\n\nmodel = torch.nn.Linear(2, 2)\n"
CONFIG = """\
repos:
  - repo: {hooks}
    rev: v0.1.0
    hooks:
      - id: neuronlint
      - id: neuronlint-fix
      - id: neuronlint-project
"""
Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Project:
    """A git repository with the hooks set up."""

    folder: Path
    home: Path

    def add(self, name: str, text: str) -> Path:
        """A file with that text, as git is about to commit it."""
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        git(self.folder, "add", name)
        return file

    def pre_commit(self, *args: str) -> Done:
        environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", *args, "--color=never"],
            cwd=self.folder,
            env={**environment, "PRE_COMMIT_HOME": str(self.home)},
            capture_output=True,
            text=True,
            check=False,
        )


def git(folder: Path, *args: str) -> None:
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=no")
    subprocess.run(["git", *who, *args], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose hooks are installed."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed; the extra test has it")
    folder = tmp_path_factory.mktemp("pre-commit")
    hooks = copy(folder / "hooks")
    git(hooks, "init", "--quiet")
    git(hooks, "add", "--all")
    git(hooks, "commit", "--quiet", "--message", "all")
    git(hooks, "tag", "v0.1.0")
    project = Project(folder / "project", folder / "home")
    project.folder.mkdir()
    git(project.folder, "init", "--quiet")
    project.add(".pre-commit-config.yaml", CONFIG.format(hooks=hooks))
    done = project.pre_commit("install-hooks")
    if done.returncode:
        skip_without_index(folder, done)
    return project


@pytest.fixture
def project(installed: Project) -> Project:
    """The project, with nothing but the hooks in it."""
    git(installed.folder, "rm", "-rfq", "--ignore-unmatch", "*.py", "*.toml", "*requirements*")
    return installed


def test_neuronlint_reports_and_changes_nothing(project: Project) -> None:
    file = project.add("train.py", CUDA)
    done = project.pre_commit("run", "neuronlint")
    assert done.returncode == 1
    assert "- exit code: 1" in done.stdout
    assert "train.py:3:31: error NL101" in done.stdout
    assert file.read_text() == CUDA


def test_neuronlint_passes_portable_code(project: Project) -> None:
    project.add("train.py", PORTABLE)
    done = project.pre_commit("run", "--all-files")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Passed") == 2


def test_neuronlint_fix_changes_the_file_and_fails_once(project: Project) -> None:
    file = project.add("train.py", CUDA)
    done = project.pre_commit("run", "neuronlint-fix")
    assert done.returncode == 1
    assert "- files were modified by this hook" in done.stdout
    assert ".to(DEVICE)" in file.read_text()
    git(project.folder, "add", "train.py")
    assert project.pre_commit("run", "neuronlint-fix").returncode == 0


def test_neuronlint_fix_fails_where_a_finding_is_left(project: Project) -> None:
    text = "import torch\n\nprint(torch.zeros(2).is_cuda)\n"
    file = project.add("train.py", text)
    done = project.pre_commit("run", "neuronlint-fix")
    assert (done.returncode, "NL106" in done.stdout) == (1, True)
    assert file.read_text() == text


def test_excluded_files_are_left_out_though_they_are_named(project: Project) -> None:
    project.add("neuronlint.toml", 'extend-exclude = ["old/"]\n')
    file = project.add("old/train.py", CUDA)
    done = project.pre_commit("run", "--all-files")
    assert done.returncode == 0, done.stdout
    assert file.read_text() == CUDA


def test_what_is_no_python_is_not_looked_at(project: Project) -> None:
    project.add("notes.txt", CUDA)
    assert project.pre_commit("run").stdout.count("Skipped") == 3


def test_what_else_ties_a_project_to_cuda_has_a_hook_of_its_own(project: Project) -> None:
    project.add("ci/requirements.txt", "nvidia-dali-cuda120\n")
    assert project.pre_commit("run").stdout.count("Skipped") == 3
    project.add("requirements.txt", "torch\nnvidia-dali-cuda120\n")
    done = project.pre_commit("run")
    assert (done.returncode, done.stdout.count("Skipped")) == (1, 2)
    assert "requirements.txt:2:1: " in done.stdout


NAMES = [
    *("requirements.txt", "a/requirements-dev.in", "requirements/gpu.txt", "docs/notes.txt"),
    *(
        "constraints.txt",
        "pyproject.toml",
        "a/other.toml",
        "setup.cfg",
        "other.cfg",
        "a/Dockerfile",
    ),
    *("Dockerfile.gpu", "gpu.dockerfile", "gpu.Dockerfile", "Containerfile", "my-Dockerfile"),
    *("run.sh", "a/b/run.bash", "job.slurm", "job.sbatch", "run.zsh", "a.yaml", "a.yml", "a.json"),
    *(".github/workflows/a.yml", "a/.hidden/b.sh", ".a.yml", ".a.json", "ci/run.sh", "a/ci/b.yaml"),
    *("azure-pipelines.yml", "package-lock.json", "pnpm-lock.yaml", "tests/a.json", "a/test/b.yml"),
    *("tests/run.sh", "testdata/x/a.yaml", "fixtures/a.json", "latest/a.json", "civil/a.yaml"),
]


@pytest.mark.parametrize("name", NAMES)
def test_that_hook_looks_at_what_is_looked_at_in_a_folder(name: str) -> None:
    (hook,) = (
        hook
        for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        if hook["id"] == "neuronlint-project"
    )
    looks = bool(re.search(hook["files"], name)) and not re.search(hook["exclude"], name)
    verdict = Patterns.of(Path(), DEFAULT_INCLUDE).verdict(Path(name), is_folder=False)
    assert looks == bool(verdict)
