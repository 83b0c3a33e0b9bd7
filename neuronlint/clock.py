"""Where the time of a run goes, phase by phase and rule by rule; nothing is measured unasked."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

# The phases of a run in their order; what belongs to none is the rest.
PHASES = (
    *("walk", "read and gate", "cut", "import libcst", "load rules", "parse", "index"),
    *("rules", "positions", "cache", "output"),
)
_NOTHING = nullcontext()


@dataclass
class Spent:
    """How often something ran, and the seconds of processor time that it took itself."""

    calls: int = 0
    seconds: float = 0.0


@dataclass
class _Clock:
    """What is spent by phase and by rule; time counts for the innermost phase alone."""

    phases: dict[str, Spent] = field(default_factory=lambda: defaultdict(Spent))
    rules: dict[str, Spent] = field(default_factory=lambda: defaultdict(Spent))
    inner: list[float] = field(default_factory=list)  # of each open phase, what is not its own

    @contextmanager
    def measure(self, spent: Spent) -> Iterator[None]:
        """Add what goes on inside."""
        self.inner.append(0.0)
        started = time.process_time()
        try:
            yield
        finally:
            taken = time.process_time() - started
            spent.calls += 1
            spent.seconds += taken - self.inner.pop()
            if self.inner:
                self.inner[-1] += taken


_running: list[_Clock] = []


def start() -> None:
    """Measure from now on."""
    _running[:] = [_Clock()]


def phase(name: str) -> AbstractContextManager[None]:
    """What measures a phase, if anything is measured."""
    return _running[0].measure(_running[0].phases[name]) if _running else _NOTHING


@contextmanager
def _rule(clock: _Clock, code: str) -> Iterator[None]:
    with clock.measure(clock.phases["rules"]), clock.measure(clock.rules[code]):
        yield


def rule(code: str) -> AbstractContextManager[None]:
    """What measures a rule on a file, if anything is measured."""
    return _rule(_running[0], code) if _running else _NOTHING


def told() -> str:
    """The figures as a table, the phases in their order, the rules by what they took."""
    clock = _running.pop()
    total = time.process_time()
    rules = sum(each.seconds for each in clock.rules.values())
    clock.phases["rules"].seconds += rules
    known = sum(clock.phases[name].seconds for name in PHASES)
    rows = [(name, clock.phases[name]) for name in PHASES]
    rows += [("start and the rest", Spent(1, total - known)), ("all", Spent(1, total))]
    listed = sorted(clock.rules.items(), key=lambda row: -row[1].seconds)
    return _table("phase", rows) + _table("rule", listed)


def _table(title: str, rows: list[tuple[str, Spent]]) -> str:
    lines = [f"{title:20}{'calls':>9}{'CPU s':>10}"]
    lines += [f"{name:20}{spent.calls:9}{spent.seconds:10.3f}" for name, spent in rows]
    return "".join(f"{line}\n" for line in lines)
