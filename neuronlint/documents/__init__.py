"""Files that are no Python: what they are made of, and what rules find in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from neuronlint import crashes
from neuronlint.documents.document import Document
from neuronlint.report import CRASHED, failure
from neuronlint.rule import Finding, Match, Rule
from neuronlint.settings import Settings
from neuronlint.source import Source, SourceError

__all__ = ["Document", "found"]


def found(source: bytes, path: Path, rules: Sequence[Rule], settings: Settings) -> list[Finding]:
    """Every finding of these rules in a file, in its order; none in what cannot be read.

    A template is no YAML until it is filled in: that is no mistake of anybody's.
    """
    try:
        document = Document(Source.read(source), path, settings)
    except SourceError:
        return []
    if document.is_of_backend:
        return []
    return sorted({finding for rule in rules for finding in _findings(rule, document)})


def _findings(rule: Rule, document: Document) -> Iterator[Finding]:
    try:
        for kind, checks in rule.checks.items():
            for node in document.nodes(kind):
                if not node.chosen:
                    for check in checks:
                        for match in check(node, document):
                            yield _finding(rule, match, document)
    except Exception as error:  # a rule's bug costs its findings, never those of others
        crashes.tell()
        message = f"{rule.code} the rule failed: {type(error).__name__}: {error}"
        yield failure(document.path, CRASHED, "rule-crashed", message)


def _finding(rule: Rule, match: Match, document: Document) -> Finding:
    place, severity = document.place(match.node), match.severity or rule.severity
    found = Finding(document.path, *place, rule.code, rule.name, match.message, severity, match.fix)
    return replace(found, symbol=match.symbol, targets=match.targets)
