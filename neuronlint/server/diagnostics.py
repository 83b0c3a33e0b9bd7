"""Findings as editors show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lsprotocol import types

from neuronlint import page
from neuronlint.own import UNUSED
from neuronlint.report import told
from neuronlint.rule import Finding, Rule, Severity
from neuronlint.server.positions import Positions

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}


@dataclass(frozen=True)
class Shown:
    """How findings are shown, given the rules by code."""

    rules: Mapping[str, Rule]

    def diagnostic(self, finding: Finding, positions: Positions) -> types.Diagnostic:
        """A finding where it is, with the address of its rule's page."""
        rule = self.rules.get(finding.code)
        url = page.url(rule) if rule else None
        return types.Diagnostic(
            range=positions.range(finding),
            message=told(finding),
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            code_description=types.CodeDescription(url) if url else None,
            source="neuronlint",
            tags=[types.DiagnosticTag.Unnecessary] if _is_unnecessary(finding) else None,
        )

    def page(self, code: str) -> str | None:
        """The page of the rule with a code."""
        rule = self.rules.get(code)
        return page.read(rule) if rule else None


def _is_unnecessary(finding: Finding) -> bool:
    """Whether what was found is of no use: an import, or a comment that suppresses nothing."""
    return finding.code == UNUSED.code or finding.name.endswith("-import")
