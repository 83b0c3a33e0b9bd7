"""What types an annotation names."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint.nodes import is_constant, last_name


def alternatives(annotation: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The types of an annotation, `None` left out."""
    match annotation:
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            yield from alternatives(left)
            yield from alternatives(right)
        case cst.Subscript(value=whole, slice=parts):
            if last_name(whole) not in ("Optional", "Union"):
                yield whole
                return
            for part in parts:
                if isinstance(part.slice, cst.Index):
                    yield from alternatives(part.slice.value)
        case _:
            if not is_constant(annotation, "None"):
                yield annotation
