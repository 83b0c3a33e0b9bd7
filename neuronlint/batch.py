"""All files of a run: what is known of them already, and the rest, spread over processes."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from neuronlint import runner, there, unused
from neuronlint.cache import Cache, content_key, plan_key
from neuronlint.clock import phase
from neuronlint.files import Found
from neuronlint.formats import LIMIT, NOTEBOOK, format_of
from neuronlint.gate import may_match
from neuronlint.report import FAILURES, UNPARSABLE, failure
from neuronlint.rule import Rule
from neuronlint.runner import Outcome, Plan
from neuronlint.settings import Settings

# Bytes to check below which another process costs more than it saves, and none can take long.
_WORTH_SPREADING = 400_000


@dataclass(frozen=True)
class Way:
    """How a run goes about its files: in how many processes, for how long each, with what cache.

    `progress` is told how many files of all are done, and one of them. A run that is `alone` starts
    no process, so that all of it can be measured.
    """

    jobs: int = 1
    alone: bool = False
    limit: float = 120.0  # seconds for a file
    cache: Cache | None = None
    progress: Callable[[int, int, Path], None] = lambda done, total, path: None


@dataclass(frozen=True)
class _Task:
    path: Path
    plan: Plan
    size: int
    content: str = ""  # the key of the content, where the cache is to know of it


def outcomes(
    found: Found, plan_of: Callable[[Path], Plan], way: Way | None = None
) -> list[Outcome]:
    """What becomes of all the files, each treated as its own plan says, in the files' order."""
    way = way or Way()
    done: dict[Path, Outcome] = {}
    tasks: list[_Task] = []
    for path in found.files:
        with phase("read and gate"):
            known = _known(path, plan_of(path), way.cache)
        if isinstance(known, Outcome):
            done[path] = known
            way.progress(len(done), len(found.files), path)
        else:
            tasks.append(known)
    for task, outcome in _treated(tasks, way):
        done[task.path] = outcome
        way.progress(len(done), len(found.files), task.path)
        if way.cache is not None and task.content and _is_plain(outcome):
            with phase("cache"):
                way.cache.keep(task.content, _key(task.plan), outcome.findings)
    unreadable = [runner.unreadable(path, reason) for path, reason in found.unreadable]
    return unreadable + [done[path] for path in found.files]


def _known(path: Path, plan: Plan, cache: Cache | None) -> Outcome | _Task:
    """What becomes of a file if that can be told without parsing it, else what is to be done."""
    try:
        status = there.status(path)
        if status.st_size > LIMIT and format_of(path) is not None:
            return Outcome(path)
        if cache is None or plan.fix or plan.diff:
            source = path.read_bytes()
            if _fits(path, source, plan):
                return _Task(path, plan, len(source))
            return Outcome(path, source, before=source)
        return _remembered(path, plan, cache, status)
    except (OSError, ValueError) as error:
        return runner.unreadable(path, runner.reason(error))


def _remembered(path: Path, plan: Plan, cache: Cache, status: os.stat_result) -> Outcome | _Task:
    """What the cache knows of a file, and is to know from now on."""
    content, source = cache.unchanged(path, status), b""
    if content is None:
        source = path.read_bytes()
        content = content_key(path, source)
        cache.remember(path, status, content)
    findings = cache.findings(content, _key(plan), path)
    if findings is None:
        source = source or path.read_bytes()
        if _fits(path, source, plan):
            return _Task(path, plan, status.st_size, content)
        cache.keep(content, _key(plan), ())
        return Outcome(path)
    if findings and not source:
        source = path.read_bytes()
    return Outcome(path, source, tuple(findings), lines=plan.lines)


def _treated(tasks: Sequence[_Task], way: Way) -> Iterator[tuple[_Task, Outcome]]:
    ordered = sorted(tasks, key=lambda task: -task.size)
    spreads = hasattr(os, "fork") and not way.alone
    if not spreads or sum(task.size for task in tasks) < _WORTH_SPREADING:
        for task in tasks:
            yield task, runner.visit(task.path, task.plan)
        return
    from neuronlint import workers

    _load(tasks)

    def work(number: int) -> Outcome:
        return runner.visit(ordered[number].path, ordered[number].plan)

    def failed(number: int, why: str) -> Outcome:
        path = ordered[number].path
        return Outcome(
            path, findings=(failure(path, UNPARSABLE, "unparsed-file", f"not checked: {why}"),)
        )

    jobs = min(way.jobs, len(tasks))
    for number, outcome in workers.spread(work, range(len(ordered)), failed, jobs, way.limit):
        yield ordered[number], outcome


def _load(tasks: Sequence[_Task]) -> None:
    """Load all that checking needs, once, before the processes part."""
    import_module("neuronlint.engine")
    for rules in {id(task.plan): task.plan.rules for task in tasks}.values():
        for rule in rules:
            with suppress(Exception):  # a rule that cannot be loaded fails where it is asked
                rule.checks  # noqa: B018
    gc.freeze()  # what is there by now is no garbage: no process looks through it again


def _fits(path: Path, source: bytes, plan: Plan) -> bool:
    """Whether a file holds a word without which nothing can be found in it."""
    text = _code(source) if path.suffix == NOTEBOOK else source
    looking = _of_kind(tuple(plan.rules), format_of(path) is None)
    return may_match(text, looking, plan.settings.words) or unused.may_be_in(text, plan.rules)


def _code(notebook: bytes) -> bytes:
    from neuronlint import ipynb  # most runs meet none

    return ipynb.sources(notebook)


def _is_plain(outcome: Outcome) -> bool:
    """Whether all is known of a file, and its findings tell it without the file's cells."""
    return not any(each.code in FAILURES or each.cell for each in outcome.findings)


@lru_cache(maxsize=32)
def _of_kind(rules: tuple[Rule, ...], is_python: bool) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if rule.project != is_python)


def _key(plan: Plan) -> str:
    """The key of a plan, which many files share."""
    known = _keys.get(id(plan))
    if known is None or known[0] is not plan:
        if len(_keys) > 1000:
            _keys.clear()
        _keys[id(plan)] = known = (plan, _plan_key(tuple(plan.rules), plan.settings))
    return known[1]


_keys: dict[int, tuple[Plan, str]] = {}  # to work out the hash of a plan takes longer than all else


@lru_cache(maxsize=32)
def _plan_key(rules: tuple[Rule, ...], settings: Settings) -> str:
    return plan_key(rules, settings)
