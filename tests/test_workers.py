"""The processes that a run starts."""

import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = """
import os, sys, time
from neuronlint import workers

def work(task):
    os.write(1, b"%d\\n" % os.getpid())  # whole: several write here
    time.sleep(task)

for _ in workers.spread(work, [1, 1, 1, 1], lambda task, why: None, 2, 120):
    pass
"""


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked only where that is known")
def test_workers_end_when_whoever_asks_them_is_killed() -> None:
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        started = {int(asking.stdout.readline()) for _ in range(2)}
        asking.send_signal(signal.SIGKILL)
        asking.wait()
        assert len(started) == 2
        until = time.monotonic() + 30
        while any(map(_runs, started)) and time.monotonic() < until:
            time.sleep(0.1)
        assert not any(map(_runs, started))
