"""The vocabulary: a rule's checks yield matches, the engine turns them into findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

if TYPE_CHECKING:
    import libcst as cst

    from neuronlint.documents.nodes import Node

Check = Callable[[Any, Any], Iterator["Match"]]
C = TypeVar("C", bound=Check)


class Severity(Enum):
    """What the code does where CUDA is not; it does not decide whether a rule runs."""

    ERROR = "error"  # it fails
    WARNING = "warning"  # it silently does something else: stays on the CPU, skips, slows down
    INFO = "info"  # harmless, but of use on CUDA only


class Applicability(Enum):
    """How far a fix may be trusted."""

    SAFE = "safe"  # the same on CUDA and on a CPU-only machine, and it now works elsewhere
    UNSAFE = "unsafe"  # may change something; the rule's page says what
    DISPLAY = "display"  # shown, never applied


@dataclass(frozen=True, order=True)
class Edit:
    """Replace the bytes from `start` to `end` of the source; `start == end` inserts."""

    start: int
    end: int
    text: str


ACCELERATOR_SINCE = "2.6"  # the first torch with torch.accelerator
NOWHERE = Edit(-1, -1, "")  # one that cannot be made, nor can the fix that needs it


@dataclass(frozen=True)
class Fix:
    """Edits against the source as read, applied all together or not at all.

    An edit asked for twice is made once. `since` is the first torch release with everything the
    fixed code uses; a project that supports an older one is not offered the fix.
    """

    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.SAFE
    since: str = ""


def release(version: str) -> tuple[int, ...]:
    """A torch release in an order, the empty one, which any torch is, before all others."""
    return tuple(int(part) for part in version.split(".")[:2] if part)


@dataclass(frozen=True)
class Match:
    """A node that breaks a rule, as the rule saw it: of a module, or of another document.

    `symbol` is the dotted name that it is about, where that is not the name at the node.
    `targets` are those that it concerns, none for all.
    """

    node: Any
    message: str
    fix: Fix | None = None
    severity: Severity | None = None  # None: the rule's own
    symbol: str = ""
    targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook, all code cells of which are one program.

    `number` counts all cells from 1. `before` lines of the program come before its own `lines`;
    `rows` are where the file has them.
    """

    number: int
    before: int
    lines: tuple[str, ...]
    rows: tuple[int, ...]

    def line(self, line: int) -> int:
        """The line of the cell that a line of the program is."""
        return line - self.before

    def row(self, line: int) -> int:
        """The line of the file that a line of the program is on."""
        return self.rows[self._index(line)]

    def text(self, line: int) -> str:
        """What the cell has on a line of the program."""
        return self.lines[self._index(line)]

    def _index(self, line: int) -> int:
        return min(max(line - self.before, 1), len(self.lines)) - 1


@dataclass(frozen=True, order=True)
class Finding:
    """A match as the user sees it: plain data, free of the syntax tree.

    Lines and columns count from 1, columns in characters; the end is exclusive. In a notebook
    they count in its program, and `cell` says which cell that is. `symbol` is the dotted name it
    is about, "" for none; `targets` those of several that it concerns. `needs` is the torch release
    for want of which a fix is held back.
    """

    path: Path
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    name: str = field(compare=False)
    message: str = field(compare=False)
    severity: Severity = field(compare=False)
    fix: Fix | None = field(compare=False, default=None)
    cell: Cell | None = field(compare=False, default=None)
    symbol: str = field(compare=False, default="")
    targets: tuple[str, ...] = field(compare=False, default=())
    needs: str = field(compare=False, default="")


@dataclass(frozen=True, eq=False)
class Rule:
    """One lint rule: its identity, and the checks it runs on each node type.

    `triggers` are words of which a file must hold one for the rule to find anything in it (see
    `neuronlint.triggers` for their form); a rule without any looks at every file. What it looks
    at beside the lines with a trigger are what surrounds these, and what has to do with the names
    in them; `context` are words in further lines that it looks at, `decided` those in code that
    is run or not as a question with a trigger is answered, and a `whole` rule looks at everything
    in the file.
    `guarded` is the severity of a finding in code that runs only where CUDA is, `branches` of
    one where other backends have code of their own beside it; None for none.
    A rule of a `project` looks at its other files, not at its Python.
    An `optional` rule runs only where a project selects it, by ALL or by its code.
    `needs` is the setting without which the rule finds nothing: it is left out of such runs.
    """

    code: str
    name: str
    message: str
    source: str  # the __name__ of the module that defines the rule; its page lies beside it
    severity: Severity = Severity.WARNING
    guarded: Severity | None = Severity.INFO
    branches: Severity | None = None
    triggers: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    whole: bool = False
    project: bool = False
    optional: bool = False
    needs: str = ""
    load: Callable[[], Rule] | None = field(default=None, repr=False)  # for one known by its words
    registered: list[Check] = field(default_factory=list, init=False, repr=False)

    def check(self, check: C) -> C:
        """Register a check for the node types its first parameter is annotated with."""
        self.registered.append(check)
        return check

    @cached_property
    def checks(self) -> dict[type[Any], list[Check]]:
        """The checks for each node type."""
        found: dict[type[Any], list[Check]] = {}
        for check in self.load().registered if self.load else self.registered:
            hints = {**get_type_hints(check), "return": None}
            if (hint := next(iter(hints.values()))) is None:
                raise TypeError(f"{check.__name__} does not say which nodes it gets")
            for node_type in get_args(hint) or (hint,):
                found.setdefault(node_type, []).append(check)
        return found

    def match(
        self,
        node: cst.CSTNode | Node,
        fix: Fix | None = None,
        *,
        severity: Severity | None = None,
        symbol: str = "",
        targets: tuple[str, ...] = (),
        **values: str,
    ) -> Match:
        """A match at `node`, with the rule's message filled in."""
        return Match(node, self.message.format(**values), fix, severity, symbol, targets)
