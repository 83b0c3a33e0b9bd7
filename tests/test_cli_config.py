"""Configuration as users give it: files, and options of the command line over them."""

from pathlib import Path

import pytest
from project import Ran, Run, codes, write


def test_configured_excludes_count_from_their_file(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\nextend-exclude = ["sub/a.py"]\n')
    write("sub/a.py", "safe_old\n")
    write("sub/b.py", "unsafe_old\n")
    assert codes(run("sub")) == ["TST102"]


def test_excludes_of_the_command_line_count_from_the_current_folder(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("sub/deep/a.py", "safe_old\n")
    write("sub/b.py", "unsafe_old\n")
    write("build/c.py", "shown_old\n")
    assert codes(run("--extend-exclude", "sub/deep")) == ["TST102"]
    assert codes(run("--extend-exclude", "./sub/deep/")) == ["TST102"]
    assert codes(run("--exclude", "deep,sub/b.py")) == ["TST201"]
    monkeypatch.chdir("sub")
    assert codes(run("--extend-exclude", "deep/*.py")) == ["TST102"]


def test_a_named_file_is_checked_unless_excluding_is_forced(run: Run) -> None:
    write("build/a.py", "safe_old\n")
    assert codes(run("build/a.py")) == ["TST101"]
    assert run("--force-exclude", "build/a.py").status == 0


def test_config_names_the_file_to_read(run: Run) -> None:
    write("ci/lint.toml", 'select = ["TST2"]\n')
    write("a.py", "safe_old\nshown_old\n")
    assert codes(run("--config", "ci/lint.toml")) == ["TST201"]


def test_isolated_reads_no_file(run: Run) -> None:
    Path("neuronlint.toml").write_text("not = toml = at all\n")
    write("a.py", "safe_old\n")
    assert codes(run("--isolated", "--select", "TST")) == ["TST101"]


def test_each_file_has_the_nearest_configuration(run: Run) -> None:
    write("inner/neuronlint.toml", 'select = ["TST102"]\n')
    write("inner/a.py", "safe_old\nunsafe_old\n")
    write("b.py", "safe_old\nshown_old\n")
    assert codes(run()) == ["TST101", "TST201", "TST102"]


def test_a_file_outside_every_project_has_the_current_folders_configuration(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("project/neuronlint.toml", 'select = ["TST102"]\n')
    Path("neuronlint.toml").unlink()
    write("other/a.py", "safe_old\nunsafe_old\n")
    monkeypatch.chdir("project")
    assert [line[2] for line in map(str.split, run("../other").out.splitlines()[:1])] == ["TST102"]


def test_a_configuration_extends_another(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST1"]\nignore = ["TST102"]\n')
    write("inner/neuronlint.toml", 'extend = "../neuronlint.toml"\nextend-select = ["TST2"]\n')
    write("inner/a.py", "safe_old\nunsafe_old\nshown_old\n")
    assert codes(run()) == ["TST101", "TST201"]


def test_a_nearer_configuration_leaves_out_more(run: Run) -> None:
    write("inner/neuronlint.toml", 'extend = "../neuronlint.toml"\nextend-exclude = ["gen"]\n')
    write("inner/gen/a.py", "safe_old\n")
    write("gen/b.py", "unsafe_old\n")
    assert codes(run()) == ["TST102"]


def test_config_sets_one_key(run: Run) -> None:
    write("a.py", "safe_old\nshown_old\n")
    assert codes(run("--config", 'ignore = ["TST101"]')) == ["TST201"]


def test_an_option_goes_before_a_key_that_config_sets(run: Run) -> None:
    write("a.py", "safe_old\nshown_old\n")
    assert codes(run("--config", 'select=["TST201"]', "--select", "TST101")) == ["TST101"]


def test_config_takes_a_file_and_keys(run: Run) -> None:
    write("ci/lint.toml", 'select = ["TST"]\n')
    write("a.py", "safe_old\nshown_old\n")
    assert codes(run("--config", "ci/lint.toml", "--config", 'ignore=["TST2"]')) == ["TST101"]


def test_globs_in_a_file_that_is_named_count_from_the_current_folder(run: Run) -> None:
    write("ci/lint.toml", 'select = ["TST"]\nexclude = ["/src"]\n')
    write("src/a.py", "safe_old\n")
    assert run("--config", "ci/lint.toml").status == 0


def test_config_may_come_from_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("some where/lint.toml", 'select = ["TST2"]\n')
    write("a.py", "safe_old\nshown_old\n")
    monkeypatch.setenv("NEURONLINT_CONFIG", "some where/lint.toml")
    assert codes(run()) == ["TST201"]


def test_isolated_takes_keys_of_the_command_line(run: Run) -> None:
    write("a.py", "safe_old\nshown_old\n")
    assert codes(run("--isolated", "--config", 'select=["TST2"]')) == ["TST201"]


def test_show_files_lists_what_would_be_checked(run: Run, tmp_path: Path) -> None:
    write("b.py", "safe_old\n")
    write("a.py", "")
    write("build/c.py", "")
    assert run("--show-files") == Ran(0, f"{tmp_path}/a.py\n{tmp_path}/b.py\n", "")


def test_show_settings_is_a_configuration_of_the_first_file(run: Run, tmp_path: Path) -> None:
    write("a.py", "")
    out = run("--show-settings", "--ignore", "TST102", "--torch", "2.9").out
    assert out.startswith(
        f"# The settings for {tmp_path}/a.py\n# from {tmp_path}/neuronlint.toml\n"
    )
    assert out.endswith("# The rules that run on it: TST101, TST201\n")
    assert write("shown/neuronlint.toml", out)
    assert codes(run("--config", "shown/neuronlint.toml")) == []
    assert 'torch = "2.9"\n' in out


def test_git_ignored_files_may_be_asked_for(run: Run) -> None:
    write(".gitignore", "a.py\n")
    write("a.py", "safe_old\n")
    assert run("-q").status == 0
    assert codes(run("--no-respect-gitignore")) == ["TST101"]


def test_other_kinds_of_files_may_be_included(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\nextend-include = ["*.pyw"]\n')
    write("a.pyw", "safe_old\n")
    write("b.py", "unsafe_old\n")
    assert "a.pyw:1:1: error TST101" in run().out
    assert run("--config", 'include=["*.py"]', "--config", "extend-include=[]").status == 1


def test_a_selector_in_a_file_that_fits_no_rule_is_named(run: Run, tmp_path: Path) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\n[severity]\nsafe-odl = "off"\n')
    place = f"{tmp_path / 'neuronlint.toml'}: severity"
    assert run().err == (
        f"neuronlint: {place}: no rule has the code 'safe-odl'; did you mean 'safe-old'?\n"
    )
