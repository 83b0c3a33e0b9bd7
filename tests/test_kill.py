"""Whenever a process that fixes files is killed, each file is as it was or as it is to be."""

import os
import signal
import sys
from pathlib import Path

import pytest

from neuronlint import registry, runner
from neuronlint.report import UNWRITABLE

OLD = b"# coding: latin-1\r\nimport torch\r\ntorch.cuda.synchronize()  # \xe9\r\nx.cuda()\r\n"
NAMES = ("a.py", "b.py", "c.ipynb")
CELL = '{"cells": [{"cell_type": "code", "source": "import torch\\ntorch.cuda.synchronize()"}]}'
PLAN = runner.Plan(registry.installed(), fix=True, unsafe=True)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that part")


def content(name: str) -> bytes:
    return CELL.encode() if name.endswith(".ipynb") else OLD


def new(folder: Path) -> dict[str, bytes]:
    """The files with what fixing makes of them."""
    for name in NAMES:
        (folder / name).write_bytes(content(name))
        assert not [each for each in runner.visit(folder / name, PLAN).findings if each.fix]
    return {name: (folder / name).read_bytes() for name in NAMES}


def killed(folder: Path, moment: int) -> bool:
    """Fix the files in a process that ends at the nth thing it asks of the system, if it does."""
    child = os.fork()
    if child == 0:
        left = [moment]

        def count(event: str, args: tuple[object, ...]) -> None:
            if event.startswith(("open", "os.", "tempfile.", "shutil.")):
                left[0] -= 1
                if left[0] == -1:  # what kills is an event, too
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        for name in NAMES:
            runner.visit(folder / name, PLAN)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL)
    return status != 0


def test_a_file_is_old_or_new_whenever_the_process_is_killed(tmp_path: Path) -> None:
    wanted = new(tmp_path)
    moment, states = 0, set()
    while True:
        for name in NAMES:
            (tmp_path / name).write_bytes(content(name))
            (tmp_path / name).chmod(0o640)
        was_killed = killed(tmp_path, moment)
        state = ""
        for name in NAMES:
            now = (tmp_path / name).read_bytes()
            assert now in (content(name), wanted[name])
            assert (tmp_path / name).stat().st_mode & 0o777 == 0o640
            state += "n" if now == wanted[name] else "o"
        states.add(state)
        if not was_killed:
            break
        moment += 1
    assert moment >= 30
    assert states == {"ooo", "noo", "nno", "nnn"}
    stray = {path for path in tmp_path.iterdir() if path.name not in NAMES}
    assert all(path.name.startswith(".") and path.suffix == ".tmp" for path in stray)


def test_what_a_killed_process_left_behind_is_in_nobodys_way(tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / name).write_bytes(content(name))
    for moment in range(40):
        killed(tmp_path, moment)
    assert [path for path in tmp_path.iterdir() if path.suffix == ".tmp"]
    assert {name: (tmp_path / name).read_bytes() for name in NAMES} == new(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_the_owner_stays(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(OLD)
    os.chown(tmp_path / "a.py", 65534, 65533)
    runner.visit(tmp_path / "a.py", PLAN)
    status = (tmp_path / "a.py").stat()
    assert (tmp_path / "a.py").read_bytes() != OLD
    assert (status.st_uid, status.st_gid) == (65534, 65533)


def test_a_file_that_changed_since_it_was_read_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(OLD)
    write = runner.write

    def later(path: Path, before: bytes, after: bytes) -> None:
        path.write_bytes(b"import mine\n")
        write(path, before, after)

    monkeypatch.setattr(runner, "write", later)
    outcome = runner.visit(file, PLAN)
    assert file.read_bytes() == b"import mine\n"
    assert outcome.findings[0].code == UNWRITABLE
    assert "changed while" in outcome.findings[0].message
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


def test_a_disk_that_is_full_leaves_the_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(OLD)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    outcome = runner.visit(file, PLAN)
    assert outcome.findings[0].message == "cannot be fixed: No space left on device"
    assert file.read_bytes() == OLD
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]
