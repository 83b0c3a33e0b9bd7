"""Settings of the backends of CUDA, and which of their names are no settings."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from neuronlint import Module, Row, read_table

CUDNN = read_table(__name__, "cudnn.toml")
CUDA = read_table(__name__, "cuda.toml")
_ROWS: Mapping[str, Row] = {**CUDNN, **CUDA}

# They ask, and answer without CUDA too; or they are the classes behind the settings.
_QUESTIONS = frozenset(
    {"is_available", "version", "is_acceptable", "is_built", "is_ck_sdpa_available"}
    | {"is_flash_attention_available", "CUDNN_TENSOR_DTYPES", "ContextProp", "Unserializable"}
)
_ANSWERS = ("_enabled", "_allowed", "Module", "Cache", "Prop", "Manager")


def row_of(
    node: cst.BaseExpression, module: Module, rows: Mapping[str, Row]
) -> tuple[str, Row] | None:
    """The name that a node is, and its row; none where it is part of a longer name with a row."""
    name = module.name(node)
    if name is None or (row := rows.get(name)) is None:
        return None
    match module.parent(node):
        case cst.Attribute(value=value, attr=cst.Name(value=longer)) if value is node:
            if f"{name}.{longer}" in _ROWS:
                return None
    return name, row


def setting_of(
    node: cst.BaseExpression, module: Module, rows: Mapping[str, Row]
) -> tuple[str, Row] | None:
    """The same, for names that set something and do no harm."""
    found = row_of(node, module, rows)
    if found is None or not found[1].harmless:
        return None
    last = found[0].rpartition(".")[2]
    return None if last in _QUESTIONS or last.endswith(_ANSWERS) else found
