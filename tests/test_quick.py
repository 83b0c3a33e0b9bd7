"""Runs that need not be made: what was said is said again, for as long as it would be."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from project import install
from shell import CLEAN, OLD, Shell

SLOW = (
    *("click", "libcst", "dataclasses", "inspect", "typing", "pathlib", "tomli", "tempfile"),
    *("importlib.metadata", "importlib.resources", "neuronlint.rule", "neuronlint.config"),
    *("neuronlint.reporters", "neuronlint_rules", "neuronlint.cli"),
)


@pytest.mark.parametrize("args", [["package/clean.py"], ["-q", "package"], ["--version"], ["-V"]])
def test_a_quick_run_loads_nothing_that_it_does_not_need(shell: Shell, args: list[str]) -> None:
    shell.run("short", *args)
    _, loaded = shell.looked(*args)
    program = "import sys; print(*sys.modules)"  # a package that is being worked on has its finder
    before = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert not [name for name in loaded.difference(before) if name.startswith(SLOW)]


TABLE = [
    *(["--version"], ["-V"], ["--version", "package"], ["--help"], ["--versio"], ["-V", "-q"]),
    *([], ["."], ["package"], ["check"], ["check", "package"], ["chek"], ["nowhere.py"]),
    *(["package/clean.py"], ["./package/clean.py"], ["package/old.py"], ["-q", "package"]),
    *(["package/clean.py", "package/old.py"], ["package/clean.py", "package/clean.py"]),
    *(["check", "--force-exclude", "package/clean.py"], ["-s", "package"], ["-e", "package"]),
    *(["--exclude", "clean.py", "--force-exclude", "package/clean.py"], ["--", "-x.py"]),
    *(["--torch", "2.6", "package"], ["--torch", "package/clean.py"], ["--torch", "new", "x.py"]),
    *(["--output-format", "concise", "package"], ["--output-format", "json", "package"]),
    *(["--output-format", "json", "package/clean.py"], ["--statistics", "package"]),
    *(["--cache-dir", "kept", "package"], ["--cache-dir=kept", "package/clean.py"]),
    *(["--no-cache", "package"], ["--select", "NL1", "package"], ["--isolated", "package"]),
    *(
        ["--config", "fix-only=true", "package/clean.py"],
        ["--diff", "package"],
        ["--fix", "package/clean.py"],
    ),
    *(["--show-files"], ["-v", "--show-settings"], ["--select", "XYZ", "package/clean.py"]),
    *(["rules"], ["rule", "NL101"], ["--color", "always", "package"], ["package/clean.py", "-q"]),
    *(["-", "package/clean.py"], ["--output-file", "out", "package"], ["--no-cut", "package"]),
]


@pytest.mark.parametrize("args", TABLE, ids=" ".join)
def test_both_ways_say_the_same(shell: Shell, args: list[str]) -> None:
    said = [shell.short(*args), shell.short(*args), shell.long(*args)]
    assert said[0] == said[1] == said[2]


def _touched(shell: Shell) -> None:
    os.utime(shell.project / "package/clean.py")


def _removed(shell: Shell) -> None:
    (shell.project / "package/old.py").unlink()


def _moved(shell: Shell) -> None:
    """Another content of the same size and the same time."""
    file = shell.project / "package/old.py"
    before = file.stat()
    file.write_text(OLD.replace("synchronize", "empty_cache"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES: dict[str, tuple[Callable[[Shell], None], bool]] = {
    "nothing": (lambda shell: None, True),
    "a clean file is touched": (_touched, True),
    "a clean file stays clean": (lambda s: s.write("package/clean.py", "import sys\n"), True),
    "a clean file is clean no more": (lambda s: s.write("package/clean.py", OLD), False),
    "a suppression of nothing": (
        lambda s: s.write("package/clean.py", "x = 1  # noqa: NL201\n"),
        False,
    ),
    "an old file is mended": (lambda s: s.write("package/old.py", CLEAN), False),
    "an old file changes in secret": (_moved, False),
    "a file is removed": (_removed, False),
    "a file comes": (lambda s: s.write("package/new.py", OLD), False),
    "a package comes": (lambda s: (s.project / "torch").mkdir(), False),
    "a configuration comes": (lambda s: s.write("neuronlint.toml", "ignore = ['NL']\n"), False),
    "a configuration comes below": (
        lambda s: s.write("package/pyproject.toml", "[tool.neuronlint]\nignore = ['NL']\n"),
        False,
    ),
    "the dependencies come": (
        lambda s: s.write("pyproject.toml", "[project]\ndependencies = ['torch>=2.4']\n"),
        False,
    ),
    "the dependencies cannot be read": (lambda s: s.write("pyproject.toml", "["), False),
    "requirements come": (lambda s: s.write("requirements.txt", "torch>=2.4\n"), False),
    "git ignores more": (lambda s: s.write("package/.gitignore", "old.py\n"), False),
    "git ignores more from above": (lambda s: s.write(".gitignore", "old.py\n"), False),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_run_over_a_folder_is_quick_as_long_as_it_may(shell: Shell, change: str) -> None:
    make, quick = CHANGES[change]
    args = ("--output-format", "concise", "package")
    assert not shell.is_quick(*args)
    assert shell.is_quick(*args)
    make(shell)
    assert shell.is_quick(*args) == quick


HARMLESS = ("a file is removed", "an old file is mended", "an old file changes in secret")


@pytest.mark.parametrize("change", CHANGES)
def test_a_run_over_a_clean_file_is_quick_as_long_as_it_may(shell: Shell, change: str) -> None:
    make, quick = CHANGES[change]
    assert not shell.is_quick("package/clean.py")
    make(shell)
    told = {"a file comes", "git ignores more", "git ignores more from above", *HARMLESS}
    unasked = {"a package comes", "requirements come"}  # they change no file that is clean
    assert shell.is_quick("package/clean.py") == (quick or change in told | unasked)


def test_a_file_that_is_looked_at_for_nothing_is_known_as_long_as_it_stays(shell: Shell) -> None:
    shell.write("package/clean.py", "cuda = 1\n")
    assert not shell.is_quick("package/clean.py")
    assert shell.is_quick("package/clean.py")
    shell.write("package/clean.py", "cuda = 2\n")
    assert not shell.is_quick("package/clean.py")


def test_a_new_clean_file_is_known_by_its_folder(shell: Shell) -> None:
    assert not shell.is_quick("check", "--force-exclude", "package/clean.py")
    shell.write("package/new.py", CLEAN)
    assert shell.is_quick("check", "--force-exclude", "package/clean.py", "package/new.py")
    assert not shell.is_quick("check", "--force-exclude", "package/new.py")  # is it left out?
    assert shell.is_quick("check", "--force-exclude", "package/new.py")
    assert not shell.is_quick("check", "package/new.py")


def test_a_changed_configuration_is_read(shell: Shell) -> None:
    shell.write("pyproject.toml", "[tool.neuronlint]\nexclude = []\n")
    assert not shell.is_quick("package/clean.py")
    assert shell.is_quick("package/clean.py")
    shell.write("pyproject.toml", "[tool.neuronlint]\nexclude = 1\n")
    assert not shell.is_quick("package/clean.py")
    assert shell.short("package/clean.py")[0] == 2


def test_a_pack_that_is_installed_or_changed_is_seen(shell: Shell) -> None:
    shell.short("package/clean.py")
    assert shell.is_quick("package/clean.py")
    install(shell.site)
    assert not shell.is_quick("package/clean.py")
    assert shell.is_quick("package/clean.py")
    rules = shell.site / "sample_pack" / "old.py"
    rules.write_text(rules.read_text().replace('"*_old"', '"os"'))
    assert not shell.is_quick("package/clean.py")


def test_what_is_found_by_no_trigger_makes_no_run_quick(shell: Shell) -> None:
    shell.write("neuronlint.toml", "[gates]\ndecorators = ['needs_gpu']\n")
    shell.short("package/clean.py")
    shell.write("package/clean.py", "needs_gpu\n")
    assert not shell.is_quick("package/clean.py")


@pytest.mark.parametrize("change", ["text", "list", "empty", "keys", "mode"])
def test_a_damaged_record_is_none(shell: Shell, change: str) -> None:
    shell.short("package/clean.py")
    (record,) = shell.cache.glob("neuronlint/folder-*.json")
    if change == "mode":
        record.chmod(0o666)
    else:
        text = record.read_text()
        keys = text.replace('"looked"', '"seen"').replace('"places"', '"here"')
        record.write_text({"text": text[:-9], "list": "[]", "empty": "", "keys": keys}[change])
    assert not shell.is_quick("package/clean.py")


def test_records_do_not_add_up(shell: Shell) -> None:
    kept = shell.cache / "neuronlint"
    for number in range(600):
        (kept / f"folder-{number:08x}.json").write_text("{}")
        (kept / f"run-{number:08x}.json").write_text("{}")
    shell.short("package/clean.py")
    shell.short("package")
    assert len([*kept.glob("folder-*.json")]) < 512
    assert len([*kept.glob("run-*.json")]) < 32
    assert shell.is_quick("package/clean.py")
    assert shell.is_quick("package")


def test_a_fresh_checkout_is_not_parsed_anew(shell: Shell) -> None:
    shell.short("package")
    other = shell.project.parent / "other" / "project"
    shutil.copytree(shell.project, other)
    time.sleep(0.1)
    shell.project = other
    _, loaded = shell.looked("package")
    assert "neuronlint.checking" in loaded
    assert "libcst" not in loaded
    assert shell.is_quick("package")
