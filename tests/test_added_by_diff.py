"""Findings on lines that a diff adds only."""

from pathlib import Path

import pytest
from project import Run, write

from neuronlint.added import parse
from neuronlint.lines import Lines
from neuronlint.user_error import UserError

DIFF = b"""\
diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,2 +1,4 @@ def f():
 x = safe_old
-y = 1
+y = safe_old
+++ z
+safe_old
"""


def places(run: Run, *args: str, stdin: bytes = b"") -> list[str]:
    lines = run(*args, "--output-format", "concise", stdin=stdin).out.splitlines()
    return [line.partition(": ")[0] for line in lines if ".py:" in line]


def test_a_diff_may_come_by_standard_input_or_file(run: Run) -> None:
    write("a.py", "x = safe_old\ny = safe_old\n++ z\nsafe_old\nsafe_old\n")
    write("b.py", "safe_old\n")
    expected = ["a.py:2:5", "a.py:4:1"]
    assert places(run, "--added-lines", "-", stdin=DIFF) == expected
    Path("the.diff").write_bytes(DIFF)
    assert places(run, "--added-lines", "the.diff") == expected


def test_names_count_from_the_repository_or_the_current_folder(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("sub/a.py", "safe_old\n")
    monkeypatch.chdir("sub")
    for name in (b"sub/a.py", b"a.py"):
        diff = b"--- /dev/null\n+++ b/" + name + b"\n@@ -0,0 +1 @@\n+safe_old\n"
        assert places(run, "--added-lines", "-", stdin=diff) == ["a.py:1:1"]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (b"a/x.py", b"b/x.py", b"x.py"),
        (b"i/x.py", b"w/x.py", b"x.py"),
        (b"x.py", b"x.py", b"x.py"),
        (b"b/x.py", b"b/x.py", b"b/x.py"),
        (b"x.py\t2026-01-01 00:00", b"x.py\t2026-01-02 00:00", b"x.py"),
        (b'"a/\\303\\251.py"', b'"b/\\303\\251\\".py"', 'é".py'.encode()),
        (b"a/x y.py\t", b"b/x y.py\t", b"x y.py"),
        (b"/dev/null", b"b/x.py", b"x.py"),
        (b"a/x.py\r", b"b/x.py\r", b"x.py"),
    ],
)
def test_names_lose_what_programs_put_around_them(old: bytes, new: bytes, name: bytes) -> None:
    diff = b"--- " + old + b"\n+++ " + new + b"\n@@ -1 +1,2 @@\n x\n+y\n"
    assert list(parse(diff)) == [(name, Lines(((2, 2),)))]


def test_a_diff_of_many_files_is_read_by_its_counts() -> None:
    diff = (
        b"From: me\n--- \n+++ \n"
        b"--- a/gone.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n---- a\n-++ b\n"
        b"--- a/x.py\n+++ b/x.py\n@@ -3 +3 @@\n-a\n\\ No newline at end of file\n+b\n"
        b"\\ No newline at end of file\n@@ -9,2 +9,3 @@\n\n+c\n d\n"
        b"--- a/y.py\n+++ b/y.py\n@@ -0,0 +1,2 @@\n+--- a/z.py\n++++ b/z.py\n"
    )
    assert list(parse(diff)) == [
        (b"x.py", Lines(((3, 3), (10, 10)))),
        (b"y.py", Lines(((1, 2),))),
    ]


@pytest.mark.parametrize(
    ("diff", "message"),
    [
        (b"@@ -1 +1 @@\n", "the diff names no file before its first hunk"),
        (b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n x\n", "the diff ends in the midst of a hunk"),
        (b"--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n", "the diff has more than one base"),
    ],
)
def test_a_diff_that_cannot_be_read_is_told(diff: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message):
        list(parse(diff))


def test_what_is_no_diff_ends_in_one_line_and_status_2(run: Run) -> None:
    write("a.py", "safe_old\n")
    ran = run("--added-lines", "-", stdin=b"fatal: no such ref\n")
    assert (ran.status, ran.err) == (
        2,
        "neuronlint: what was given for the added lines is no unified diff\n",
    )
    assert run("--added-lines", "no.diff").err == "neuronlint: no.diff: No such file or directory\n"
    assert run("--added-lines", "-", "--stdin-filename", "a.py").status == 2
    assert run("--added-lines", "-", "--diff-base", "HEAD").status == 2


def test_an_empty_diff_adds_nothing(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("--added-lines", "-").status == 0
