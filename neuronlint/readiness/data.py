"""A readiness report as data: what the JSON holds, and all that the page and the text show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from importlib.metadata import version
from typing import Any

from neuronlint import page
from neuronlint.formats import format_of
from neuronlint.readiness import places
from neuronlint.readiness.figure import Figure, counts, is_ready
from neuronlint.readiness.survey import Glance, Survey
from neuronlint.readiness.target import Target
from neuronlint.readiness.work import KERNEL_POINTS, TOPICS, Tally, grade, rule, topic
from neuronlint.report import FAILURES
from neuronlint.reporters.lines import visible, within
from neuronlint.rule import Finding, Rule

FORMAT = 1
SHOWN = 500  # lines that only mention CUDA; all are counted
_UNKNOWN = "NL208"
_TIED = ("NL601", "NL602", "NL603", "NL606", "NL607")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
Data = dict[str, Any]


def data(survey: Survey, target: Target, title: str, rules: Sequence[Rule]) -> Data:
    """The report of a survey; `rules` are those that say what their findings mean."""
    findings = [each for glance in survey.glances for each in glance.findings]
    tally, figure = Tally.of(findings), Figure.of(survey)
    points = tally.points + KERNEL_POINTS * len(survey.kernels)
    return {
        "format": FORMAT,
        "version": version("neuronlint"),
        "made": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "title": visible(title),
        "target": {"name": target.name, "title": target.title},
        "readiness": _readiness(figure),
        "work": {**asdict(tally), "points": points, "grade": grade(points), "rule": rule()},
        "topics": _topics(findings),
        "files": [*_files(survey.glances, survey), *_kernels(survey)],
        "findings": list(places.rows(survey)),
        "rules": _rules(findings, rules),
        "dependencies": _dependencies(findings),
        "unseen": _unseen(survey, findings),
        "compared": None,
    }


def _readiness(figure: Figure) -> Data:
    steps = ("ready", "after_fix", "after_review")
    percents = {f"{name}_percent": figure.percent(getattr(figure, name)) for name in steps}
    return {**asdict(figure), **percents}


def _topics(findings: Iterable[Finding]) -> list[Data]:
    """The tallies of the topics in which there is anything."""
    by_topic: dict[str, list[Finding]] = {}
    for finding in findings:
        by_topic.setdefault(topic(finding.code), []).append(finding)
    order = [*TOPICS.values(), *by_topic]
    names = sorted(by_topic, key=order.index)
    return [{"topic": name, **asdict(Tally.of(by_topic[name]))} for name in names]


def _files(glances: Iterable[Glance], survey: Survey) -> Iterator[Data]:
    for each in glances:
        tally = Tally.of(each.findings)
        yield {
            "path": visible(survey.name(each.path)),
            "kind": "document" if format_of(each.path) else "source",
            "lines": each.lines,
            "counted": counts(each),
            "ready": is_ready(each),
            **asdict(tally),
            "grade": grade(tally.points),
        }


def _kernels(survey: Survey) -> Iterator[Data]:
    """The CUDA sources as files, for each of which a kernel is to be written."""
    for path, lines in survey.kernels:
        yield {
            "path": visible(survey.name(path)),
            "kind": "kernel",
            "lines": lines,
            "counted": True,
            "ready": False,
            **asdict(Tally(points=KERNEL_POINTS)),
            "grade": grade(KERNEL_POINTS),
        }


def _rules(findings: Iterable[Finding], rules: Sequence[Rule]) -> Data:
    """What the rules with findings mean, by code."""
    codes = {each.code for each in findings}
    return {
        each.code: {"name": each.name, "why": _why(each), "url": page.url(each)}
        for each in rules
        if each.code in codes
    }


def _why(rule: Rule) -> str:
    """The first paragraph of a rule's page."""
    try:
        paragraphs = page.read(rule).split("\n\n")
    except OSError:  # a pack of somebody else's without pages
        return ""
    return " ".join(_LINK.sub(r"\1", paragraphs[1]).split()) if len(paragraphs) > 1 else ""


def _dependencies(findings: Iterable[Finding]) -> list[Data]:
    """What ties code to CUDA: libraries, kernels, extensions."""
    used: Counter[str] = Counter()
    files: dict[str, set[str]] = {}
    for finding in findings:
        if finding.code in _TIED and (name := _root(finding)):
            used[name] += 1
            files.setdefault(name, set()).add(str(finding.path))
    return [
        {"name": visible(name), "places": number, "files": len(files[name])}
        for name, number in sorted(used.items(), key=lambda item: (-item[1], item[0]))
    ]


def _root(finding: Finding) -> str:
    """The library that a finding is about; of torch, the class or function."""
    first, _, rest = finding.symbol.partition("=")[0].partition(".")
    return rest.rpartition(".")[2] if first == "torch" else first


def _unseen(survey: Survey, findings: Iterable[Finding]) -> Data:
    """What the findings do not tell of."""
    mentions = [
        {"path": visible(survey.name(glance.path)), "line": row, "text": places.short(line)}
        for glance in survey.glances
        for row, line in glance.mentions
    ]
    by_code: Mapping[bool, list[Finding]] = {True: [], False: []}
    for finding in findings:
        if finding.code in FAILURES or finding.code == _UNKNOWN:
            by_code[finding.code in FAILURES].append(finding)
    return {
        "failed": [_said(each, survey) for each in by_code[True]],
        "unknown": [_said(each, survey) for each in by_code[False]],
        "excluded": [visible(survey.name(path)) for path in survey.excluded],
        "mentions": mentions[:SHOWN],
        "mentioning": len(mentions),
        "remarks": sum(glance.remarks for glance in survey.glances),
        "silenced": sum(glance.silenced for glance in survey.glances),
        "off": list(survey.off),
    }


def _said(finding: Finding, survey: Survey) -> Data:
    return {
        "path": visible(survey.name(finding.path)),
        "place": within(finding),
        "message": visible(finding.message),
    }
