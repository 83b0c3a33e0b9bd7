"""Which files the named paths stand for."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from neuronlint import files

Found = Callable[..., list[str]]


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    """The files found under the current folder, which is an empty one."""
    monkeypatch.chdir(tmp_path)

    def find(*paths: str, exclude: tuple[str, ...] = (), force_exclude: bool = False) -> list[str]:
        named = [Path(path) for path in paths or (".",)]
        patterns = files.Patterns.of(tmp_path, exclude or files.DEFAULT_EXCLUDE)
        wanted = files.Filter((patterns,), forced=force_exclude)
        result = files.find(named, lambda folder: wanted)
        return [path.as_posix() for path in result.files]

    return find


def write(*names: str, text: str = "") -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def test_python_files_are_found_in_the_order_of_their_names(found: Found) -> None:
    write("b.py", "a.pyi", "sub/d.py", "sub/c.py", "notes.txt", "a.pyc", "a.ipynb")
    assert found() == ["a.ipynb", "a.pyi", "b.py", "sub/c.py", "sub/d.py"]


def test_a_named_file_is_taken_whatever_it_is_called(found: Found) -> None:
    write("script", "a.py")
    assert found("script") == ["script"]


def test_a_file_is_taken_once_though_named_twice(found: Found) -> None:
    write("sub/a.py")
    assert found("sub/a.py", "sub", "./sub/../sub/a.py") == ["sub/a.py"]


def test_a_file_goes_by_its_own_name_rather_than_a_link_to_it(found: Found) -> None:
    write("z.py")
    Path("a.py").symlink_to("z.py")
    assert found() == ["z.py"]


def test_an_absolute_path_is_shown_from_the_current_folder(found: Found, tmp_path: Path) -> None:
    write("sub/a.py")
    assert found(str(tmp_path / "sub")) == ["sub/a.py"]


def test_links_in_a_circle_end(found: Found) -> None:
    write("sub/a.py")
    Path("sub/up").symlink_to("..")
    Path("sub/self.py").symlink_to("self.py")
    assert found() == ["sub/a.py"]


def test_a_link_to_a_folder_is_followed_when_named(found: Found) -> None:
    write("real/a.py")
    Path("link").symlink_to("real")
    assert found() == ["real/a.py"]
    assert found("link") == ["link/a.py"]


@pytest.mark.parametrize("folder", ["build", ".venv", "node_modules", "__pycache__", ".git"])
def test_folders_that_hold_no_source_are_left_out(found: Found, folder: str) -> None:
    write(f"{folder}/a.py", f"sub/{folder}/a.py", "b.py")
    assert found() == ["b.py"]


def test_a_virtual_environment_is_left_out_by_its_marker_file(found: Found) -> None:
    write("my_env/pyvenv.cfg", "my_env/lib/a.py", "env/policy.py")
    assert found() == ["env/policy.py"]


def test_a_folder_that_is_left_out_is_looked_into_when_named(found: Found) -> None:
    write("build/a.py", "build/sub/b.py", "build/build/c.py")
    assert found("build") == ["build/a.py", "build/sub/b.py"]


@pytest.mark.parametrize("pattern", ["legacy", "sub/legacy", "sub/legacy/", "**/old.py", "o*.py"])
def test_a_glob_excludes(found: Found, pattern: str) -> None:
    write("sub/legacy/old.py", "b.py")
    assert found(exclude=(pattern,)) == ["b.py"]


def test_a_glob_with_a_slash_counts_from_the_folder(found: Found) -> None:
    write("legacy/a.py", "sub/legacy/a.py")
    assert found(exclude=("/legacy",)) == ["sub/legacy/a.py"]
    assert found("sub", exclude=("legacy/a.py",)) == ["sub/legacy/a.py"]


def test_a_named_file_is_excluded_only_by_force(found: Found) -> None:
    write("build/a.py", "b.py")
    assert found("build/a.py", "b.py") == ["build/a.py", "b.py"]
    assert found("build/a.py", "b.py", force_exclude=True) == ["b.py"]


def test_git_ignored_files_are_left_out(found: Found) -> None:
    write(".gitignore", text="gen_*.py\n/top\n# b.py\n\nout/\n")
    write("gen_a.py", "sub/gen_b.py", "top/a.py", "sub/top/a.py", "sub/out/a.py", "b.py")
    assert found() == ["b.py", "sub/top/a.py"]


def test_the_deepest_git_ignore_file_decides(found: Found) -> None:
    write(".gitignore", text="gen_*.py\n")
    write("sub/.gitignore", text="!gen_a.py\nc.py\n")
    write("gen_a.py", "sub/gen_a.py", "sub/gen_b.py", "sub/c.py", "c.py")
    assert found() == ["c.py", "sub/gen_a.py"]


def test_git_ignore_files_above_count_up_to_the_root_of_the_repository(found: Found) -> None:
    write(".gitignore", text="a.py\n")
    write("repo/.gitignore", text="b.py\n")
    write("repo/sub/a.py", "repo/sub/b.py", "repo/sub/c.py")
    assert found("repo/sub") == ["repo/sub/a.py", "repo/sub/b.py", "repo/sub/c.py"]
    Path("repo/.git").mkdir()
    assert found("repo/sub") == ["repo/sub/a.py", "repo/sub/c.py"]


def test_a_named_folder_that_git_ignores_is_looked_into(found: Found) -> None:
    Path(".git").mkdir()
    write(".gitignore", text="out/\n")
    write("out/a.py")
    assert found() == []
    assert found("out") == ["out/a.py"]


def test_a_pattern_that_git_would_not_understand_is_passed_over(found: Found) -> None:
    write(".gitignore", text="!\n[z-a]\na.py\n")
    write("a.py", "b.py")
    assert found() == ["b.py"]


def test_a_git_ignore_file_in_another_encoding_is_read(found: Found) -> None:
    Path(".gitignore").write_bytes(b"\xe9.py\na.py\n")
    write("a.py", "b.py")
    assert found() == ["b.py"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_only_looks_like_a_file_is_left_out(found: Found) -> None:
    os.mkfifo("pipe.py")
    Path("broken.py").symlink_to("nowhere")
    Path("folder.py").mkdir()
    assert found() == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir(mode=0)
    result = files.find([tmp_path], lambda folder: files.Filter())
    assert result.unreadable == ((tmp_path / "sub", "Permission denied"),)


def test_each_folder_has_its_own_filter(found: Found, tmp_path: Path) -> None:
    write("a.py", "gen.py", "sub/a.py", "sub/gen.py")
    outer = files.Filter((files.Patterns.of(tmp_path, ["a.py"]),))
    inner = files.Filter((files.Patterns.of(tmp_path / "sub", ["gen.py"]),))
    result = files.find([Path()], lambda folder: inner if folder.name == "sub" else outer)
    assert [path.as_posix() for path in result.files] == ["gen.py", "sub/a.py"]


def test_the_last_pattern_that_says_decides(found: Found, tmp_path: Path) -> None:
    write("gen_a.py", "gen_b.py")
    patterns = [files.Patterns.of(tmp_path, [line]) for line in ("gen_*.py", "!gen_b.py")]
    result = files.find([Path()], lambda folder: files.Filter(tuple(patterns)))
    assert [path.as_posix() for path in result.files] == ["gen_b.py"]


def test_other_files_than_python_may_be_included(found: Found, tmp_path: Path) -> None:
    write("a.py", "b.pyw", "sub/c.pyw")
    wanted = files.Filter(include=(files.Patterns.of(tmp_path, ["*.pyw"]),))
    result = files.find([Path()], lambda folder: wanted)
    assert [path.as_posix() for path in result.files] == ["b.pyw", "sub/c.pyw"]


def test_git_ignored_files_are_taken_where_git_is_not_asked(found: Found) -> None:
    write(".gitignore", text="a.py\n")
    write("a.py")
    assert found() == []
    result = files.find([Path()], lambda folder: files.Filter(gitignore=False))
    assert [path.as_posix() for path in result.files] == ["a.py"]


def test_a_path_that_is_not_there_is_passed_on(found: Found) -> None:
    assert found("nowhere.py") == ["nowhere.py"]
