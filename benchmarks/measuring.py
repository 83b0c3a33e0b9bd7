"""What a command costs: processor time of it and of all that it starts, wall time, memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SLOW = 15.0  # seconds of processor time, from which on a command is not run again


@dataclass(frozen=True)
class Cost:
    """What one run took: seconds of processor and wall time, MiB of its largest process."""

    cpu: float
    wall: float
    memory: float


@dataclass(frozen=True)
class Contestant:
    """A command in a folder; `before` is done before each run, and not measured."""

    name: str
    command: Sequence[str | Path]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], object] = lambda: None
    processors: int = 1
    statuses: Sequence[int] = (0,)


@dataclass(frozen=True)
class Result:
    """The runs of a contestant, and the medians of what they took."""

    contestant: Contestant
    runs: tuple[Cost, ...]

    @property
    def cpu(self) -> float:
        """The median of the seconds of processor time."""
        return statistics.median(run.cpu for run in self.runs)

    @property
    def wall(self) -> float:
        """The median of the seconds that passed."""
        return statistics.median(run.wall for run in self.runs)

    @property
    def memory(self) -> float:
        """The largest process of all runs, in MiB."""
        return max(run.memory for run in self.runs)


def compete(
    contestants: Iterable[Contestant], rounds: int, tell: Callable[[str], object]
) -> list[Result]:
    """Run all in turn, so often; those that are slow as often as there is patience for."""
    runs: list[tuple[Contestant, list[Cost]]] = [(one, []) for one in contestants]
    for number in range(rounds):
        for one, done in runs:
            if not done or max(run.cpu for run in done) < SLOW:
                done.append(cost(one))
                tell(f"round {number + 1}: {one.name}: {done[-1].cpu:.3f} s")
    return [Result(one, tuple(done)) for one, done in runs]


def cost(one: Contestant) -> Cost:
    """Run it once; RuntimeError where it fails."""
    one.before()
    free = sorted(os.sched_getaffinity(0))[: one.processors]
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(word) for word in one.command],
        cwd=one.folder,
        env={**os.environ, **one.environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: os.sched_setaffinity(0, free),
    )
    said = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in one.statuses:
        last = said.decode(errors="replace").strip()[-500:]
        raise RuntimeError(f"{one.name}: exit status {process.returncode}: {last}")
    wall = time.perf_counter() - started
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)
