"""Input of every sort ends in a finding or in one line, and costs no other file its findings."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from project import Ran, Run, codes, install, write

from neuronlint import batch, engine, registry, runner
from neuronlint.files import Found
from neuronlint.source import Source, SourceError

CALL = b"import torch\nx.cuda()\n"


@contextmanager
def nobody() -> Iterator[None]:
    """Lose what root may do and others may not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def shared(run: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project in a folder that every user may enter and write to."""
    if not hasattr(os, "geteuid"):
        pytest.skip("needs users")
    write("warm.py", "safe_old\n")
    run("--fix", "--no-cache", "--isolated")  # all that is imported is imported
    with tempfile.TemporaryDirectory() as site, tempfile.TemporaryDirectory() as name:
        Path(site).chmod(0o755)
        Path(name).chmod(0o777)
        monkeypatch.setattr(sys, "path", [str(install(Path(site))), *sys.path[1:]])
        monkeypatch.chdir(name)
        write("neuronlint.toml", 'select = ["TST"]\n')
        write("a.py", "safe_old\n")
        yield Path(name)


def refused(ran: Ran) -> str:
    """What the one line on the other stream says of a wrong use."""
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    return ran.err


def test_a_folder_that_cannot_be_looked_into_is_a_finding(run: Run, shared: Path) -> None:
    write("closed/b.py", "safe_old\n")
    write("listed/b.py", "safe_old\n")
    (shared / "closed").chmod(0)
    (shared / "listed").chmod(0o644)
    with nobody():
        ran = run("-q", "--no-cache")
    assert (ran.status, ran.err) == (1, "")
    assert codes(ran) == ["TST101", "NL002"]
    assert "closed:1:1: error NL002 cannot be read: Permission denied" in ran.out


def test_a_named_file_that_cannot_be_read_is_a_finding(run: Run, shared: Path) -> None:
    write("closed/b.py", "safe_old\n")
    write("no.py", "safe_old\n")
    (shared / "no.py").chmod(0)
    (shared / "closed").chmod(0)
    with nobody():
        ran = run("-q", "--no-cache", "no.py", "closed/b.py", "a.py")
    assert (ran.status, codes(ran)) == (1, ["NL002", "NL002", "TST101"])


def test_a_file_that_is_read_only_is_not_fixed(run: Run, shared: Path) -> None:
    Path("a.py").chmod(0o444)
    with nobody():
        ran = run("--fix", "--no-cache")
    assert ran.status == 1
    assert "a.py:1:1: error NL005 cannot be fixed: it is read-only" in ran.out
    assert Path("a.py").read_text() == "safe_old\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_nobody_waits_for_a_pipe(run: Run) -> None:
    for name in (".gitignore", "requirements.txt", "setup.cfg", "environment.yml", "b.py"):
        os.mkfifo(name)
    write("a.py", "safe_old\n")
    assert codes(run("-q")) == ["TST101"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "[" * 100_000, "it nests too deeply"),
        ("a = " + "9" * 10_000, "Exceeds the limit"),
        ("extend = 'C:\\x\\b.toml'", "there is no file"),
        (f"extend = '{'a' * 5000}'", "there is no file"),
        ("exclude = ['C:\\x'", "not TOML"),
        ('exclude = ["C:\\Users"]', "not TOML"),
    ],
    ids=["deep", "digits", "windows", "long", "open", "escape"],
)
def test_a_configuration_that_cannot_be_read_is_one_line(run: Run, text: str, message: str) -> None:
    write("neuronlint.toml", text + "\n")
    assert message in refused(run())


def test_windows_paths_in_a_configuration_are_patterns(run: Run) -> None:
    write("neuronlint.toml", "select = ['TST']\nexclude = ['C:\\x\\a.py', 'sub\\a.py']\n")
    write("a.py", "safe_old\n")
    assert codes(run("-q")) == ["TST101"]


def test_a_folder_that_is_gone_is_one_line(run: Run) -> None:
    gone = Path("gone").absolute()
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    assert "the current folder: No such file or directory" in refused(run())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("streams", "status"), [("> /dev/full", 2), (">&-", 1), ("<&-", 1), ("2>&-", 1)]
)
def test_streams_that_are_full_or_closed(tmp_path: Path, streams: str, status: int) -> None:
    (tmp_path / "a.py").write_bytes(CALL)
    command = f'"{sys.executable}" -P -m neuronlint -q a.py {streams}'
    if sys.version_info < (3, 11):
        command = command.replace("-P ", "")
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert done.stderr.count("\n") == (status == 2)
    assert "this is a bug" not in done.stderr


def test_a_file_that_is_gone_when_it_is_read_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_bytes(CALL)
    found = Found((tmp_path / "a.py", tmp_path / "b.py"))
    plan = runner.Plan(registry.installed())
    outcomes = batch.outcomes(found, lambda path: plan)
    assert [each.code for one in outcomes for each in one.findings] == ["NL002", "NL101"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that part")
@pytest.mark.parametrize("death", ["kill", "sleep"])
def test_one_file_that_takes_everything_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str
) -> None:
    paths = (tmp_path / "a.py", tmp_path / "b.py")
    for path in paths:
        path.write_bytes(CALL)
    monkeypatch.setattr(batch, "_WORTH_SPREADING", 0)
    visit = runner.visit

    def dying(path: Path, plan: runner.Plan) -> runner.Outcome:
        if path.name == "a.py":
            os.kill(os.getpid(), 9) if death == "kill" else time.sleep(60)
        return visit(path, plan)

    monkeypatch.setattr(runner, "visit", dying)
    plan = runner.Plan(registry.installed())
    way = batch.Way(jobs=1, limit=1)
    outcomes = batch.outcomes(Found(paths), lambda path: plan, way)
    said = [each.message for one in outcomes for each in one.findings]
    why = "process that checked it ended with -9" if death == "kill" else "longer than 1 seconds"
    assert why in said[0]
    assert [each.code for one in outcomes for each in one.findings] == ["NL001", "NL101"]


@pytest.mark.parametrize("name", ["unicode_escape", "raw_unicode_escape", "utf-7"])
def test_an_encoding_that_would_write_other_bytes_fixes_nothing(name: str) -> None:
    source = f"# coding: {name}\ntext = '\\x41+ZeVnLIqe-\\u0041'\nimport torch\n".encode() + CALL
    fixed = engine.fix(source, Path("a.py"), registry.installed(), unsafe=True)
    assert fixed.source == source
    assert {each.code for each in fixed.left} == {"NL101", "NL004"}


@pytest.mark.parametrize("name", ["utf-16-le", "cp037", "rot13", "nonsense"])
def test_an_encoding_that_no_source_can_have_is_told(name: str) -> None:
    with pytest.raises(SourceError):
        Source.read(f"# coding: {name}\n\n".encode() + CALL + b"\n" * (len(name) % 2))
