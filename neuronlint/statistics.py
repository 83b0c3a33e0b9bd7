"""How often each rule found something."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from neuronlint.report import Report, applies
from neuronlint.rule import Finding, Severity


@dataclass(frozen=True)
class Count:
    """The findings of one rule, in numbers."""

    code: str
    name: str
    severity: str
    count: int
    fixable_count: int

    @property
    def mark(self) -> str:
        """Whether all, some or none can be fixed."""
        if not self.fixable_count:
            return "[ ]"
        return "[*]" if self.fixable_count == self.count else "[-]"


def counts(report: Report, unsafe: bool) -> list[Count]:
    """The rules that found something, the most often first; `unsafe` fixes count if asked for."""
    groups: dict[str, list[Finding]] = {}
    for finding in report.findings:
        groups.setdefault(finding.code, []).append(finding)
    made = [_count(findings, unsafe) for findings in groups.values()]
    return sorted(made, key=lambda one: (-one.count, one.code))


def text(counted: Sequence[Count]) -> str:
    """The counts in columns, as ruff has them."""
    width = max((len(str(one.count)) for one in counted), default=0)
    marked = any(one.fixable_count for one in counted)
    return "".join(
        f"{one.count:>{width}}\t{one.code}\t{one.mark + ' ' if marked else ''}{one.name}\n"
        for one in counted
    )


def as_json(counted: Sequence[Count]) -> str:
    """The counts as a JSON list, with the fields of ruff's and the severity."""
    rows = [
        {
            "code": one.code,
            "name": one.name,
            "severity": one.severity,
            "count": one.count,
            "fixable": one.fixable_count > 0,
            "fixable_count": one.fixable_count,
        }
        for one in counted
    ]
    return json.dumps(rows, indent=2) + "\n"


def _count(findings: Sequence[Finding], unsafe: bool) -> Count:
    first = findings[0]
    fixable = sum(applies(finding, unsafe) for finding in findings)
    worst = min((finding.severity for finding in findings), key=list(Severity).index)
    return Count(first.code, first.name, worst.value, len(findings), fixable)
