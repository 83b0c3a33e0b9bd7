"""What a rule needs: everything a rule pack imports comes from here."""

from neuronlint.devices import CudaText, Role
from neuronlint.guards import Known
from neuronlint.module import Module
from neuronlint.placement import Placed
from neuronlint.receivers import Receiver
from neuronlint.rule import Applicability, Edit, Finding, Fix, Match, Rule, Severity
from neuronlint.table import Row, read_table

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
