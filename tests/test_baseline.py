"""What a baseline knows, and what becomes of it."""

import json
from pathlib import Path

import pytest
from project import Run, codes, write

from neuronlint import baseline

FILE = "base.json"


def entries() -> list[tuple[str, str, str, int]]:
    found = sorted(baseline.read(Path(FILE)).entries)
    return [(each.path, each.rule, each.line, each.nth) for each in found]


@pytest.fixture
def known(run: Run) -> Run:
    """Runs neuronlint in a project with one finding, which is in its baseline."""
    Path("neuronlint.toml").write_text(f'select = ["TST"]\nbaseline = "{FILE}"\n')
    write("a.py", "x = safe_old\n")
    assert run("--update-baseline").status == 0
    return run


def test_update_writes_what_is_found_and_is_no_failure(run: Run) -> None:
    write("b.py", "safe_old\n")
    write("a.py", "if unsafe_old:\n    x  =  safe_old\n    x = safe_old\n")
    ran = run("--baseline", FILE, "--update-baseline")
    assert (ran.status, ran.out, ran.err) == (0, "", f"Wrote 4 entries to {FILE}.\n")
    assert Path(FILE).read_text() == (
        "{\n"
        '  "version": 1,\n'
        '  "findings": {\n'
        '    "a.py": [\n'
        '      {"rule": "TST101", "line": "x = safe_old"},\n'
        '      {"rule": "TST101", "line": "x = safe_old", "nth": 2},\n'
        '      {"rule": "TST102", "line": "if unsafe_old:"}\n'
        "    ],\n"
        '    "b.py": [\n'
        '      {"rule": "TST101", "line": "safe_old"}\n'
        "    ]\n"
        "  }\n"
        "}\n"
    )


def test_a_known_finding_is_not_reported(known: Run) -> None:
    ran = known()
    assert (ran.status, ran.out) == (0, "All checks passed!\n")
    assert ran.err == "Left out 1 finding that the baseline knows.\n"
    assert known("--quiet").err == ""


def test_a_finding_that_moves_stays_known(known: Run) -> None:
    write("a.py", "import os\n\nif os:\n\tx =   safe_old\n")
    assert known().status == 0


def test_a_second_line_that_is_alike_is_new(known: Run) -> None:
    write("a.py", "x = safe_old\nx = safe_old\n")
    ran = known()
    assert (ran.status, codes(ran)) == (1, ["TST101"])
    assert "a.py:2:5:" in ran.out


def test_a_line_that_changes_is_new_and_its_entry_gone(known: Run) -> None:
    write("a.py", "y = safe_old\n")
    ran = known()
    assert (ran.status, codes(ran)) == (1, ["TST101"])
    assert ran.err == "1 entry of the baseline is gone; --prune-baseline drops it.\n"
    assert entries() == [("a.py", "TST101", "x = safe_old", 1)]


def test_prune_drops_what_is_gone_and_adds_nothing(known: Run) -> None:
    write("a.py", "y = safe_old\n")
    ran = known("--prune-baseline")
    assert (ran.status, ran.err) == (1, "Dropped 1 entry of the baseline: gone.\n")
    assert entries() == []


def test_a_baseline_that_stays_the_same_is_not_written(known: Run) -> None:
    before = Path(FILE).stat()
    known("--prune-baseline")
    known("--fix", "--select", "TST102")
    assert (Path(FILE).stat().st_ino, Path(FILE).stat().st_mtime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
    )


def test_entries_of_a_file_that_is_no_more_are_gone(known: Run) -> None:
    write("b.py", "x = 1\n")
    Path("a.py").rename("c.txt")
    assert "1 entry of the baseline is gone" in known("b.py").err
    known("--prune-baseline", "b.py")
    assert entries() == []


def test_what_is_not_checked_is_left_alone(known: Run) -> None:
    write("a.py", "x = 1\n")
    write("b.py", "unsafe_old\n")
    for args in (["b.py"], ["--select", "TST102", "."]):
        known("--prune-baseline", *args)
        known("--update-baseline", *args)
        assert entries() == [
            ("a.py", "TST101", "x = safe_old", 1),
            ("b.py", "TST102", "unsafe_old", 1),
        ]


def test_a_file_that_cannot_be_parsed_keeps_its_entries_and_gets_none(known: Run) -> None:
    write("a.py", "x = safe_old (\n")
    for args in (["--update-baseline"], ["--prune-baseline"], []):
        ran = known(*args)
        assert (ran.status, codes(ran)) == (1, ["NL001"])
        assert entries() == [("a.py", "TST101", "x = safe_old", 1)]


def test_a_fixed_finding_leaves(known: Run) -> None:
    ran = known("--fix")
    assert (ran.status, ran.err) == (0, "Dropped 1 entry of the baseline: fixed.\n")
    assert (Path("a.py").read_text(), entries()) == ("x = safe_new\n", [])


def test_a_known_finding_stays_known_when_a_fix_changes_its_line(known: Run) -> None:
    write("a.py", "unsafe_old\nx = safe_old, unsafe_old\n")
    known("--update-baseline")
    write("a.py", "unsafe_old\nx = safe_old, unsafe_old\nunsafe_old\n")
    ran = known("--fix")
    assert [line for line in ran.out.splitlines() if "TST" in line and ".py:" in line] == [
        "a.py:3:1: warning TST102 `unsafe_old` is old; write `unsafe_new`"
    ]
    assert entries() == [
        ("a.py", "TST102", "unsafe_old", 1),
        ("a.py", "TST102", "x = safe_new, unsafe_old", 1),
    ]


def test_a_fix_that_is_only_shown_changes_no_baseline(known: Run) -> None:
    before = Path(FILE).read_text()
    ran = known("--diff")
    assert (ran.status, ran.err) == (1, "Would fix 1 finding in 1 file.\n")
    assert Path(FILE).read_text() == before


def test_standard_input_is_compared_and_changes_no_baseline(known: Run) -> None:
    before = Path(FILE).read_text()
    ran = known("--stdin-filename", "a.py", stdin=b"x = safe_old\nsafe_old\n")
    assert codes(ran) == ["TST101"]
    known("--fix", "--stdin-filename", "a.py", stdin=b"x = safe_old\n")
    assert Path(FILE).read_text() == before


def test_paths_count_from_the_baseline_wherever_neuronlint_runs(
    known: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("sub/b.py", "safe_old\n")
    known("--update-baseline")
    monkeypatch.chdir("sub")
    assert known().status == 0
    assert known("..").status == 0
    assert known("--isolated", "--select", "TST", "--baseline", f"../{FILE}", "b.py").status == 0


def test_line_ends_do_not_matter(known: Run) -> None:
    Path("a.py").write_bytes(b"\r\nx = safe_old\r\n")
    assert known().status == 0


def test_programs_get_their_report_alone(known: Run) -> None:
    write("a.py", "x = safe_old\nsafe_old\n")
    assert len(json.loads(known("--output-format", "json").out)) == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--baseline", FILE], f"there is no baseline {FILE}; --update-baseline writes it"),
        (["--baseline", "."], ".: Is a directory"),
        (["--update-baseline"], "--update-baseline needs to know which file: --baseline FILE"),
        (["--prune-baseline"], "--prune-baseline needs to know which file: --baseline FILE"),
        (
            ["--baseline", FILE, "--update-baseline", "--prune-baseline"],
            "--update-baseline does not go with --prune-baseline",
        ),
        (
            ["--baseline", FILE, "--update-baseline", "--diff-base", "HEAD"],
            "--update-baseline does not go with --diff-base",
        ),
        (
            ["--baseline", FILE, "--update-baseline", "-"],
            "--update-baseline does not go with standard input",
        ),
        (
            ["--baseline", "no/such/folder", "--update-baseline"],
            "no/such/folder: cannot be written: No such file or directory",
        ),
    ],
)
def test_wrong_use_ends_in_one_line_and_status_2(run: Run, args: list[str], message: str) -> None:
    write("a.py", "x = 1\n")
    ran = run(*args)
    assert (ran.status, ran.err) == (2, f"neuronlint: {message}\n")
