"""A process that has imported torch once and runs each program it is sent in a fork of itself.

Requests and answers are lines of JSON: `{"program", "cwd", "timeout"}` in, and
`{"status", "output"}` back, with stderr in the output and a negative status for a signal.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import IO, NoReturn

import numpy  # noqa: F401
import torch
import torch._dynamo  # the first optimizer of a process imports it, at the price of a second
import torch.distributed


def serve() -> None:
    """Answer requests until stdin ends."""
    # With threads of its own this process could not fork safely.
    torch.set_num_threads(1)
    for line in sys.stdin:
        request = json.loads(line)
        with tempfile.TemporaryFile() as log:
            child = os.fork()
            if child == 0:
                _run(request["program"], request["cwd"], log)
            status = _wait(child, request["timeout"])
            log.seek(0)
            answer = {"status": status, "output": log.read().decode(errors="replace")}
        print(json.dumps(answer), flush=True)


def _run(program: str, cwd: str, log: IO[bytes]) -> NoReturn:
    """Be the program, as `python program` would run it."""
    os.setsid()
    os.chdir(cwd)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    sys.argv = [program]
    sys.path[0] = str(Path(program).parent)
    status: object = 0
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as stop:
        status = stop.code
        if status is not None and not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(status or 0) & 255)


def _wait(child: int, timeout: float) -> int:
    """The child's exit status; past the timeout its whole process group is killed."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        finished, status = os.waitpid(child, os.WNOHANG)
        if finished:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    serve()
