"""What a rule needs: everything a rule pack imports comes from here."""

from __future__ import annotations

import sys

if getattr(sys, "argv", [])[:1] == ["-m"] and not getattr(sys.flags, "safe_path", False):
    # What `python -m neuronlint` imports is not to come from the folder that it is run in.
    names = [word.removeprefix("-m").partition(".")[0] for word in sys.orig_argv]
    del sys.path[: "neuronlint" in names], names

TYPE_CHECKING = False  # typing takes longer to load than the shortest of runs have
if TYPE_CHECKING:
    from typing import Any

    from neuronlint.conditions import BACKENDS, Known, names_backend
    from neuronlint.documents import Document
    from neuronlint.documents.nodes import (
        Address,
        Command,
        Entry,
        Image,
        Option,
        Requirement,
        Variable,
    )
    from neuronlint.hot import HOT
    from neuronlint.module import Module
    from neuronlint.nodes import (
        below,
        children,
        dotted,
        imported_names,
        is_constant,
        keyword_of,
        last_name,
        target_name,
    )
    from neuronlint.placement import DEVICE, Placed
    from neuronlint.receivers import Receiver
    from neuronlint.roles import Role
    from neuronlint.rule import (
        ACCELERATOR_SINCE,
        Applicability,
        Edit,
        Finding,
        Fix,
        Match,
        Rule,
        Severity,
    )
    from neuronlint.spelled import CudaText
    from neuronlint.table import Row, read_table
    from neuronlint.tensors import Kind

_HOMES = {
    "Address": "documents.nodes",
    "Command": "documents.nodes",
    "BACKENDS": "conditions",
    "CudaText": "spelled",
    "DEVICE": "placement",
    "Document": "documents",
    "Entry": "documents.nodes",
    "HOT": "hot",
    "Image": "documents.nodes",
    "Kind": "tensors",
    "Role": "roles",
    "Known": "conditions",
    "Module": "module",
    "Option": "documents.nodes",
    "Placed": "placement",
    "Receiver": "receivers",
    "Requirement": "documents.nodes",
    "Row": "table",
    "Variable": "documents.nodes",
    "below": "nodes",
    "children": "nodes",
    "dotted": "nodes",
    "imported_names": "nodes",
    "is_constant": "nodes",
    "keyword_of": "nodes",
    "last_name": "nodes",
    "names_backend": "conditions",
    "read_table": "table",
    "target_name": "nodes",
}

__all__ = [
    "ACCELERATOR_SINCE",
    "BACKENDS",
    "DEVICE",
    "HOT",
    "Address",
    "Applicability",
    "Command",
    "CudaText",
    "Document",
    "Edit",
    "Entry",
    "Finding",
    "Fix",
    "Image",
    "Kind",
    "Known",
    "Match",
    "Module",
    "Option",
    "Placed",
    "Receiver",
    "Requirement",
    "Role",
    "Row",
    "Rule",
    "Severity",
    "Variable",
    "below",
    "children",
    "dotted",
    "imported_names",
    "is_constant",
    "keyword_of",
    "last_name",
    "names_backend",
    "read_table",
    "target_name",
]


def __getattr__(name: str) -> Any:
    """A public name, from the module it lives in; libcst is loaded when it is first needed."""
    if name not in __all__:
        raise AttributeError(f"module 'neuronlint' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"neuronlint.{_HOMES.get(name, 'rule')}"), name)
