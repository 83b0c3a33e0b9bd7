"""What a SARIF log says of the rules, from their pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from neuronlint import own, page, registry
from neuronlint.rule import Finding, Rule, Severity

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "recommendation",
}
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r"\.\s")


def descriptors(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """What each rule with a finding is about, by code."""
    rules = _installed()
    first = {finding.code: finding for finding in reversed(list(findings))}
    return [_descriptor(first[code], rules.get(code)) for code in sorted(first)]


def _installed() -> dict[str, Rule]:
    """The rules by code; where a pack does not load, those of the engine itself."""
    try:
        rules = registry.installed()
    except registry.RuleError:  # the findings are there already, however they came about
        rules = []
    return {rule.code: rule for rule in (*own.RULES, *rules)}


def _descriptor(finding: Finding, rule: Rule | None) -> dict[str, object]:
    severity = rule.severity if rule else finding.severity
    text = _page(rule) if rule else ""
    url = page.url(rule) if rule else None
    about = _about(text) or finding.name.replace("-", " ")
    return {
        "id": finding.code,
        "name": finding.name,
        "shortDescription": {"text": _SENTENCE.split(f"{about} ")[0].strip().rstrip(".")},
        "fullDescription": {"text": about},
        "help": {"text": text or about, "markdown": text or about},
        **({"helpUri": url} if url else {}),
        "defaultConfiguration": {"level": LEVELS[severity]},
        "properties": {
            "precision": "high",
            "problem.severity": _PROBLEMS[severity],
            "tags": ["portability"],
        },
    }


def _page(rule: Rule) -> str:
    """The rule's page, "" where a foreign pack has none."""
    try:
        return page.read(rule)
    except (OSError, ImportError):
        return ""


def _about(page: str) -> str:
    """The first paragraph after the title, on one line and without its links."""
    _, _, body = page.partition("\n\n")
    return " ".join(_LINK.sub(r"\1", body.partition("\n\n")[0]).split())
