"""Findings as JSON, one a line, for readers that take them one by one."""

from __future__ import annotations

from neuronlint.report import Look, Report
from neuronlint.reporters import json
from neuronlint.reporters.data import dumps


def report(report: Report, look: Look) -> str:
    """Every finding as a JSON object on its line."""
    return "".join(f"{dumps(row)}\n" for row in json.rows(report, look))
