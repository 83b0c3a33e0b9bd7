"""How far a run has come, on one line of a terminal, for whoever waits."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TextIO

import click

from neuronlint.report import count
from neuronlint.reporters.lines import visible

_PATIENCE = 1.0  # seconds; whoever waits for less wants no line that comes and goes
_EVERY = 0.1


@dataclass
class Progress:
    """What is told of a run while it goes on, and where it was when it was interrupted.

    Nothing is told of a run that is `quiet`; the line comes only where it is `shown`.
    """

    stream: TextIO
    shown: bool = True
    quiet: bool = False
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    total: int = 0

    def __post_init__(self) -> None:
        """Begin to wait."""
        self._next = self.clock() + _PATIENCE
        self._width = 0

    @classmethod
    def of(cls, quiet: bool) -> Progress:
        """The progress of a run, shown to people who watch a terminal."""
        watched = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        in_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
        return cls(sys.stderr, watched and not in_ci and not quiet, quiet)

    def show(self, done: int, total: int, path: Path) -> None:
        """Tell that so many files of all are done, this one among the last."""
        self.done, self.total = done, total
        if self.shown and (now := self.clock()) >= self._next:
            self._next = now + _EVERY
            self._write(f"neuronlint: {done} of {count(total, 'file')}, {visible(str(path))}")

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave no line behind; an interrupted run says how far it came, and no more."""
        if self._width:
            self._write("")
        if isinstance(error, KeyboardInterrupt):
            if not self.quiet:
                files = count(self.total, "file")
                click.echo(
                    f"neuronlint: interrupted after {self.done} of {files}", file=self.stream
                )
            raise click.Abort from None

    def _write(self, line: str) -> None:
        """Put a line in the place of the one before."""
        import shutil  # most runs are done before there is anything to show

        line = _fitting(line, shutil.get_terminal_size().columns - 1)
        before, self._width = self._width, len(line)  # first: whoever interrupts does it here
        self.stream.write(f"\r{line.ljust(before)}" + ("" if line else "\r"))
        self.stream.flush()


def _fitting(line: str, width: int) -> str:
    """The line, without the middle of it where it is too long."""
    if len(line) <= width:
        return line
    kept = max(width - 1, 0)
    return f"{line[: kept - kept // 2]}…{line[len(line) - kept // 2 :]}"
