"""What configuration files and dependencies say."""

from pathlib import Path

import pytest

from neuronlint import config
from neuronlint.config import Config, ConfigError
from neuronlint.keys import KEYS
from neuronlint.projects import Projects


def put(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def load(folder: Path) -> Config:
    return Projects().config(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The root of a repository, with nothing in it."""
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.parametrize("name", [".neuronlint.toml", "neuronlint.toml"])
def test_settings_come_from_a_file_of_our_own(project: Path, name: str) -> None:
    put(project / name, 'select = ["NL1"]\nextend-exclude = ["old"]\ntorch = "2.9"\n')
    (layer,) = load(project).layers
    assert layer.values == {"select": ("NL1",), "extend-exclude": ("old",), "torch": "2.9"}
    assert (layer.folder, layer.file) == (project, project / name)


def test_settings_come_from_pyproject(project: Path) -> None:
    put(project / "pyproject.toml", '[tool.neuronlint]\nignore = ["NL2"]\n')
    assert load(project).value("ignore") == ("NL2",)


def test_the_nearest_file_wins(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    put(project / "sub/pyproject.toml", '[tool.neuronlint]\nignore = ["NL2"]\n')
    (layer,) = load(project / "sub").layers
    assert (layer.values, layer.folder) == ({"ignore": ("NL2",)}, project / "sub")


def test_a_pyproject_without_our_table_is_passed_over(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    put(project / "sub/pyproject.toml", "[tool.other]\n")
    assert load(project / "sub").value("select") == ("NL1",)


def test_our_own_file_goes_before_pyproject(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    put(project / "pyproject.toml", '[tool.neuronlint]\nselect = ["NL2"]\n')
    assert load(project).value("select") == ("NL1",)


def test_a_file_that_is_named_holds_everywhere(project: Path) -> None:
    put(project / "neuronlint.toml", 'select = ["NL1"]\n')
    named = put(project / "ci/lint.toml", 'ignore = ["NL2"]\n')
    (layer,) = Projects(file=named).config(project).layers
    assert layer.values == {"ignore": ("NL2",)}


def test_a_key_that_is_not_set_has_its_default(project: Path) -> None:
    assert load(project).value("fail-on") == "info"


def test_a_file_that_is_extended_holds_where_nothing_is_said(project: Path) -> None:
    put(project / "base.toml", 'torch = "2.9"\nfail-on = "error"\n')
    put(project / "sub/neuronlint.toml", 'extend = "../base.toml"\nfail-on = "warning"\n')
    loaded = load(project / "sub")
    assert (loaded.value("torch"), loaded.value("fail-on")) == ("2.9", "warning")


def test_a_file_that_is_extended_may_be_a_pyproject(project: Path) -> None:
    put(project / "pyproject.toml", '[tool.neuronlint]\ntorch = "2.9"\n')
    put(project / "sub/neuronlint.toml", 'extend = "../pyproject.toml"\n')
    assert load(project / "sub").value("torch") == "2.9"


def test_globs_of_a_file_that_is_extended_count_from_it(project: Path) -> None:
    put(project / "base.toml", 'extend-exclude = ["gen"]\n')
    put(project / "sub/neuronlint.toml", 'extend = "../base.toml"\n')
    assert [layer.folder for layer, _ in load(project / "sub").more("exclude")] == [project]


def test_what_is_extended_adds_up(project: Path) -> None:
    put(project / "base.toml", 'extend-exclude = ["one"]\n')
    put(project / "neuronlint.toml", 'extend = "base.toml"\nextend-exclude = ["two"]\n')
    assert [globs for _, globs in load(project).more("exclude")] == [("one",), ("two",)]


def test_files_that_extend_each_other_are_named(project: Path) -> None:
    one = put(project / "one.toml", 'extend = "neuronlint.toml"\n')
    file = put(project / "neuronlint.toml", 'extend = "one.toml"\n')
    with pytest.raises(ConfigError) as error:
        load(project)
    assert str(error.value) == f"{file}: extends itself: {file} -> {one} -> {file}"


def test_a_file_to_extend_that_is_not_there_is_named(project: Path) -> None:
    file = put(project / "neuronlint.toml", 'extend = "no.toml"\n')
    with pytest.raises(ConfigError) as error:
        load(project)
    assert str(error.value) == f"{file}: extend: there is no file '{project / 'no.toml'}'"


def test_the_command_line_goes_before_files(project: Path) -> None:
    put(project / "neuronlint.toml", 'torch = "2.9"\nfail-on = "error"\n')
    over = [config.inline('fail-on = "warning"'), config.given({"torch": "2.6"})]
    loaded = Projects(over).config(project)
    assert (loaded.value("torch"), loaded.value("fail-on")) == ("2.6", "warning")


def test_the_examples_of_the_keys_are_right() -> None:
    for key in KEYS.values():
        assert key.name in config.inline(key.example).values, key.name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []\n", "unknown key 'selct'; did you mean 'select'?"),
        ("zzzz = 1\n", "unknown key 'zzzz'"),
        ("folder = 'x'\n", "unknown key 'folder'"),
        ('select = "NL1"\n', "select must be a list of strings"),
        ("exclude = [1]\n", "exclude must be a list of strings"),
        ("fix = 1\n", "fix must be true or false"),
        ("per-file-ignores = []\n", "per-file-ignores must be a table of lists of strings"),
        ("severity = { NL1 = 1 }\n", "severity must be a table of strings"),
        (
            "[gates]\ndecorator = []\n",
            "unknown key 'gates.decorator'; did you mean 'gates.decorators'?",
        ),
        ("gates = 1\n", "gates must be a table"),
        ("extend_select = []\n", "unknown key 'extend_select'; did you mean 'extend-select'?"),
        (
            'fail-on = "eror"\n',
            "fail-on must be one of 'error', 'warning', 'info', not 'eror'; did you mean 'error'?",
        ),
        ("torch = 2.9\n", 'torch must be a string such as "2.9"'),
        ('torch = "new"\n', "torch 'new' is not a version; write for example 2.9"),
    ],
)
def test_a_wrong_setting_is_named(project: Path, text: str, message: str) -> None:
    file = put(project / "neuronlint.toml", text)
    with pytest.raises(ConfigError) as error:
        load(project)
    assert str(error.value) == f"{file}: {message}"


def test_a_file_that_is_not_toml_is_named_with_the_place(project: Path) -> None:
    file = put(project / "neuronlint.toml", 'select = ["NL1"]\nignore = what\n')
    with pytest.raises(ConfigError) as error:
        load(project)
    assert str(error.value) == f"{file}:2:10: not TOML: Invalid value"


def test_a_file_that_ends_too_early_is_named(project: Path) -> None:
    file = put(project / "neuronlint.toml", "select = [")
    with pytest.raises(ConfigError) as error:
        load(project)
    assert str(error.value).startswith(f"{file}: not TOML: ")


def test_a_file_that_is_not_text_is_named(project: Path) -> None:
    file = project / "neuronlint.toml"
    file.write_bytes(b"# \xff\n")
    with pytest.raises(ConfigError) as error:
        load(project)
    assert str(error.value) == f"{file}: not TOML: not UTF-8 at byte 2"


@pytest.mark.parametrize("text", ["tool = 1\n", "[tool]\nneuronlint = 1\n"])
def test_a_pyproject_of_the_wrong_shape_ends_in_no_traceback(project: Path, text: str) -> None:
    put(project / "pyproject.toml", text)
    if "neuronlint" not in text:
        assert load(project).layers == ()
        return
    with pytest.raises(ConfigError, match=r"\[tool\.neuronlint\] must be a table"):
        load(project)
