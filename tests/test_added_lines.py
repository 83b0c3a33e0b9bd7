"""Findings on lines added since a git ref only."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from project import Run, codes, write


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


def test_that_nothing_was_added_is_nothing_to_warn_of(project: Run) -> None:
    ran = project("--diff-base", "HEAD")
    assert ran.status == 0
    assert "no files to check" not in ran.err


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
