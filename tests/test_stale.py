"""What a record must not hide: all that a run hangs on, seldom as it may change."""

import json
import os
import time
from pathlib import Path

import pytest
from shell import CLEAN, OLD, Shell

from neuronlint import cache, store, there
from neuronlint.cache import Cache

CONCISE = ("--output-format", "concise", "package")


def test_another_file_of_the_same_moment_and_size_is_another_one(tmp_path: Path) -> None:
    (tmp_path / "one").touch()
    row = [*(tmp_path / "one").stat()]
    others = [os.stat_result([row[0], row[1] + more, *row[2:]]) for more in (0, 1)]
    assert there.sign_of(others[0]) != there.sign_of(others[1])


@pytest.mark.parametrize(
    ("sign", "settled"),
    [
        (None, True),
        ([], True),
        ([7_900_000_000, 7_900_000_001, 1, 1], True),
        ([7_900_000_000, 7_980_000_001, 1, 1], False),
        ([7_980_000_001, 1_900_000_001, 1, 1], False),  # Windows: when it was made comes second
        ([7_000_000_000, 7_000_000_000, 1, 1], False),  # a clock that counts seconds
        ([5_000_000_000, 5_000_000_000, 1, 1], True),
    ],
)
def test_what_changed_just_now_may_change_without_a_sign(sign: "there.Sign", settled: bool) -> None:
    assert there.is_settled(sign, 8_000_000_000) == settled


def test_a_device_is_never_as_it_was() -> None:
    assert not there.is_settled(there.sign(os.devnull), time.time_ns())


@pytest.mark.parametrize("way", ["written", "moved"])
def test_another_content_of_the_same_size_and_time_is_read(shell: Shell, way: str) -> None:
    shell.learns(*CONCISE)
    file = shell.project / "package" / "old.py"
    before, target = file.stat(), file if way == "written" else file.with_name("new.txt")
    target.write_text(OLD.replace("synchronize", "empty_cache"))
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
    target.replace(file)
    assert shell.sees(*CONCISE)


def test_a_file_that_changed_just_now_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    known = Cache(tmp_path)
    file.write_text("1")
    known.remember(file, file.stat(), "content")
    assert known.unchanged(file, file.stat()) is None
    time.sleep(0.1)
    known.remember(file, file.stat(), "content")
    assert known.unchanged(file, file.stat()) == "content"


@pytest.mark.parametrize("kept", [{}, {"files": [], "found": {}}, {"files": {}, "found": 1}])
def test_a_cache_that_is_not_what_was_written_is_none(tmp_path: Path, kept: object) -> None:
    assert isinstance(kept, dict)
    store.write(f"findings-{tmp_path.name}", {**kept, "format": cache._FORMAT})
    assert Cache(tmp_path).unchanged(tmp_path, tmp_path.stat()) is None


def test_a_cache_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_KEPT", 3)
    (tmp_path / "a.py").touch()
    time.sleep(0.1)
    for number in range(5):
        known = Cache(tmp_path)
        known.remember(Path(f"{number}.py"), (tmp_path / "a.py").stat(), "content")
        known.save()
    assert Cache(tmp_path).unchanged(Path("0.py"), (tmp_path / "a.py").stat()) is None


def test_a_run_without_words_is_quick(shell: Shell) -> None:
    shell.learns()


@pytest.mark.parametrize("args", [(), ("--version",)])
def test_a_shell_that_completes_words_is_not_told_what_was_found(
    shell: Shell, args: tuple[str, ...]
) -> None:
    shell.short(*args)
    shell.env = {
        "_NEURONLINT_COMPLETE": "bash_complete",
        "COMP_WORDS": "neuronlint ",
        "COMP_CWORD": "1",
    }
    assert not shell.is_quick(*args)


ODD = (None, 1, -1, 1.5, "x", "(", [], [1], ["("], {}, {"a": 1}, True, 10**400)


@pytest.mark.parametrize(
    "field", ["key", "installation", "looked", "listed", "wanted", "status", "text"]
)
def test_a_record_with_anything_in_a_field_is_none_or_right(shell: Shell, field: str) -> None:
    shell.short("package/clean.py")
    (record,) = shell.cache.glob("neuronlint/folder-*.json")
    right, said = json.loads(record.read_text()), shell.long("package/clean.py")
    for odd in ODD:
        record.write_text(json.dumps({**right, field: odd}))
        if field in ("key", "installation", "wanted") or type(odd) not in (int, str, dict):
            assert shell.short("package/clean.py") == said
        else:
            assert "Traceback" not in shell.short("package/clean.py")[2]


@pytest.mark.parametrize("pattern", ["(", 1, None])
def test_a_record_with_no_pattern_is_none(shell: Shell, pattern: object) -> None:
    shell.short("package/clean.py")
    (record,) = shell.cache.glob("neuronlint/folder-*.json")
    kept = json.loads(record.read_text())
    kept["wanted"]["signs"] = [[[], [], pattern]]
    record.write_text(json.dumps(kept))
    assert shell.short("package/clean.py") == shell.long("package/clean.py")


def test_a_pipe_in_the_place_of_a_record_is_none(shell: Shell) -> None:
    shell.short("package/clean.py")
    (record,) = shell.cache.glob("neuronlint/folder-*.json")
    record.unlink()
    os.mkfifo(record)
    assert shell.short("package/clean.py") == shell.long("package/clean.py")


def test_whoever_interrupts_a_quick_run_sees_no_traceback(shell: Shell) -> None:
    shell.learns("package")
    (shell.starts / "hurt.py").write_text(
        "from neuronlint import quick, there\n"
        "def interrupted(*args, **more):\n    raise KeyboardInterrupt\n"
        "there.changed = interrupted\nquick.main()\n"
    )
    ran = shell.run("hurt", "package")
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


LINKS = {
    "package/neuronlint.toml": "ignore = ['NL']\n",
    "package/.gitignore": "old.py\n",
    "package/sub/pyvenv.cfg": "",
    "package/link.py": OLD,
    "triton/__init__.py": "",
}


@pytest.mark.parametrize("link", LINKS)
def test_what_a_link_leads_to_that_led_nowhere_is_seen(shell: Shell, link: str) -> None:
    shell.write("package/old.py", f"import triton\n{OLD}")
    shell.write("package/sub/old.py", OLD)
    (shell.project / "triton").mkdir()
    (shell.project / link).symlink_to(shell.project.parent / "later")
    shell.learns("package")
    (shell.project.parent / "later").write_text(LINKS[link])
    assert shell.sees("package")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements/all.txt", "setup.cfg"])
def test_requirements_that_come_beside_a_pyproject_are_seen(shell: Shell, name: str) -> None:
    shell.write("package/pyproject.toml", "[project]\nname = 'p'\n")
    shell.write("package/inner/old.py", OLD)
    shell.learns("package/inner")
    text = "[options]\ninstall_requires = torch>=2.1" if name == "setup.cfg" else "torch>=2.1"
    shell.write(f"package/{name}", f"{text}\n")
    assert shell.sees("package/inner")


CODES = ("ignore=['NL9']\n", "ignore=['NL']\n")  # as TOML, and as Python


NAMED = ("--config", "set.py")


@pytest.mark.parametrize(
    "args", [(*NAMED, "package"), (*NAMED, "set.py", "package/old.py"), ("package",)]
)
def test_settings_in_a_file_that_is_called_like_code_are_seen(
    shell: Shell, args: tuple[str, ...]
) -> None:
    shell.write("set.py", CODES[0])
    if len(args) == 1:
        shell.write("neuronlint.toml", "extend = 'set.py'\n")
    shell.learns(*args)
    shell.write("set.py", CODES[1])
    assert shell.sees(*args)


def test_files_that_links_make_one_are_counted_as_one(shell: Shell) -> None:
    outside = shell.project.parent / "outside"
    outside.mkdir()
    (outside / "a.py").write_text(CLEAN)
    (outside / "b.py").symlink_to("a.py")
    for name in ("a.py", "b.py"):
        (shell.project / "package" / name).symlink_to(outside / name)
    shell.learns("package")
    (outside / "b.py").unlink()
    (outside / "b.py").write_text(CLEAN)
    assert shell.sees("package")


ROOTS = {  # the folder in which there are settings, and what they are
    "a": "output-format = 'json'\n",
    "b": "fix = true\n",
    "a b": "fail-on = 'error'\n",
    "a b .": "output-format = 'json'\n",
}


@pytest.mark.parametrize("folders", ROOTS)
@pytest.mark.parametrize("first", [["a"], ["b"], ["a", "b"]])
def test_files_of_several_folders_are_told_of_as_their_common_folder_asks(
    shell: Shell, folders: str, first: list[str]
) -> None:
    for folder in ("a", "b"):
        shell.write(f"files/{folder}/clean.py", CLEAN)
    for folder in folders.split():
        settled = folder == "." or "." not in folders
        shell.write(f"files/{folder}/neuronlint.toml", ROOTS[folders] if settled else "")
    shell.project = shell.project / "package"
    files = {folder: f"{shell.project.parent}/files/{folder}/clean.py" for folder in ("a", "b")}
    shell.short(*(files[each] for each in first))
    shell.short(files["b"])
    shell.short(files["a"])
    for each in (["a"], ["b"], ["a", "b"]):
        words = [files[one] for one in each]
        assert shell.short(*words) == shell.long(*words)


def test_a_folder_is_known_with_settings_of_its_own_where_the_run_has_others(shell: Shell) -> None:
    shell.write("neuronlint.toml", "")
    shell.write("package/neuronlint.toml", "output-format = 'json'\n")
    shell.learns("package/clean.py")
    assert "All checks passed" in shell.short("package/clean.py")[1]


def test_what_lies_above_a_link_is_not_taken_for_what_lies_around_it(shell: Shell) -> None:
    shell.write("other/neuronlint.toml", "")
    shell.write("clean.py", CLEAN)
    shell.write("away/package/neuronlint.toml", "exclude = 1\n")
    (shell.project / "link").symlink_to("away/package")
    shell.write("away/clean.py", CLEAN)
    shell.learns("clean.py")
    assert shell.short("link/../clean.py") == shell.long("link/../clean.py")


def test_clean_removes_what_was_written_and_nothing_else(shell: Shell) -> None:
    for name in ("package.json", "notes.tmp", "runs.json"):
        shell.write(name, "{}")
    shell.short("--cache-dir", ".", "package")
    shell.short("--cache-dir", ".", "package/clean.py")
    shell.write("neuronlint-half.tmp", "{")
    assert (shell.project / "rules.json").exists()
    assert shell.long("clean", "--cache-dir", ".")[0] == 0
    left = {file.name for file in shell.project.iterdir()}
    assert left == {".git", "package", "package.json", "notes.tmp", "runs.json"}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_is_no_ascii_is_printed_the_same_way(shell: Shell, encoding: str) -> None:
    shell.write("package/old.py", OLD.replace("()", "()  # é × 😀"))
    shell.env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    said = [shell.run(way, "package") for way in ("short", "short", "long")]
    assert said[0].stdout == said[1].stdout == said[2].stdout
