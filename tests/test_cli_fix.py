"""Fixes that users ask for: which are made, what is told of them, what the files hold then."""

from pathlib import Path

import pytest
from project import Ran, Run, codes, write

from neuronlint import runner

UNDO = (
    "Some of these fixes are unsafe: `git diff` shows them, `git restore` undoes them "
    "with all else that is not committed.\n"
)


def test_fix_makes_safe_fixes(run: Run) -> None:
    file = write("a.py", "x = safe_old\ny = unsafe_old\n")
    ran = run("--fix")
    assert (ran.status, codes(ran)) == (1, ["TST102"])
    assert ran.out.endswith("Fixed 1 finding, 1 left.\n1 fixable with --fix --unsafe-fixes.\n")
    assert file.read_text() == "x = safe_new\ny = unsafe_old\n"


def test_all_fixed_makes_the_status_0(run: Run) -> None:
    file = write("a.py", "x = safe_old\ny = unsafe_old\n")
    assert run("--fix", "--unsafe-fixes") == Ran(0, f"Fixed 2 findings, 0 left.\n{UNDO}", "")
    assert file.read_text() == "x = safe_new\ny = unsafe_new\n"


def test_how_to_undo_is_told_where_unsafe_fixes_were_made_and_git_can(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("--fix", "--unsafe-fixes").out == "Fixed 1 finding, 0 left.\n"
    write("a.py", "unsafe_old\n")
    fixed = run("--fix-only", "--unsafe-fixes").out
    assert fixed == f"Fixed 1 finding in 1 file.\n{UNDO}"
    write("a.py", "unsafe_old\n")
    Path(".git").rmdir()
    assert run("--fix", "--unsafe-fixes").out == "Fixed 1 finding, 0 left.\n"


def test_a_name_does_not_end_the_line_of_a_diff(run: Run) -> None:
    write("a\n+++ b.py", "safe_old\n")
    ran = run("--diff", "a\n+++ b.py")
    assert ran.out.splitlines()[:2] == ["--- a\\n+++ b.py", "+++ a\\n+++ b.py"]


def test_listed_files_take_a_line_each(run: Run) -> None:
    write("a\nb\x1b.py", "safe_old\n")
    assert run("--show-files").out.endswith("a\\nb\\x1b.py\n")


def test_findings_left_are_shown_where_they_are_after_the_fix(run: Run) -> None:
    write("a.py", "(safe_old); y = unsafe_old\n")
    assert "    1 | (safe_new); y = unsafe_old\n" in run("--fix").out


def test_a_fix_that_is_shown_only_is_never_made(run: Run) -> None:
    file = write("a.py", "shown_old\n")
    ran = run("--fix", "--unsafe-fixes")
    assert "= help: possible fix, not made for you: shown_new\n" in ran.out
    assert (ran.status, file.read_text()) == (1, "shown_old\n")


def test_fix_keeps_the_mode_and_the_link(run: Run) -> None:
    file = write("real/a.py", "safe_old\n")
    file.chmod(0o755)
    Path("link.py").symlink_to(file)
    assert run("--fix", "link.py").status == 0
    assert Path("link.py").is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("safe_new\n", 0o755)
    assert [path.name for path in file.parent.iterdir()] == ["a.py"]


def test_fix_leaves_a_file_without_fixes_as_it_is(run: Run) -> None:
    file = write("a.py", "unsafe_old\n")
    before = file.stat()
    run("--fix")
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_fix_keeps_line_ends_and_encoding(run: Run) -> None:
    file = Path("a.py")
    file.write_bytes(b"# coding: latin-1\r\nsafe_old('\xe9')\r\n")
    assert run("--fix").status == 0
    assert file.read_bytes() == b"# coding: latin-1\r\nsafe_new('\xe9')\r\n"


def test_a_file_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("new\n")
    with pytest.raises(runner.WriteError, match="changed while it was being fixed"):
        runner.write(file, b"old\n", b"fixed\n")
    assert (file.read_text(), list(tmp_path.iterdir())) == ("new\n", [file])


def test_diff_shows_the_change_and_makes_none(run: Run) -> None:
    file = write("a.py", "x = safe_old\ny = 1")
    assert run("--diff") == Ran(
        1,
        "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n"
        "-x = safe_old\n+x = safe_new\n y = 1\n\\ No newline at end of file\n",
        "Would fix 1 finding in 1 file.\n",
    )
    assert file.read_text() == "x = safe_old\ny = 1"


def test_diff_of_nothing_makes_the_status_0(run: Run) -> None:
    write("a.py", "new\n")
    assert run("--diff") == Ran(0, "", "Would fix 0 findings in 0 files.\n")


def test_diff_of_nothing_says_what_would_make_one(run: Run) -> None:
    write("a.py", "unsafe_old\n")
    said = "Would fix 0 findings in 0 files.\n1 fixable with --fix --unsafe-fixes.\n"
    assert run("--diff") == Ran(0, "", said)
    assert run("--diff", "--quiet") == Ran(0, "", "")


@pytest.mark.parametrize("args", [[], ["--no-cache"], ["--diff"], ["--fix"]])
def test_fixes_that_an_old_torch_holds_back_are_counted(run: Run, args: list[str]) -> None:
    write("a.py", "import torch\nx = torch.zeros(2).cuda()\ntorch.cuda.empty_cache()\n")
    said = (
        "2 fixes need a newer torch than the oldest that the project supports; "
        "--torch 2.6 offers them.\n"
    )
    for _ in range(2):  # what the cache keeps is told as well
        ran = run("--select", "NL101,NL201", "--torch", "2.1", *args)
        assert (ran.err if "--diff" in args else ran.out).endswith(said)
    ran = run("--select", "NL101,NL201", "--torch", "2.1", "--unfixable", "NL101", *args)
    assert "1 fix needs a newer torch" in (ran.err or ran.out)
    assert "newer torch" not in "".join(map(str, vars(run("--select", "NL1", *args)).values()))


def test_a_diff_is_a_diff_in_any_format(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("--diff", "--output-format", "json") == run("--diff")


def test_diff_tells_of_a_file_it_cannot_parse(run: Run) -> None:
    write("a.py", "safe_old (\n")
    ran = run("--diff", "--quiet")
    assert (ran.status, ran.out) == (1, "")
    assert "error NL001 " in ran.err


@pytest.mark.parametrize(
    ("args", "fixed"),
    [
        (["--fixable", "TST102"], "safe_old, unsafe_new"),
        (["--fixable", "TST102", "--extend-fixable", "safe-old"], "safe_new, unsafe_new"),
        (["--unfixable", "TST102"], "safe_new, unsafe_old"),
        (["--unfixable", "ALL", "--extend-fixable", "TST101"], "safe_new, unsafe_old"),
    ],
)
def test_fixes_are_chosen_by_rule(run: Run, args: list[str], fixed: str) -> None:
    file = write("a.py", "safe_old, unsafe_old\n")
    run("--fix", "--unsafe-fixes", *args)
    assert file.read_text() == f"{fixed}\n"


def test_a_finding_that_is_not_to_be_fixed_is_not_marked_as_fixable(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert "[*]" not in run("--unfixable", "TST101").out


def test_a_project_may_trust_an_unsafe_fix(run: Run) -> None:
    file = write("a.py", "unsafe_old, shown_old\n")
    run("--fix", "--config", "extend-safe-fixes = ['ALL']")
    assert file.read_text() == "unsafe_new, shown_old\n"


def test_a_project_may_mistrust_a_safe_fix(run: Run) -> None:
    file = write("a.py", "safe_old\n")
    mistrust = "extend-unsafe-fixes = ['TST1']"
    assert run("--fix", "--config", mistrust).status == 1
    assert run("--fix", "--unsafe-fixes", "--config", mistrust).status == 0
    assert file.read_text() == "safe_new\n"


def test_mistrust_goes_before_trust(run: Run) -> None:
    file = write("a.py", "safe_old\n")
    run("--fix", "--config", "extend-unsafe-fixes=['TST1']\nextend-safe-fixes=['TST1']")
    assert file.read_text() == "safe_old\n"


def test_fix_only_reports_nothing_that_is_left(run: Run) -> None:
    file = write("a.py", "safe_old, unsafe_old\n")
    assert run("--fix-only") == Ran(0, "Fixed 1 finding in 1 file.\n", "")
    assert file.read_text() == "safe_new, unsafe_old\n"


def test_fix_only_tells_of_a_file_it_cannot_parse(run: Run) -> None:
    write("a.py", "safe_old (\n")
    ran = run("--fix-only", "--exit-zero")
    assert (ran.status, codes(ran)) == (1, ["NL001"])


def test_fix_only_prints_nothing_for_programs(run: Run) -> None:
    write("a.py", "safe_old, unsafe_old\n")
    assert run("--fix-only", "--output-format", "json") == Ran(0, "", "")


def test_show_fixes_lists_what_was_fixed(run: Run) -> None:
    write("a.py", "safe_old, safe_old, unsafe_old\n")
    write("b.py", "safe_old\n")
    ran = run("--fix", "--show-fixes", "--unsafe-fixes")
    assert ran.out == (
        "Fixed 4 findings:\n- a.py:\n    2 × TST101 (safe-old)\n    1 × TST102 (unsafe-old)\n"
        f"- b.py:\n    1 × TST101 (safe-old)\n\nFixed 4 findings, 0 left.\n{UNDO}"
    )


def test_exit_non_zero_on_fix_makes_a_fix_a_failure(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("--fix", "--exit-non-zero-on-fix").status == 1
    assert run("--fix", "--exit-non-zero-on-fix").status == 0


def test_exit_zero_goes_before_exit_non_zero_on_fix(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("--fix-only", "--exit-zero", "--exit-non-zero-on-fix").status == 0


def test_fixing_may_be_configured_and_taken_back(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\nfix = true\nunsafe-fixes = true\n')
    file = write("a.py", "safe_old, unsafe_old\n")
    run("--no-fix")
    assert file.read_text() == "safe_old, unsafe_old\n"
    run("--no-unsafe-fixes")
    assert file.read_text() == "safe_new, unsafe_old\n"
    run()
    assert file.read_text() == "safe_new, unsafe_new\n"
