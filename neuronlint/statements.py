"""The statements and clauses of a tree, and the logical lines that they start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

_CLAUSES = ("body", "cases", "handlers", "orelse", "finalbody")  # in the source's order


def by_line(root: cst.Module, starts: Sequence[int]) -> dict[cst.CSTNode, int]:
    """The offset at which the line starts that each statement or clause has for itself.

    Empty where there are not as many of them as lines.
    """
    nodes = [*_starting(root)] if starts else []
    return dict(zip(nodes, starts, strict=True)) if len(nodes) == len(starts) else {}


def _starting(root: cst.Module) -> Iterator[cst.CSTNode]:
    """The statements, decorators and clauses that start a logical line, in the source's order."""
    ahead: list[cst.CSTNode] = [*reversed(root.body)]
    while ahead:
        node = ahead.pop()
        if isinstance(node, cst.IndentedBlock):
            ahead += reversed(node.body)
        elif not isinstance(node, cst.BaseSuite):  # that is on the line of what it belongs to
            yield from getattr(node, "decorators", ())
            yield node
            if not isinstance(node, cst.SimpleStatementLine):
                for clause in (getattr(node, name, None) for name in reversed(_CLAUSES)):
                    if isinstance(clause, cst.CSTNode):
                        ahead.append(clause)
                    else:
                        ahead += reversed(clause or ())
