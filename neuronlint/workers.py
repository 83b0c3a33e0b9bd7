"""Do independent tasks in several processes; one that dies or hangs costs its task alone."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any


@dataclass
class _Worker:
    process: BaseProcess
    channel: Connection
    task: int = -1  # the number of the task it is at, -1 for none
    since: float = field(default_factory=time.monotonic)


def spread(
    work: Callable[[Any], Any],
    tasks: Sequence[Any],
    failed: Callable[[Any, str], Any],
    jobs: int,
    limit: float,
) -> Iterator[tuple[int, Any]]:
    """The number and result of each task, as they come.

    `failed` makes the result of a task whose process died, or that took over `limit` seconds.
    """
    context = multiprocessing.get_context(_start_method())
    waiting = list(reversed(range(len(tasks))))
    workers: list[_Worker] = []
    try:
        while waiting or any(worker.task >= 0 for worker in workers):
            while waiting and len(workers) < jobs:
                workers.append(_start(context, work, [w.channel for w in workers]))
            for worker in workers:
                if waiting and worker.task < 0:
                    _give(worker, waiting.pop(), tasks)
            for worker in _ready(workers, limit):
                number, result = worker.task, _result(worker)
                if result is None:
                    workers.remove(worker)
                    why = _end(worker, limit)
                    yield number, failed(tasks[number], why)
                else:
                    worker.task = -1
                    yield number, result[0]
    except KeyboardInterrupt:  # they are interrupted, too, and put away what they are writing
        for worker in workers:
            worker.process.join(timeout=1)
        raise
    finally:
        for worker in workers:
            worker.channel.close()
            worker.process.terminate()
            worker.process.join()


def _start_method() -> str:
    """Forking shares what is loaded already; where it is missing, processes start anew."""
    return "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"


def _start(context: Any, work: Callable[[Any], Any], others: Sequence[Connection]) -> _Worker:
    ours, theirs = context.Pipe()
    inherited = (ours, *others) if context.get_start_method() == "fork" else ()
    process = context.Process(target=_serve, args=(theirs, work, inherited), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _serve(
    channel: Connection, work: Callable[[Any], Any], inherited: Sequence[Connection]
) -> None:
    """Do tasks until there is nobody left to ask for one.

    The ends `inherited` from whoever asks are closed: while one is open, nobody seems gone.
    """
    for each in inherited:
        each.close()
    try:
        while True:
            channel.send((work(channel.recv()),))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _give(worker: _Worker, number: int, tasks: Sequence[Any]) -> None:
    worker.task, worker.since = number, time.monotonic()
    worker.channel.send(tasks[number])


def _ready(workers: Sequence[_Worker], limit: float) -> list[_Worker]:
    """The workers with a result, that died, or that are over the limit."""
    busy = [worker for worker in workers if worker.task >= 0]
    patience = min(worker.since for worker in busy) + limit - time.monotonic()
    channels = wait([worker.channel for worker in busy], timeout=max(patience, 0))
    late = [w for w in busy if time.monotonic() - w.since > limit]
    return [w for w in busy if w.channel in channels or w in late]


def _result(worker: _Worker) -> tuple[Any] | None:
    try:
        if worker.channel.poll():
            result: tuple[Any] = worker.channel.recv()
            return result
    except (EOFError, OSError):
        return None
    return None


def _end(worker: _Worker, limit: float) -> str:
    """Make an end of a worker; why it was one."""
    late = time.monotonic() - worker.since > limit
    if late:
        worker.process.kill()
    worker.process.join()
    worker.channel.close()
    if late:
        return f"it takes longer than {limit:g} seconds"
    return f"the process that checked it ended with {worker.process.exitcode}"
