"""What single nodes of a syntax tree say by themselves: what lies in them, what they name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache

import libcst as cst

# Fields that hold white space and punctuation: nothing a rule asks about lies in them.
_LAYOUT = {
    *("lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "leading_lines", "header"),
    *("lines_after_decorators", "footer", "comma", "semicolon", "equal", "dot", "colon"),
    *("operator", "first_line", "trailing_whitespace", "relative", "indicator", "separator"),
}
_IS_NODE: dict[type[object], bool] = {}


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes directly below one, layout left out."""
    for name in content(type(node)):
        value = getattr(node, name)
        if is_node(value):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from (item for item in value if is_node(item))


def below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all below it that stand in the index; what imports name does not."""
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        if not isinstance(found, (cst.Import, cst.ImportFrom)):
            stack += children(found)


def targets(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The single targets in an assignment target: `a` and `b.c` of `a, (b.c, *_)`."""
    match node:
        case cst.Tuple() | cst.List():
            for element in node.elements:
                yield from targets(element.value)
        case cst.StarredElement():
            yield from targets(node.value)
        case cst.BaseExpression():
            yield node


def is_node(value: object) -> bool:
    """Whether a value is a node; to ask for an instance of an abstract class takes far longer."""
    kind = type(value)
    if (known := _IS_NODE.get(kind)) is None:
        known = _IS_NODE[kind] = issubclass(kind, cst.CSTNode)
    return known


@cache
def content(node_type: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a type of node that hold more than layout."""
    names = (f.name for f in fields(node_type))
    return tuple(n for n in names if n not in _LAYOUT and not n.startswith("whitespace"))


def imported_names(node: cst.Import | cst.ImportFrom) -> Iterator[tuple[str, str]]:
    """Each name that an import binds, with the dotted name it stands for; `*` for a star."""
    if isinstance(node, cst.Import):
        for alias in node.names:
            full = dotted(alias.name) or ""
            root = full.partition(".")[0]
            yield (alias.evaluated_alias, full) if alias.evaluated_alias else (root, root)
        return
    package = "." * len(node.relative) + (dotted(node.module) or "" if node.module else "")
    if isinstance(node.names, cst.ImportStar):
        yield "*", package
        return
    for alias in node.names:
        name = alias.evaluated_name
        yield alias.evaluated_alias or name, f"{package}.{name}"


def dotted(node: cst.CSTNode) -> str | None:
    """The text of a plain chain of names, `a.b.c`."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    return ".".join([node.value, *reversed(parts)]) if isinstance(node, cst.Name) else None


def last_name(node: cst.CSTNode) -> str:
    """The last name of a chain of attributes, empty for anything else."""
    match node:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name
        case _:
            return ""


def target_name(target: cst.CSTNode) -> str:
    """The name that says what a variable, field or entry holds."""
    match target:
        case cst.Subscript(
            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
        ):
            return str(key.evaluated_value)
        case _:
            return last_name(target)


def keyword_of(arg: cst.Arg) -> str:
    """The keyword that an argument is given by, empty for none."""
    return arg.keyword.value if arg.keyword else ""


def is_constant(node: cst.CSTNode | None, name: str) -> bool:
    """Whether an expression is `None`, `True` or `False`, by that name."""
    return isinstance(node, cst.Name) and node.value == name
