"""Findings on added lines only: since a git ref, or as a diff says."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from project import Run, codes, write

from neuronlint.added import parse
from neuronlint.lines import EVERY, Lines
from neuronlint.rule import Edit, Finding, Severity
from neuronlint.source import Source
from neuronlint.user_error import UserError


def git(*args: str) -> str:
    who = ("-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *args], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def project(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs neuronlint in a repository with one commit, which has findings."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    for name in [*os.environ]:
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    Path(".git").rmdir()
    git("init", "-q", "-b", "main")
    write("a.py", "x = safe_old\ny = 1\n")
    git("add", ".")
    git("commit", "-qm", "one")
    return run


def places(run: Run, *args: str, stdin: bytes = b"") -> list[str]:
    lines = run(*args, "--output-format", "concise", stdin=stdin).out.splitlines()
    return [line.partition(": ")[0] for line in lines if ".py:" in line]


# -- since a ref --


def test_what_was_there_is_not_reported(project: Run) -> None:
    ran = project("--diff-base", "HEAD")
    assert (ran.status, ran.out) == (0, "All checks passed!\n")


def test_lines_that_are_not_committed_count(project: Run) -> None:
    write("a.py", "x = safe_old\ny = 1\nunsafe_old\n")
    assert places(project, "--diff-base", "HEAD") == ["a.py:3:1"]
    git("add", ".")
    assert places(project, "--diff-base", "HEAD") == ["a.py:3:1"]
    git("commit", "-qm", "two")
    assert places(project, "--diff-base", "HEAD") == []
    assert places(project, "--diff-base", "HEAD~1") == ["a.py:3:1"]


def test_files_that_git_does_not_know_count_whole(project: Run) -> None:
    write("sub/b.py", "safe_old\n\nunsafe_old\n")
    write("ignored.py", "safe_old\n")
    write(".gitignore", "ignored.py\n")
    assert places(project, "--diff-base", "HEAD") == ["sub/b.py:1:1", "sub/b.py:3:1"]
    assert places(project, "--diff-base", "HEAD", "ignored.py") == []


def test_the_base_is_where_the_branches_part(project: Run) -> None:
    git("checkout", "-qb", "feature")
    git("checkout", "-q", "main")
    write("a.py", "x = 0\ny = 1\n")
    git("commit", "-qam", "main goes on")
    git("checkout", "-q", "feature")
    write("b.py", "safe_old\n")
    git("add", ".")
    git("commit", "-qm", "feature")
    assert places(project, "--diff-base", "main") == ["b.py:1:1"]


def test_a_moved_file_counts_as_far_as_it_changed(project: Run) -> None:
    write("a.py", "x = safe_old\n" + "y = 1\n" * 20)
    git("commit", "-qam", "longer")
    git("mv", "a.py", "b.py")
    write("b.py", "x = safe_old\n" + "y = 1\n" * 20 + "safe_old\n")
    assert places(project, "--diff-base", "HEAD") == ["b.py:22:1"]


def test_a_finding_counts_if_any_of_its_lines_is_added() -> None:
    lines = Lines.of([(3, 3), (7, 9)])
    met = {
        (first, last): lines.meet(finding(first, last))
        for first, last in [(1, 2), (1, 3), (3, 3), (4, 6), (2, 5), (5, 8), (9, 9), (10, 11)]
    }
    assert [place for place, yes in met.items() if yes] == [
        *((1, 3), (3, 3), (2, 5), (5, 8), (9, 9))
    ]


def test_only_findings_on_added_lines_are_fixed(project: Run) -> None:
    write("a.py", "x = safe_old\nz = safe_old\ny = 1\n")
    ran = project("--diff-base", "HEAD", "--fix")
    assert (ran.status, ran.out) == (0, "Fixed 1 finding, 0 left.\n")
    assert Path("a.py").read_text() == "x = safe_old\nz = safe_new\ny = 1\n"


def test_only_fixes_on_added_lines_are_shown(project: Run) -> None:
    write("a.py", "x = safe_old\nz = safe_old\ny = 1\n")
    ran = project("--diff-base", "HEAD", "--diff")
    assert [line for line in ran.out.splitlines() if line[:2] in ("-z", "+z", "-x", "+x")] == [
        *("-z = safe_old", "+z = safe_new")
    ]


def test_standard_input_counts_by_the_lines_of_its_file(project: Run) -> None:
    args = ("--diff-base", "HEAD", "--stdin-filename", "a.py")
    assert places(project, *args, stdin=b"x = safe_old\n") == []
    write("a.py", "x = safe_old\ny = 1\nunsafe_old\n")
    assert places(project, *args, stdin=b"x = safe_old\ny = 1\nunsafe_old\n") == ["a.py:3:1"]


def test_a_file_that_was_not_touched_is_not_even_parsed(project: Run) -> None:
    write("a.py", "safe_old (\n")
    git("commit", "-qam", "broken")
    assert project("--diff-base", "HEAD").status == 0
    write("a.py", "safe_old (\n\n\n")
    assert codes(project("--diff-base", "HEAD")) == ["NL001"]


def test_the_baseline_holds_too(project: Run) -> None:
    write("a.py", "x = safe_old\nx = safe_old\ny = 1\n")
    project("--baseline", "base.json", "--update-baseline")
    write("a.py", "x = safe_old\nx = safe_old\ny = 1\nx = safe_old\nunsafe_old\n")
    args = ("--baseline", "base.json", "--diff-base", "HEAD")
    assert places(project, *args) == ["a.py:4:5", "a.py:5:1"]


def test_git_may_be_asked_from_any_folder(project: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write("sub/b.py", "safe_old\n")
    full = file.absolute()
    monkeypatch.chdir("sub")
    assert places(project, "--diff-base", "HEAD", "--select", "TST") == ["b.py:1:1"]
    monkeypatch.chdir("/")
    assert len(places(project, "--diff-base", "HEAD", "--select", "TST", str(full))) == 1


@pytest.mark.parametrize("name", ["with space.py", "é.py", 'quo"te.py', "tab\t.py"])
def test_odd_names_are_understood(project: Run, name: str) -> None:
    write(name, "safe_old\n")
    git("add", ".")
    assert " TST101 " in project("--diff-base", "HEAD").out


def test_the_configuration_of_git_has_no_say(project: Run) -> None:
    for key, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.external": "false",
        "color.ui": "always",
        "diff.context": "50",
        "diff.interHunkContext": "50",
        "diff.relative": "true",
        "core.fsmonitor": "touch was-run",
    }.items():
        git("config", key, value)
    write(".gitattributes", "*.py -diff\n")
    write("a.py", "x = safe_old\ny = 1\nunsafe_old\n")
    assert places(project, "--diff-base", "HEAD") == ["a.py:3:1"]
    assert not Path("was-run").exists()


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("--output=x.py", "'--output=x.py' is no git ref"),
        ("-", "'-' is no git ref"),
        ("", "'' is no git ref"),
        ("a\nb", r"'a\nb' is no git ref"),
        ("nowhere", "git knows no commit 'nowhere'"),
        ("HEAD:a.py", "git knows no commit 'HEAD:a.py'"),
        ("HEAD..HEAD", "git knows no commit 'HEAD..HEAD'"),
        ("$(touch was-run)", "git knows no commit '$(touch was-run)'"),
    ],
)
def test_a_wrong_ref_ends_in_one_line_and_status_2(project: Run, ref: str, message: str) -> None:
    ran = project(f"--diff-base={ref}")
    assert (ran.status, ran.out, ran.err) == (2, "", f"neuronlint: {message}\n")
    assert sorted(path.name for path in Path().iterdir()) == [".git", "a.py", "neuronlint.toml"]


def test_a_history_that_is_cut_off_is_told(project: Run) -> None:
    git("checkout", "-q", "--orphan", "other")
    git("commit", "-qm", "unrelated")
    ran = project("--diff-base", "main")
    assert (ran.status, ran.err) == (
        2,
        "neuronlint: git knows no common ancestor of HEAD and 'main'; a shallow clone lacks it\n",
    )


def test_outside_a_repository_there_is_no_ref(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    Path(".git").rmdir()
    ran = run("--diff-base", "HEAD")
    assert (ran.status, ran.err) == (2, f"neuronlint: {tmp_path} is in no git repository\n")


def test_a_file_outside_the_repository_is_refused(
    project: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "a.py"
    other.write_text("safe_old\n")
    ran = project("--diff-base", "HEAD", "a.py", str(other))
    assert ran.status == 2
    assert f"{other} lies outside the git repository" in ran.err


def test_a_machine_without_git_is_told(project: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    ran = project("--diff-base", "HEAD")
    assert (ran.status, ran.err) == (
        2,
        "neuronlint: git cannot be run: No such file or directory\n",
    )


# -- as a diff says --

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


# -- lines while they are edited --


def finding(first: int, last: int) -> Finding:
    place = (first, 1, last, 2)
    return Finding(Path("a.py"), *place, "NL101", "cuda-call", "message", Severity.ERROR)


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        (Edit(0, 0, "new\n"), ((1, 1), (3, 4))),
        (Edit(0, 1, "b"), ((1, 3),)),
        (Edit(6, 7, "b\nc\n"), ((2, 5),)),
        (Edit(3, 6, ""), ((2, 2),)),
        (Edit(9, 12, ""), ((2, 3),)),
        (Edit(12, 12, "new"), ((2, 3), (5, 5))),
    ],
)
def test_lines_follow_an_edit(edit: Edit, after: tuple[tuple[int, int], ...]) -> None:
    source = Source(b"a1\na2\na3\na4\n")
    assert Lines(((2, 3),)).after(source, [edit]).ranges == after


_TEXTS = st.sampled_from(["", "q", "q\nr", "new\n", "a\nb\n"])


@given(st.sets(st.integers(1, 8)), st.lists(st.integers(0, 39), min_size=2, max_size=6), _TEXTS)
def test_lines_that_no_edit_touches_stay_chosen_or_not(
    chosen: set[int], points: list[int], text: str
) -> None:
    lines = [f"l{row}x{row}" for row in range(1, 9)]
    source = Source("".join(f"{line}\n" for line in lines).encode())
    points = sorted(set(points))
    made = [Edit(a, b, text) for a, b in zip(points[::2], points[1::2], strict=False)]
    assume(made)
    after = Lines.of((row, row) for row in chosen).after(source, made)
    new = source.edited(made).data.decode().split("\n")
    for row, line in enumerate(lines, 1):
        start = source.line_starts[row - 1]
        if all(edit.end < start or edit.start > start + len(line) for edit in made):
            at = new.index(line) + 1
            assert after.meet(finding(at, at)) == (row in chosen)


def test_every_line_is_every_line_for_good() -> None:
    after = EVERY.after(Source(b"a\nb\n"), [Edit(0, 2, ""), Edit(2, 2, "x\ny\n")])
    assert all(after.meet(finding(row, row)) for row in (1, 2, 3, 10_000))
