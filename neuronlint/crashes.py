"""What is told of an error in neuronlint itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path


class _Shown:
    """Whether tracebacks are shown; kept where the processes we start see it too."""

    _NAME = "NEURONLINT_DEBUG"

    def set(self, shown: bool) -> None:
        """Show tracebacks from here on, or leave it as the environment has it."""
        if shown:
            os.environ[self._NAME] = "1"

    def __bool__(self) -> bool:
        return bool(os.environ.get(self._NAME))


SHOWN = _Shown()


def tell() -> None:
    """Print the traceback of the error that is being handled, if tracebacks are shown."""
    if SHOWN:
        import traceback

        traceback.print_exc(file=sys.stderr)


def summary(crash: BaseException) -> str:
    """What happened and where, in a few words."""
    trace, where = crash.__traceback__, ""
    while trace is not None:
        where = f" in {Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    said = f": {crash}" if str(crash) else ""
    return f"{type(crash).__name__}{where}{said}"
