"""What users of the command line see: output, exit status, wrong use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from project import Ran, Run, codes, write

from neuronlint import files, runner


def test_findings_are_shown_and_make_the_status_1(run: Run) -> None:
    write("a.py", "x = safe_old\ny = unsafe_old\n")
    assert run("a.py") == Ran(
        1,
        "a.py:1:5: error TST101 [*] `safe_old` is old; write `safe_new`\n"
        "    1 | x = safe_old\n"
        "      |     ^^^^^^^^\n"
        "a.py:2:5: warning TST102 `unsafe_old` is old; write `unsafe_new`\n"
        "    2 | y = unsafe_old\n"
        "      |     ^^^^^^^^^^\n"
        "      = help: --unsafe-fixes makes this fix; neuronlint rule TST102 says what may change\n"
        "Found 2 findings (1 error, 1 warning) in 1 of 1 file.\n"
        "[*] 1 fixable with --fix (1 more with --unsafe-fixes).\n",
        "",
    )


def test_a_clean_project_makes_the_status_0(run: Run) -> None:
    write("a.py", "x = 1\n")
    assert run() == Ran(0, "All checks passed!\n", "")


def test_check_is_what_happens_without_a_command(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("check", "a.py") == run("a.py") == run(".") == run() == run("check")


def test_a_folder_named_as_a_command_is_given_as_a_path(run: Run) -> None:
    write("rule/a.py", "safe_old\n")
    assert codes(run("./rule")) == codes(run("check", "rule")) == ["TST101"]


def test_no_python_files_is_worth_a_warning(run: Run) -> None:
    assert run() == Ran(
        0,
        "All checks passed!\n",
        "neuronlint: warning: no files to check found under the given paths\n",
    )


def test_a_suppressed_finding_is_not_shown(run: Run) -> None:
    write("a.py", "safe_old  # noqa: TST101\nsafe_old  # neuronlint: ignore[TST1] on purpose\n")
    assert run().status == 0


@pytest.mark.parametrize(
    ("source", "level", "status"),
    [
        ("safe_old", "error", 1),
        ("unsafe_old", "error", 0),
        ("unsafe_old", "warning", 1),
        ("shown_old", "warning", 0),
        ("shown_old", "info", 1),
    ],
)
def test_fail_on_names_the_least_severity_that_counts(
    run: Run, source: str, level: str, status: int
) -> None:
    write("a.py", f"{source}\n")
    assert run("--fail-on", level).status == status


def test_exit_zero_makes_findings_no_failure(run: Run) -> None:
    write("a.py", "safe_old\n")
    ran = run("--exit-zero")
    assert (ran.status, codes(ran)) == (0, ["TST101"])


@pytest.mark.parametrize("source", ["safe_old (\n", "crash_old\n", "safe_old '\udcff'\n"])
def test_a_file_that_was_not_checked_is_never_a_success(run: Run, source: str) -> None:
    Path("a.py").write_bytes(source.encode(errors="surrogateescape"))
    ran = run("--exit-zero", "--fail-on", "error")
    assert ran.status == 1
    assert "a.py:1:" in ran.out
    assert " error NL00" in ran.out


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that reads badly")
def test_an_unreadable_file_is_a_finding(run: Run) -> None:
    write("a.py", "safe_old\n")
    ran = run("--exit-zero", "-q", "/proc/self/mem", "a.py")
    assert ran.status == 1
    assert ran.out.startswith(
        "/proc/self/mem:1:1: error NL002 cannot be read: Input/output error\na.py:1:1: error TST101"
    )


def test_a_path_that_is_not_there_is_a_finding(run: Run) -> None:
    write("a.py", "safe_old\n")
    ran = run("--exit-zero", "-q", "nowhere.py", "a.py")
    assert (ran.status, codes(ran)) == (1, ["NL002", "TST101"])


def test_a_crash_of_our_own_ends_in_one_line_and_status_2(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "find", None)
    ran = run()
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("neuronlint: TypeError in checking.py, line ")


def test_debug_shows_where_a_crash_happened(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "find", None)
    assert "Traceback (most recent call last)" in run("--debug").err


def test_debug_shows_where_a_rule_failed(run: Run) -> None:
    write("a.py", "crash_old\n")
    ran = run("--debug")
    assert (ran.status, codes(ran)) == (1, ["NL003"])
    assert 'raise ValueError("no such thing")' in ran.err


def test_a_crash_in_one_file_is_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("safe_old\n")
    broken = [None]
    plan = runner.Plan(broken)  # type: ignore[arg-type]  # on purpose
    (finding,) = runner.visit(file, plan).findings
    assert (finding.code, finding.path) == ("NL003", file)
    assert finding.message.startswith("not checked: AttributeError in ")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fixx"], "No such option"),
        (["--torch", "new"], "torch 'new' is not a version; write for example 2.9"),
        (["--output-format", "yaml"], "'yaml' is not one of 'text', 'full', 'concise', "),
        (["--output-format", "jsn"], "; did you mean 'json'?"),
        (["--fail-on", "warn"], "; did you mean 'warning'?"),
        (["ruls"], "there is no command or path 'ruls'; did you mean 'rules'?"),
        (["--config", "nowhere.toml"], "--config: there is no file 'nowhere.toml'"),
        (["--config", "slect=['TST']"], "unknown key 'slect'; did you mean 'select'?"),
        (["--config", "select='TST'"], "select must be a list of strings"),
        (["--config", "select=TST"], "not TOML"),
        (
            ["--select", "TST9"],
            "no rule has the code 'TST9'; those that start with TST are TST101 to ",
        ),
        (["--select", "TST19"], "'TST19'; those that start with TST1 are TST101 to TST102"),
        (["--select", "TST29"], "no rule has the code 'TST29'; did you mean 'TST201'?"),
        (["--select", "tst1"], "no rule has the code 'tst1'; did you mean 'TST1'?"),
        (["--select", "safe-old,TSX101"], "no rule has the code 'TSX101'; did you mean 'TST101'?"),
        (["--select", "all"], "no rule has the code 'all'; did you mean 'ALL'?"),
        (["--select", ""], "Invalid value for '--select': it is empty"),
        (["--exclude", "a.py", "--exclude", ", "], "Invalid value for '--exclude': it is empty"),
        (["--per-file-ignores", ""], "Invalid value for '--per-file-ignores': it is empty"),
        (
            ["rule", "TST1"],
            "no rule has the code 'TST1'; those that start with TST1 are TST101 to ",
        ),
        (["--ignore", "tst101"], "--ignore: no rule has the code 'tst101'; did you mean 'TST101'?"),
        (["--fixable", "safe-odl"], "did you mean 'safe-old'?"),
        (["--per-file-ignores", "a.py:TST9"], "--per-file-ignores: no rule has the code 'TST9'"),
        (["--per-file-ignores", "TST101"], "'TST101' is no GLOB:CODE"),
        (["--config", "severity.TST101='of'"], "severity.TST101 must be one of 'off', "),
        (["--config", "required-version='>=99'"], "neuronlint >=99 is required, this is "),
        (["--config", "device.style='none'"], "--config: device.style: no style 'none'"),
        (["--isolated", "--config", "neuronlint.toml"], "--isolated reads no file"),
        (["--statistics", "--output-format", "junit"], "--statistics has no format 'junit'"),
        (["rule", "TST999"], "TST999"),
        (["rule"], "name a rule, or ask for --all"),
        (["config", "selct"], "unknown key 'selct'; did you mean 'select'?"),
        (["generate-shell-completion", "bsh"], "; did you mean 'bash'?"),
        (["rules", "x"], "unexpected extra argument"),
    ],
)
def test_wrong_use_ends_in_one_line_and_status_2(run: Run, args: list[str], message: str) -> None:
    write("a.py", "safe_old\n")
    ran = run(*args)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("neuronlint: ")
    assert ran.err.count("\n") == 1
    assert message in ran.err


def test_a_wrong_option_is_told_the_right_one(run: Run) -> None:
    assert "--extend-select" in run("--extend-selct", "TST").err


def test_a_wrong_configuration_ends_in_one_line_and_status_2(run: Run, tmp_path: Path) -> None:
    Path("neuronlint.toml").write_text('slect = ["TST"]\n')
    file = tmp_path / "neuronlint.toml"
    assert run() == Ran(2, "", f"neuronlint: {file}: unknown key 'slect'; did you mean 'select'?\n")


def test_help_and_version_are_at_hand(run: Run) -> None:
    assert run("--version").out.startswith("neuronlint ")
    assert run("--help").out.startswith("Usage: neuronlint [OPTIONS] [check] [PATHS]...")
    assert "--unsafe-fixes" in run("check", "--help").out


def python(*args: str, stdout: int = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *args]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)


def test_the_module_runs_as_a_program(tmp_path: Path) -> None:
    ran = python("-m", "neuronlint", "--torch", "new", str(tmp_path))
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)


def test_a_reader_that_goes_away_ends_the_run_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = python("-m", "neuronlint", "check", "--help", stdout=writing)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (1, "")


@pytest.mark.parametrize("args", ["['--help']", "['--version']", "['check', '--help']"])
def test_help_does_not_wait_for_trees_rules_and_reporters(args: str) -> None:
    program = (
        "import sys\nfrom neuronlint.cli import main\n"
        f"try: main({args})\nfinally: print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    loaded = python("-c", program).stderr.split()
    slow = ("libcst", "neuronlint_rules", "neuronlint.reporters.", "neuronlint.engine", "logging")
    assert not [name for name in loaded if name.startswith(slow)]
