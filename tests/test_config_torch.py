"""The oldest torch that a project supports, by its configuration and its dependencies."""

import re
from pathlib import Path

import pytest

from neuronlint.config import ConfigError
from neuronlint.projects import Projects


def put(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def torch(folder: Path) -> str:
    return Projects().torch(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The root of a repository, with nothing in it."""
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("requirement", "floor"),
    [
        ("torch>=2.9", "2.9"),
        ("torch >= 2.9.1, <3", "2.9"),
        ("torch~=2.7", "2.7"),
        ("torch==2.8.*", "2.8"),
        ("torch==2.8.0+cu126", "2.8"),
        ("Torch>2.6", "2.6"),
        ("torch>=2.4,!=2.5,>=2.6", "2.6"),
        ("torch[opt-einsum]>=2.5", "2.5"),
        ("torch>=2.7; python_version >= '3.10'", "2.7"),
        ("torch", ""),
        ("torch<3", ""),
        ("torchvision>=0.20", ""),
        ("torch @ https://example.org/torch.whl", ""),
        ("torch >= what", ""),
    ],
)
def test_the_torch_floor_is_what_a_dependency_allows(
    project: Path, requirement: str, floor: str
) -> None:
    put(project / "pyproject.toml", f'[project]\ndependencies = ["numpy", "{requirement}"]\n')
    assert torch(project) == floor


def test_the_lowest_of_several_floors_counts(project: Path) -> None:
    put(
        project / "pyproject.toml",
        "[project]\ndependencies = [\"torch>=2.9; python_version>'3.9'\", 'torch>=2.4']\n",
    )
    assert torch(project) == "2.4"


def test_the_torch_floor_may_stand_in_requirements_files(project: Path) -> None:
    put(project / "requirements-dev.txt", "-r requirements.txt\npytest\n")
    put(project / "requirements.txt", "# torch>=1\n\ntorch==2.7.1 --hash=sha256:0  # pinned\n")
    assert torch(project) == "2.7"


def test_the_torch_floor_may_stand_among_the_extras(project: Path) -> None:
    put(project / "pyproject.toml", '[project.optional-dependencies]\ngpu = ["torch>=2.5"]\n')
    assert torch(project) == "2.5"


def test_dependencies_go_before_requirements_files(project: Path) -> None:
    put(project / "pyproject.toml", '[project]\ndependencies = ["torch>=2.8"]\n')
    put(project / "requirements.txt", "torch==2.3\n")
    assert torch(project) == "2.8"


def test_the_torch_setting_goes_before_dependencies(project: Path) -> None:
    put(
        project / "pyproject.toml",
        '[project]\ndependencies = ["torch>=2.8"]\n[tool.neuronlint]\ntorch = "2.6"\n',
    )
    assert torch(project) == "2.6"


def test_dependencies_are_looked_for_above_the_path(project: Path) -> None:
    put(project / "pyproject.toml", '[project]\ndependencies = ["torch>=2.8"]\n')
    put(project / "src/requirements-docs.txt", "sphinx\n")
    assert torch(project / "src/pkg") == "2.8"


def test_dependencies_outside_the_repository_do_not_count(project: Path) -> None:
    put(project / "requirements.txt", "torch==2.3\n")
    (project / "inner/.git").mkdir(parents=True)
    assert torch(project / "inner") == ""


def test_dependencies_nearer_to_a_file_go_first(project: Path) -> None:
    put(project / "requirements.txt", "torch>=2.3\n")
    put(project / "examples/one/requirements.txt", "torch>=2.9\n")
    projects = Projects()
    folders = [project / "examples/one", project / "examples", project]
    assert [projects.torch(folder) for folder in folders] == ["2.9", "2.3", "2.3"]


def test_dependencies_do_not_count_where_nothing_is_read(project: Path) -> None:
    put(project / "requirements.txt", "torch>=2.3\n")
    assert Projects(isolated=True).torch(project) == ""


def test_a_pyproject_that_is_not_toml_is_named(project: Path) -> None:
    file = put(project / "pyproject.toml", "[project\n")
    with pytest.raises(ConfigError, match=re.escape(f"{file}:1:9: not TOML: ")):
        torch(project)


@pytest.mark.parametrize(
    ("told", "floor"),
    [
        ('"^2.4"', "2.4"),
        ('"~2.4"', "2.4"),
        ('">=2.4,<3"', "2.4"),
        ('"2.5.1"', "2.5"),
        ('"*"', ""),
        ('{ version = "^2.6", source = "pytorch" }', "2.6"),
        ('[{ version = "^2.6", python = "<3.9" }, { version = "2.4" }]', "2.4"),
        ('{ git = "https://example.org/torch" }', ""),
        ("3", ""),
    ],
)
def test_the_torch_floor_may_be_told_to_poetry(project: Path, told: str, floor: str) -> None:
    put(project / "pyproject.toml", f"[tool.poetry.dependencies]\ntorch = {told}\n")
    assert torch(project) == floor


def test_the_torch_floor_may_stand_in_a_group(project: Path) -> None:
    put(
        project / "pyproject.toml",
        '[dependency-groups]\ntest = ["torch>=2.4", {include-group = "x"}]\n',
    )
    assert torch(project) == "2.4"
    put(project / "pyproject.toml", '[tool.poetry.group.gpu.dependencies]\ntorch = "^2.5"\n')
    assert torch(project) == "2.5"


def test_the_torch_floor_may_stand_in_a_setup_cfg(project: Path) -> None:
    file = put(project / "setup.cfg", "[options]\ninstall_requires =\n    numpy\n    torch>=2.4\n")
    assert torch(project) == "2.4"
    put(file, "[options.extras_require]\ngpu =\n    torch>=2.5\n")
    assert torch(project) == "2.5"
    put(file, "not a configuration %(x)s\n")
    assert torch(project) == ""


@pytest.mark.parametrize(
    ("line", "floor"),
    [
        ("- pytorch=2.4", "2.4"),
        ("- pytorch=2.4.1=*cuda*", "2.4"),
        ("- pytorch>=2.4,<3  # here", "2.4"),
        ("- conda-forge::pytorch-gpu>=2.5", "2.5"),
        ("- pip:\n    - torch==2.6.0", "2.6"),
        ("- 'pytorch >=2.4'", "2.4"),
        ("- pytorch 2.4.* cuda*", "2.4"),
        ("- pytorch", ""),
        ("- pytorch-lightning>=2.0", ""),
    ],
)
def test_the_torch_floor_may_stand_in_condas_environment(
    project: Path, line: str, floor: str
) -> None:
    put(project / "environment.yml", f"dependencies:\n  {line}\n")
    assert torch(project) == floor


def test_requirements_may_have_a_folder(project: Path) -> None:
    put(project / "requirements/base.txt", "torch>=2.4\n")
    assert torch(project) == "2.4"


def test_what_is_too_new_does_not_count(project: Path) -> None:
    put(project / "requirements.txt", "torch<2.3\n")
    assert torch(project) == ""
