"""Which expressions name a process-group backend."""

from __future__ import annotations

import re

import libcst as cst

from neuronlint import Module

_NAME = re.compile(r"(?:.*_)?backend(?:_(?:name|str|type))?")
_OTHERS = frozenset({"ccl", "cncl", "eccl", "hccl", "mccl", "neuron", "xccl", "xla"})
_NCCL = {"torch.distributed.Backend.NCCL", "torch.distributed.distributed_c10d.Backend.NCCL"}


def is_nccl(node: cst.CSTNode, module: Module) -> bool:
    """Whether an expression is the text "nccl", or torch's name for it."""
    match node:
        case cst.SimpleString():
            return str(node.evaluated_value).lower() == "nccl"
        case cst.Attribute():
            return module.name(node) in _NCCL
        case _:
            return False


def is_gloo(node: cst.CSTNode, module: Module) -> bool:
    """Whether an expression is the text "gloo", or torch's name for it."""
    match node:
        case cst.SimpleString():
            return str(node.evaluated_value).lower() == "gloo"
        case cst.Attribute():
            return (module.name(node) or "").endswith(".Backend.GLOO")
        case _:
            return False


def names_backend(name: str) -> bool:
    """Whether a variable, parameter or option holds a process-group backend by its name."""
    return _NAME.fullmatch(name.lower().strip("-_").replace("-", "_")) is not None


def is_another(node: cst.CSTNode) -> bool:
    """Whether an expression is the text of a backend that serves another accelerator."""
    return isinstance(node, cst.SimpleString) and node.evaluated_value in _OTHERS
