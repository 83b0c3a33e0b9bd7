"""The lines of a notebook's cell that IPython runs, and Python cannot read.

Such are magics (`%cd`, `files = %sx ls`), shell commands (`!ls`), questions (`torch.cuda?`)
and what IPython takes for a magic though it has no sign (`pip install torch`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# Cell magics that run the rest of their cell as a part of the program.
PYTHON = {
    *("capture", "debug", "ipytest", "memit", "mprun", "prun", "pyinstrument", "scalene"),
    *("snakeviz", "time", "timeit", "wandb"),
}
_CELL_MAGIC = re.compile(r"[ \t]*%%(\w*)")
_NOTHING = re.compile(r"[ \t\f]*(?:#.*)?$")
_KEYWORDS = r"(?:and|else|for|if|in|is|not|or)\b"
_AUTOMATIC = (
    r"(?:cat|cd|conda|cp|env|ll|load_ext|ls|mamba|matplotlib|micromamba|mkdir|mv|pip|pip3|pylab"
    r"|reload_ext|rm|rmdir|run|time|timeit|uv)"
)
_COMMAND = re.compile(
    r"[ \t]*(?P<command>[%!?]|[,;/]\w"
    rf"|{_AUTOMATIC}[ \t]+(?:\.\.|[~$\"']|(?!{_KEYWORDS})\w))"
)
_TOKEN = re.compile(
    r"(?P<comment>\#.*)|(?P<long>'''|\"\"\")"
    r"|(?P<text>'(?:\\.|[^\\'])*'|\"(?:\\.|[^\\\"])*\")|(?P<broken>['\"].*)"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<help>\?{1,2}[ \t]*(?:\#.*)?$)|(?P<bound>(?<![=!<>])=[ \t]*(?=[!%]\w?))"
)
_END = {quote: re.compile(rf"(?:\\.|[^\\])*?{quote}", re.DOTALL) for quote in ("'''", '"""')}


@dataclass
class _State:
    """What is open at the end of a line: brackets, a long text, a line that is to go on."""

    depth: int = 0
    quote: str = ""
    joined: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the next line is a part of the statement before it."""
        return bool(self.depth or self.quote or self.joined)


@dataclass(frozen=True)
class Foreign:
    """A line that Python cannot read, by index, from a column on; one before it may go on in it."""

    row: int
    start: int = 0
    goes_on: bool = False


def is_python(lines: Iterable[str]) -> bool:
    """Whether a cell is a part of the program: a magic may make it anything else."""
    for line in lines:
        if not _NOTHING.match(line):
            magic = _CELL_MAGIC.match(line)
            return magic is None or magic[1] in PYTHON
    return True


def margin(lines: Iterable[str]) -> str:
    """The white space before the first code, which IPython takes off the whole cell."""
    first = next((line for line in lines if not _NOTHING.match(line)), "")
    return first[: len(first) - len(first.lstrip())]


def found(lines: Sequence[str]) -> Iterator[Foreign]:
    """What Python cannot read of some lines."""
    state, command = _State(), False
    for index, line in enumerate(lines):
        goes_on, start = command, 0
        if goes_on:
            pass
        elif not state.is_open and (match := _COMMAND.match(line)):
            start = match.start("command")
        elif (start := _scan(line, state)) < 0:
            command = False
            continue
        command, state = line.endswith("\\"), _State()
        yield Foreign(index, start, goes_on)


def _scan(line: str, state: _State) -> int:
    """Where on a line of Python something else starts, -1 for nowhere.

    The state becomes that at the line's end.
    """
    begun, at, plain = not state.is_open, 0, True
    state.joined = False
    while at < len(line):
        if state.quote:
            end = _END[state.quote].match(line, at)
            if end is None:
                return -1
            state.quote, at = "", end.end()
        token = _TOKEN.search(line, at)
        if token is None:
            break
        at = token.end()
        match token.lastgroup:
            case "long":
                state.quote = token[0]
            case "open":
                state.depth += 1
            case "close":
                state.depth = max(state.depth - 1, 0)
            case "help" if begun and state.depth == 0:
                return len(line) - len(line.lstrip())
            case "bound" if state.depth == 0:
                return token.end()
            case "comment":
                plain = False
    state.joined = plain and line.endswith("\\")
    return -1
