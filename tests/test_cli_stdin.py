"""Source that comes from standard input."""

import json
from pathlib import Path

from project import Ran, Run, codes, write

SOURCE = b"safe_old, unsafe_old\n"


def test_a_dash_reads_standard_input(run: Run) -> None:
    ran = run("-", "--output-format", "concise", "-q", stdin=SOURCE)
    assert ran == Ran(
        1,
        "-:1:1: error TST101 [*] `safe_old` is old; write `safe_new`\n"
        "-:1:11: warning TST102 `unsafe_old` is old; write `unsafe_new`\n",
        "",
    )


def test_the_file_name_is_what_findings_name(run: Run) -> None:
    assert codes(run("--stdin-filename", "src/a.py", stdin=SOURCE)) == ["TST101", "TST102"]


def test_the_file_name_decides_the_configuration(run: Run) -> None:
    write("src/neuronlint.toml", 'select = ["TST102"]\n')
    assert codes(run("-", "--stdin-filename", "src/a.py", stdin=SOURCE)) == ["TST102"]


def test_fix_prints_the_fixed_source_alone(run: Run) -> None:
    ran = run("--fix", "-", stdin=SOURCE)
    assert (ran.status, ran.out) == (1, "safe_new, unsafe_old\n")
    assert "-:1:11: warning TST102" in ran.err


def test_fix_keeps_the_bytes_that_are_none_of_its_business(run: Run) -> None:
    assert run("--fix", "-q", "-", stdin=b"safe_old\r\n").out == "safe_new\r\n"


def test_fix_writes_no_file(run: Run) -> None:
    file = write("a.py", "safe_old\n")
    run("--fix", "--stdin-filename", "a.py", stdin=SOURCE)
    assert file.read_text() == "safe_old\n"


def test_fix_prints_a_source_that_it_cannot_parse_as_it_is(run: Run) -> None:
    ran = run("--fix", "-", stdin=b"safe_old (\n")
    assert (ran.status, ran.out) == (1, "safe_old (\n")


def test_diff_shows_what_would_change(run: Run) -> None:
    ran = run("--diff", "-q", "--stdin-filename", "src/a.py", stdin=b"safe_old\n")
    diff = "--- src/a.py\n+++ src/a.py\n@@ -1 +1 @@\n-safe_old\n+safe_new\n"
    assert ran == Ran(1, diff, "")


def test_an_excluded_file_is_printed_as_it_is_where_that_is_forced(run: Run) -> None:
    args = ("--fix", "-q", "--stdin-filename", "build/a.py")
    assert run(*args, stdin=SOURCE).out == "safe_new, unsafe_old\n"
    assert run(*args, "--force-exclude", stdin=SOURCE) == Ran(0, "safe_old, unsafe_old\n", "")


def test_a_report_for_programs_names_the_file(run: Run, tmp_path: Path) -> None:
    args = ("--output-format", "json", "--stdin-filename", "a.py")
    rows = json.loads(run(*args, stdin=SOURCE).out)
    assert {row["filename"] for row in rows} == {str(tmp_path / "a.py")}
