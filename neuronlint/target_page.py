"""What neuronlint says of its targets: their names, and one of them in full."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from enum import Enum
from textwrap import fill
from typing import Any

from neuronlint import profiles
from neuronlint.target import Fact, Target, Verdict
from neuronlint.user_error import UserError

_WIDTH = 88
_FACTS = {
    "device": "Device",
    "module": "Its module",
    "dtypes": "Dtypes",
    "autocast": "Dtype of autocast unless told otherwise",
    "process_group": "Backend of process groups",
    "compile": "Backend of torch.compile",
    "accelerator": "torch.accelerator",
    "operators": "An operator without a kernel",
}
_LISTS = {"missing": "Dtypes it lacks", "unsupported": "Not there", "slow": "What costs speed"}


def shown(name: str | None, as_json: bool) -> str:
    """One target in full, or the names of all; raises UserError for what is none."""
    if name == profiles.ANY:
        raise UserError(f"{profiles.ANY!r} is all targets together; name one of them")
    found = [profiles.read(each) for each in ([name] if name else profiles.names()[:-1])]
    if as_json:
        facts = [_facts(target) for target in found]
        return json.dumps(facts[0] if name else facts, indent=2, default=_plain) + "\n"
    if name:
        return "\n".join(_page(found[0])).rstrip() + "\n"
    titles = {target.name: target.title for target in found}
    titles[profiles.ANY] = "All of them together: a finding counts as on the strictest"
    return "".join(f"{each:<8}{title}\n" for each, title in titles.items())


def _facts(target: Target) -> dict[str, Any]:
    verdicts = [{**asdict(each), "severity": _counted(each)} for each in target.verdicts]
    return {**asdict(target), "verdicts": verdicts}


def _counted(verdict: Verdict) -> str:
    """What a verdict lets a finding count, in a word."""
    return verdict.severity.value if verdict.severity else "none"


def _plain(value: object) -> object:
    assert isinstance(value, Enum)
    return value.value


def _page(target: Target) -> Iterator[str]:
    yield f"{target.name}: {target.title}"
    yield ""
    for key, title in _FACTS.items():
        if fact := getattr(target, key):
            yield from _fact(fact, f"{title}: {fact.value}")
    for key, title in _LISTS.items():
        if facts := getattr(target, key):
            yield from ("", title)
            for fact in facts:
                yield from _fact(fact, fact.value)
    if target.verdicts:
        yield from ("", "What findings mean here, where it is not what their rules say")
        yield from _verdicts(target.verdicts)


def _fact(fact: Fact, text: str) -> Iterator[str]:
    yield _filled(f"{text}; {fact.note}" if fact.note else text, "  ")
    yield f"      {fact.source}"


def _verdicts(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        about = " about ".join(", ".join(each) for each in (verdict.rules, verdict.symbols) if each)
        which = f"{about}, {verdict.of.value} only" if verdict.of else about
        yield _filled(f"{_counted(verdict)}: {which}", "  ")
        yield _filled(verdict.reason, "      ")
        yield f"      {verdict.source}"


def _filled(text: str, indent: str) -> str:
    later = f"{indent}    " if len(indent) < 4 else indent
    return fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
