"""What users of the command line see: output, files, exit status."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from neuronlint import cli, runner
from neuronlint.files import Found

PACK = """
import libcst as cst
from neuronlint import Applicability, Fix, Rule, Severity

ROWS = {
    "TST101": ("safe_old", "safe_new", Severity.ERROR, Applicability.SAFE),
    "TST102": ("unsafe_old", "unsafe_new", Severity.WARNING, Applicability.UNSAFE),
    "TST201": ("shown_old", "shown_new", Severity.INFO, Applicability.DISPLAY),
}


def make(code, old, new, severity, applicability):
    name, message = old.replace("_", "-"), "`{old}` is old; write `{new}`"
    rule = Rule(code, name, message, __name__, severity, triggers=("_old",))

    @rule.check
    def check(node: cst.Name, module):
        if node.value == "crash_old":
            raise ValueError("no such thing")
        if node.value == old:
            fix = Fix((module.replace(node, new),), applicability)
            yield rule.match(node, fix, old=old, new=new)

    return rule


RULES = [make(code, *row) for code, row in ROWS.items()]
"""


@pytest.fixture(scope="module", autouse=True)
def _pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A rule pack of our own, installed for these tests, so that no built-in rule matters."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "sample_pack").mkdir()
    (folder / "sample_pack/__init__.py").write_text("")
    (folder / "sample_pack/old.py").write_text(PACK)
    (folder / "sample_pack/old.md").write_text("# The page\n\nWhy old is old.\n")
    metadata = folder / "sample_pack-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: sample-pack\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(
        "[neuronlint.rules]\nsample = sample_pack.old:RULES\n"
    )
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs neuronlint in an empty project that asks for the rules of the sample pack."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "NEURONLINT_OUTPUT_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    Path(".git").mkdir()
    Path("neuronlint.toml").write_text('select = ["TST"]\n')

    def run(*args: str) -> Ran:
        with pytest.raises(SystemExit) as left:
            cli.main(args)
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, *capsys.readouterr())

    return run


def write(name: str, text: str) -> Path:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def codes(ran: Ran) -> list[str]:
    return [line.split()[2] for line in ran.out.splitlines() if ": " in line and ".py:" in line]


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
        "neuronlint: warning: no Python files found under the given paths\n",
    )


def test_fix_makes_safe_fixes(run: Run) -> None:
    file = write("a.py", "x = safe_old\ny = unsafe_old\n")
    ran = run("--fix")
    assert (ran.status, codes(ran)) == (1, ["TST102"])
    assert ran.out.endswith("Fixed 1 finding, 1 left.\n1 fixable with --fix --unsafe-fixes.\n")
    assert file.read_text() == "x = safe_new\ny = unsafe_old\n"


def test_all_fixed_makes_the_status_0(run: Run) -> None:
    file = write("a.py", "x = safe_old\ny = unsafe_old\n")
    assert run("--fix", "--unsafe-fixes") == Ran(0, "Fixed 2 findings, 0 left.\n", "")
    assert file.read_text() == "x = safe_new\ny = unsafe_new\n"


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
    write("a.py", "unsafe_old\n")
    assert run("--diff") == Ran(0, "", "Would fix 0 findings in 0 files.\n")


def test_diff_tells_of_a_file_it_cannot_parse(run: Run) -> None:
    write("a.py", "safe_old (\n")
    ran = run("--diff", "--quiet")
    assert (ran.status, ran.out) == (1, "")
    assert "error NL001 " in ran.err


@pytest.mark.parametrize(
    ("args", "found"),
    [
        (["--select", "TST1"], ["TST101", "TST102"]),
        (["--select", "TST101,TST201"], ["TST101", "TST201"]),
        (["--select", "TST101", "--select", "TST102"], ["TST101", "TST102"]),
        (["--ignore", "TST1"], ["TST201"]),
        (["--select", "TST101", "--extend-select", "TST2"], ["TST101", "TST201"]),
    ],
)
def test_rules_are_chosen_by_the_start_of_their_code(
    run: Run, args: list[str], found: list[str]
) -> None:
    write("a.py", "safe_old\nunsafe_old\nshown_old\n")
    assert codes(run(*args)) == found


def test_a_rule_asked_for_by_select_runs_though_the_project_ignores_it(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\nignore = ["TST101"]\n')
    write("a.py", "safe_old\nunsafe_old\n")
    assert codes(run()) == ["TST102"]
    assert codes(run("--select", "TST101")) == ["TST101"]


def test_a_suppressed_finding_is_not_shown(run: Run) -> None:
    write("a.py", "safe_old  # noqa: TST101\nsafe_old  # neuronlint: ignore[TST1] on purpose\n")
    assert run().status == 0


def test_json_is_printed_alone(run: Run) -> None:
    write("a.py", "safe_old\n")
    ran = run("--output-format", "json")
    assert [row["code"] for row in json.loads(ran.out)] == ["TST101"]
    assert (ran.status, ran.err) == (1, "")


def test_the_format_may_come_from_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEURONLINT_OUTPUT_FORMAT", "github")
    write("a.py", "safe_old\n")
    assert run().out.startswith("::error title=neuronlint (TST101),file=")


def test_colours_are_for_terminals_or_by_order(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", "safe_old\n")
    assert "\x1b[" not in run().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run().out


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


def test_a_crash_in_one_file_is_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("safe_old\n")
    broken = [None]
    report = runner.run(Found((file,)), runner.Plan(broken))  # type: ignore[arg-type]  # on purpose
    assert [(each.code, each.path) for each in report.findings] == [("NL003", file)]
    assert report.findings[0].message.startswith("not checked: AttributeError in engine.py, line ")


def test_a_file_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("new\n")
    with pytest.raises(runner.WriteError, match="changed while it was being fixed"):
        runner.write(file, b"old\n", b"fixed\n")
    assert (file.read_text(), list(tmp_path.iterdir())) == ("new\n", [file])


def test_configured_excludes_count_from_their_file(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\nextend-exclude = ["sub/a.py"]\n')
    write("sub/a.py", "safe_old\n")
    write("sub/b.py", "unsafe_old\n")
    assert codes(run("sub")) == ["TST102"]


def test_excludes_of_the_command_line_count_from_the_current_folder(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("sub/deep/a.py", "safe_old\n")
    write("sub/b.py", "unsafe_old\n")
    write("build/c.py", "shown_old\n")
    assert codes(run("--extend-exclude", "sub/deep")) == ["TST102"]
    assert codes(run("--exclude", "deep,sub/b.py")) == ["TST201"]
    monkeypatch.chdir("sub")
    assert codes(run("--extend-exclude", "deep/*.py")) == ["TST102"]


def test_a_named_file_is_checked_unless_excluding_is_forced(run: Run) -> None:
    write("build/a.py", "safe_old\n")
    assert codes(run("build/a.py")) == ["TST101"]
    assert run("--force-exclude", "build/a.py").status == 0


def test_config_names_the_file_to_read(run: Run) -> None:
    write("ci/lint.toml", 'select = ["TST2"]\n')
    write("a.py", "safe_old\nshown_old\n")
    assert codes(run("--config", "ci/lint.toml")) == ["TST201"]


def test_isolated_reads_no_file(run: Run) -> None:
    Path("neuronlint.toml").write_text("not = toml = at all\n")
    write("a.py", "safe_old\n")
    assert codes(run("--isolated", "--select", "TST")) == ["TST101"]


def test_rule_prints_the_page(run: Run) -> None:
    page = Ran(0, "# The page\n\nWhy old is old.\n", "")
    assert run("rule", "TST101") == run("rule", "tst101") == run("rule", "safe-old") == page


def test_rules_lists_code_severity_and_name(run: Run) -> None:
    ran = run("rules")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith(
        "TST101  error    safe-old\nTST102  warning  unsafe-old\nTST201  info     shown-old\n"
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fixx"], "No such option"),
        (["--torch", "new"], "torch 'new' is not a version; write for example 2.9"),
        (["--output-format", "yaml"], "'yaml' is not one of 'text', 'json', 'github'"),
        (["nowhere.py"], "'nowhere.py' does not exist"),
        (["--config", "nowhere.toml"], "'nowhere.toml' does not exist"),
        (["--select", "TST999"], "TST999"),
        (["rule", "TST999"], "TST999"),
        (["rule"], "Missing argument"),
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
    ran = python("-m", "neuronlint", str(tmp_path / "nowhere"))
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)


def test_a_reader_that_goes_away_ends_the_run_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = python("-m", "neuronlint", "check", "--help", stdout=writing)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (1, "")


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_does_not_wait_for_the_syntax_tree(option: str) -> None:
    program = (
        "import sys\nfrom neuronlint.cli import main\n"
        f"try: main(['{option}'])\nfinally: print('libcst' in sys.modules, file=sys.stderr)"
    )
    assert python("-c", program).stderr == "False\n"
