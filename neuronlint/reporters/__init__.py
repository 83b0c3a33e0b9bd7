"""The output formats: each turns a report into text and knows nothing else."""

from __future__ import annotations

from collections.abc import Callable

from neuronlint.report import Look, Report
from neuronlint.reporters import github, json, text

Reporter = Callable[[Report, Look], str]

REPORTERS: dict[str, Reporter] = {
    "text": text.report,
    "json": json.report,
    "github": github.report,
}
