"""What configuration files and dependencies say."""

from pathlib import Path

import pytest

from neuronlint import config
from neuronlint.config import Config, ConfigError


def put(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The root of a repository, with nothing in it."""
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.parametrize("name", [".neuronlint.toml", "neuronlint.toml"])
def test_settings_come_from_a_file_of_our_own(project: Path, name: str) -> None:
    put(project / name, 'select = ["NL1"]\nextend-exclude = ["old"]\ntorch = "2.9"\n')
    assert config.load([project]) == Config(
        select=("NL1",), extend_exclude=("old",), torch="2.9", folder=project
    )


def test_settings_come_from_pyproject(project: Path) -> None:
    put(project / "pyproject.toml", '[tool.neuronlint]\nignore = ["NL2"]\n')
    assert config.load([project]).ignore == ("NL2",)


def test_the_nearest_file_wins(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    put(project / "sub/pyproject.toml", '[tool.neuronlint]\nignore = ["NL2"]\n')
    loaded = config.load([project / "sub"])
    assert (loaded.select, loaded.ignore, loaded.folder) == ((), ("NL2",), project / "sub")


def test_a_pyproject_without_our_table_is_passed_over(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    put(project / "sub/pyproject.toml", "[tool.other]\n")
    assert config.load([project / "sub"]).select == ("NL1",)


def test_our_own_file_goes_before_pyproject(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    put(project / "pyproject.toml", '[tool.neuronlint]\nselect = ["NL2"]\n')
    assert config.load([project]).select == ("NL1",)


def test_the_search_starts_where_all_paths_meet(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    put(project / "a/neuronlint.toml", 'select = ["NL2"]\n')
    one, other = put(project / "a/x.py", ""), put(project / "b/y.py", "")
    assert config.load([one]).select == ("NL2",)
    assert config.load([one, other]).select == ("NL1",)


def test_a_file_that_is_named_is_read_alone(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    named = put(project / "ci/lint.toml", 'ignore = ["NL2"]\n')
    assert config.read(named, [project]) == Config(ignore=("NL2",), folder=project / "ci")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []\n", "unknown key 'selct'; did you mean 'select'?"),
        ("zzzz = 1\n", "unknown key 'zzzz'"),
        ("folder = 'x'\n", "unknown key 'folder'"),
        ('select = "NL1"\n', "select must be a list of strings"),
        ("exclude = [1]\n", "exclude must be a list of strings"),
        ("torch = 2.9\n", 'torch must be a string such as "2.9"'),
        ('torch = "new"\n', "torch 'new' is not a version; write for example 2.9"),
    ],
)
def test_a_wrong_setting_is_named(project: Path, text: str, message: str) -> None:
    file = put(project / "neuronlint.toml", text)
    with pytest.raises(ConfigError) as error:
        config.load([project])
    assert str(error.value) == f"{file}: {message}"


def test_a_file_that_is_not_toml_is_named_with_the_place(project: Path) -> None:
    file = put(project / "neuronlint.toml", 'select = ["NL1"]\nignore = what\n')
    with pytest.raises(ConfigError) as error:
        config.load([project])
    assert str(error.value) == f"{file}:2:10: not TOML: Invalid value"


def test_a_file_that_ends_too_early_is_named(project: Path) -> None:
    file = put(project / "neuronlint.toml", "select = [")
    with pytest.raises(ConfigError) as error:
        config.load([project])
    assert str(error.value).startswith(f"{file}: not TOML: ")


def test_a_file_that_is_not_text_is_named(project: Path) -> None:
    file = project / "neuronlint.toml"
    file.write_bytes(b"# \xff\n")
    with pytest.raises(ConfigError) as error:
        config.load([project])
    assert str(error.value) == f"{file}: not TOML: not UTF-8 at byte 2"


@pytest.mark.parametrize("text", ["tool = 1\n", "[tool]\nneuronlint = 1\n"])
def test_a_pyproject_of_the_wrong_shape_ends_in_no_traceback(project: Path, text: str) -> None:
    put(project / "pyproject.toml", text)
    if "neuronlint" not in text:
        assert config.load([project]).select == ()
        return
    with pytest.raises(ConfigError, match=r"\[tool\.neuronlint\] must be a table"):
        config.load([project])


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
    assert config.load([project]).torch == floor


def test_the_lowest_of_several_floors_counts(project: Path) -> None:
    put(
        project / "pyproject.toml",
        "[project]\ndependencies = [\"torch>=2.9; python_version>'3.9'\", 'torch>=2.4']\n",
    )
    assert config.load([project]).torch == "2.4"


def test_the_torch_floor_may_stand_in_requirements_files(project: Path) -> None:
    put(project / "requirements-dev.txt", "-r requirements.txt\npytest\n")
    put(project / "requirements.txt", "# torch>=1\n\ntorch==2.7.1 --hash=sha256:0  # pinned\n")
    assert config.load([project]).torch == "2.7"


def test_the_torch_floor_may_stand_among_the_extras(project: Path) -> None:
    put(project / "pyproject.toml", '[project.optional-dependencies]\ngpu = ["torch>=2.5"]\n')
    assert config.load([project]).torch == "2.5"


def test_dependencies_go_before_requirements_files(project: Path) -> None:
    put(project / "pyproject.toml", '[project]\ndependencies = ["torch>=2.8"]\n')
    put(project / "requirements.txt", "torch==2.3\n")
    assert config.load([project]).torch == "2.8"


def test_the_torch_setting_goes_before_dependencies(project: Path) -> None:
    put(
        project / "pyproject.toml",
        '[project]\ndependencies = ["torch>=2.8"]\n[tool.neuronlint]\ntorch = "2.6"\n',
    )
    assert config.load([project]).torch == "2.6"


def test_dependencies_are_looked_for_above_the_path(project: Path) -> None:
    put(project / "pyproject.toml", '[project]\ndependencies = ["torch>=2.8"]\n')
    put(project / "src/requirements-docs.txt", "sphinx\n")
    assert config.load([put(project / "src/pkg/a.py", "")]).torch == "2.8"


def test_dependencies_outside_the_repository_do_not_count(project: Path) -> None:
    put(project / "requirements.txt", "torch==2.3\n")
    (project / "inner/.git").mkdir(parents=True)
    assert config.load([project / "inner"]).torch == ""
