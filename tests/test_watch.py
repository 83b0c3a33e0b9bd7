"""Checking again whenever a file changes."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest
from project import Run, write

from neuronlint import watching

PATIENCE = 60  # seconds
BEGIN = ("Starting linter in watch mode...", "File change detected...")


class Watcher:
    """A running `neuronlint --watch`, in the current folder."""

    def __init__(self, path: Path, *args: str) -> None:
        self.lines: Queue[str] = Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "neuronlint", "--watch", *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": str(path), "PYTHONUNBUFFERED": "1"},
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def round(self) -> list[str]:
        """The lines of the next run, without the times of the first and the last."""
        lines: list[str] = []
        while not lines or not lines[-1].endswith("Watching for file changes."):
            lines.append(re.sub(r"^\[\d\d:\d\d:\d\d\] ", "", self.lines.get(timeout=PATIENCE)))
        assert lines[0] in BEGIN
        return lines[1:]

    def is_silent(self, seconds: float) -> bool:
        try:
            self.lines.get(timeout=seconds)
        except Empty:
            return True
        return False

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))


@pytest.fixture
def watch(run: Run, pack: Path) -> Iterator[Watcher]:
    """A watcher over a project with one file and one finding, whose first run is over."""
    write("a.py", "safe_old\n")
    watcher = Watcher(pack, "--output-format", "concise")
    assert watcher.round() == [LINE, "Found 1 finding. Watching for file changes."]
    yield watcher
    watcher.process.kill()
    watcher.process.wait()


LINE = "a.py:1:1: error TST101 [*] `safe_old` is old; write `safe_new`"
NONE = ["Found 0 findings. Watching for file changes."]


def put(name: str, text: str) -> None:
    """Write a file at once, as editors do."""
    write(f"{name}.tmp", text).replace(name)


def test_changes_are_checked_as_they_come(watch: Watcher) -> None:
    put("a.py", "safe_new\n")
    assert watch.round() == NONE
    put("b.py", "unsafe_old\n")
    assert [line.split()[0] for line in watch.round()] == ["b.py:1:1:", "Found"]
    Path("b.py").unlink()
    assert watch.round() == NONE


def test_a_changed_configuration_holds_and_a_wrong_one_ends_nothing(watch: Watcher) -> None:
    put("neuronlint.toml", 'select = ["TST2"]\n')
    assert watch.round() == NONE
    for wrong, why in (("selct = []", "unknown key 'selct'"), ('select = ["TST3"]', "'TST3'")):
        put("neuronlint.toml", f"{wrong}\n")
        told, *rest = watch.round()
        assert told.startswith("neuronlint: ")
        assert why in told
        assert rest == NONE
    put("neuronlint.toml", 'select = ["TST"]\n')
    assert watch.round()[0] == LINE


def test_what_changes_during_a_look_is_told_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stamped, looks = watching._stamped, iter(range(9))

    def late(paths: set[Path]) -> Iterator[tuple[Path | str, tuple[int, int]]]:
        """Stamps of files, the configuration of which was another when it was read."""
        if Path("neuronlint.toml").absolute() in paths and next(looks) == 1:
            put("neuronlint.toml", "selct = []\n")
        return stamped(paths)

    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(watching, "_stamped", late)
    monkeypatch.setattr("neuronlint.watching.time.sleep", interrupt)  # once nothing changes
    ran = run("--watch")
    assert (ran.status, next(looks)) == (130, 2)
    assert ran.err.count("unknown key 'selct'") == 1
    assert ran.out.count("File change detected...") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.usefixtures("interruptible")
def test_interrupting_it_ends_it_quietly(watch: Watcher) -> None:
    watch.process.send_signal(signal.SIGINT)
    assert watch.process.wait(PATIENCE) == 130
    time.sleep(0.1)
    assert watch.lines.empty()


def test_fixed_files_are_no_change(run: Run, pack: Path) -> None:
    write("a.py", "safe_old, unsafe_old\n")
    watcher = Watcher(pack, "--fix")
    try:
        assert watcher.round()[-1].startswith("Found 1 finding.")
        assert Path("a.py").read_text() == "safe_new, unsafe_old\n"
        assert watcher.is_silent(1)
        put("a.py", "safe_old\n")
        assert watcher.round() == NONE
        assert Path("a.py").read_text() == "safe_new\n"
    finally:
        watcher.process.kill()
        watcher.process.wait()


@pytest.mark.parametrize(
    "args", [["--diff"], ["-"], ["--show-files"], ["--add-noqa"], ["--statistics"]]
)
def test_what_makes_no_sense_twice_is_refused(run: Run, args: list[str]) -> None:
    ran = run("--watch", *args)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("neuronlint: --watch does not go with ")


def test_a_report_for_programs_is_refused(run: Run) -> None:
    ran = run("-w", "--output-format", "json")
    assert ran.status == 2
    assert ran.err.endswith("--watch does not go with the format 'json', which is for programs\n")
