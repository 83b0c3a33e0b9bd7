"""What a rule needs: everything a rule pack imports comes from here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neuronlint.devices import CudaText, Role
    from neuronlint.guards import Known
    from neuronlint.module import Module
    from neuronlint.placement import Placed
    from neuronlint.receivers import Receiver
    from neuronlint.rule import Applicability, Edit, Finding, Fix, Match, Rule, Severity
    from neuronlint.table import Row, read_table

_HOMES = {
    "CudaText": "devices",
    "Role": "devices",
    "Known": "guards",
    "Module": "module",
    "Placed": "placement",
    "Receiver": "receivers",
    "Row": "table",
    "read_table": "table",
}

__all__ = [
    "Applicability",
    "CudaText",
    "Edit",
    "Finding",
    "Fix",
    "Known",
    "Match",
    "Module",
    "Placed",
    "Receiver",
    "Role",
    "Row",
    "Rule",
    "Severity",
    "read_table",
]


def __getattr__(name: str) -> Any:
    """A public name, from the module it lives in; libcst is loaded when it is first needed."""
    if name not in __all__:
        raise AttributeError(f"module 'neuronlint' has no attribute {name!r}")
    return getattr(import_module(f"neuronlint.{_HOMES.get(name, 'rule')}"), name)
