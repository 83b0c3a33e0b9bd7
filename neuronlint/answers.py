"""Which lines of a source ask for a backend, be it by a name that holds an answer."""

from __future__ import annotations

import re

from neuronlint.line_names import KEYWORDS, LineNames
from neuronlint.logical import Lines, Text

# What tells CUDA from other devices in a condition.
TELLS = re.compile(rb"cuda|gpu|cpu|xpu|mps|npu|hpu|neuron|mlu|musa|tpu|xla|rocm|hip")


class Answers:
    """The questions for a backend in one source."""

    def __init__(self, text: Text, lines: Lines, names: LineNames) -> None:
        self._text = text
        self._lines = lines
        self._names = names
        self._silent: set[tuple[int, bytes]] = set()  # names that hold no answer, by function

    def names_backend(self, line: int) -> bool:
        """Whether a line names a backend itself."""
        start, end = self._lines.span(line)
        return TELLS.search(self._text.words[start:end].lower()) is not None

    def asks(self, question: int) -> bool:
        """Whether a line asks for a backend, or for a name that holds such an answer."""
        seen: set[tuple[int, bytes]] = set()
        ahead = [question]
        while ahead:
            line = ahead.pop()
            if self.names_backend(line):
                return True
            if line != question and not self._names.passes_on(line):
                continue
            names = self._names.deciding(line) - KEYWORDS
            asked = {(unit, name) for name in names for unit in (self._names.units[line], -1)}
            for unit, name in asked - seen - self._silent:
                ahead += self._names.binders(unit, name)
            seen |= asked
        self._silent |= seen
        return False
