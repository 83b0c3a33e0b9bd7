"""What is told of a run while it goes on."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from project import Run, write

from neuronlint.progress import Progress

HERE = Path("a.py")


class Clock:
    """A clock that goes on by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def progress(**given: bool) -> tuple[Progress, io.StringIO, Clock]:
    stream, clock = io.StringIO(), Clock()
    return Progress(stream, clock=clock, **given), stream, clock


def test_a_short_run_tells_nothing() -> None:
    told, stream, clock = progress()
    with told:
        clock.now = 0.9
        told.show(1, 2, HERE)
    assert stream.getvalue() == ""


def test_a_longer_run_tells_how_far_it_is_on_one_line_that_goes() -> None:
    told, stream, clock = progress()
    with told:
        clock.now = 1.0
        told.show(1, 3, Path("dir/long.py"))
        clock.now = 1.05  # too soon to look again
        told.show(2, 3, HERE)
        clock.now = 1.2
        told.show(3, 3, HERE)
    line = "neuronlint: 1 of 3 files, dir/long.py"
    assert stream.getvalue() == (
        f"\r{line}\r{'neuronlint: 3 of 3 files, a.py'.ljust(len(line))}\r{' ' * 30}\r"
    )


def test_a_long_path_is_cut_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    told, stream, clock = progress()
    clock.now = 2
    told.show(1, 2, Path("somewhere/deep/\x1bin/a.py"))
    assert stream.getvalue() == "\rneuronlint: 1 …ep/\\x1bin/a.py"


def interrupt(told: Progress) -> None:
    with told:
        told.show(1, 2, HERE)
        raise KeyboardInterrupt


def test_an_interrupted_run_says_how_far_it_came() -> None:
    told, stream, _ = progress(shown=False)
    with pytest.raises(click.Abort):
        interrupt(told)
    assert stream.getvalue() == "neuronlint: interrupted after 1 of 2 files\n"


def test_a_quiet_run_says_nothing() -> None:
    told, stream, _ = progress(shown=False, quiet=True)
    with pytest.raises(click.Abort):
        interrupt(told)
    assert stream.getvalue() == ""


SLOW = """
import os
import time
import libcst as cst
from neuronlint import Rule

RULES = [rule := Rule("SLO101", "slow", "slow", __name__)]


@rule.check
def slow(node: cst.Module, module):
    time.sleep(float(os.environ["PAUSE"]))
    return iter(())
"""


@pytest.fixture
def slow(run: Run, tmp_path: Path) -> dict[str, str]:
    """The environment of a project in which each of eight files takes a while."""
    site = tmp_path / "site/slow_pack"
    site.mkdir(parents=True)
    (site / "__init__.py").write_text(SLOW)
    metadata = tmp_path / "site/slow_pack-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-pack\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[neuronlint.rules]\nslow = slow_pack:RULES\n")
    for number in range(8):
        write(f"src/{number}.py", f"x = '{'long ' * 12_000}'\n")  # worth two processes
    kept = {name: value for name, value in os.environ.items() if name != "CI"}
    terminal = {"TERM": "xterm", "COLUMNS": "80"}
    return {**kept, **terminal, "PYTHONPATH": str(tmp_path / "site"), "PAUSE": "0.2"}


COMMAND = [sys.executable, "-m", "neuronlint", "--isolated", "--select", "SLO", "-j1", "src"]


def watched(env: dict[str, str], *args: str, interrupt: bool = False) -> tuple[int, str]:
    """The exit status, and what a terminal gets as standard error."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *args],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=env,
        start_new_session=True,  # for what a terminal interrupts
    )
    os.close(theirs)
    told = b""
    try:
        while piece := os.read(ours, 1000):
            told += piece
            if interrupt and b"of 8 files" in told:
                interrupt = False
                os.killpg(process.pid, signal.SIGINT)
    except OSError:  # as Linux says that nobody holds the other end
        pass
    os.close(ours)
    return process.wait(), told.decode().replace("\r\n", "\n")


def test_whoever_watches_a_terminal_sees_a_line_that_goes(slow: dict[str, str]) -> None:
    status, told = watched(slow)
    assert status == 0
    assert " of 8 files, src/" in told
    assert told.rpartition("files, ")[2].strip("src/7.py\r ") == ""
    assert "\n" not in told


@pytest.mark.parametrize(
    ("args", "extra"), [(["-q"], {}), ([], {"CI": "true"}), ([], {"TERM": "dumb"})]
)
def test_nobody_else_sees_it(slow: dict[str, str], args: list[str], extra: dict[str, str]) -> None:
    assert watched({**slow, **extra}, *args) == (0, "")


def test_it_is_not_in_a_pipe(slow: dict[str, str]) -> None:
    ran = subprocess.run(COMMAND, env=slow, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_an_interrupted_run_leaves_one_line_and_no_half_written_file(
    slow: dict[str, str], jobs: str
) -> None:
    longer = {**slow, "PAUSE": "0.4"}  # two processes are done in half the time
    status, told = watched(longer, "--fix", jobs, interrupt=True)
    assert status == 130
    assert told.endswith(" of 8 files\n")
    assert "\rneuronlint: interrupted after " in told
    assert told.count("\n") == 1
    assert {path.name for path in Path("src").iterdir()} == {f"{each}.py" for each in range(8)}
