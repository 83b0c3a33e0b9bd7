"""The one walk over a syntax tree: nodes by type, parents, and what binds each name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache

import libcst as cst

# Fields that hold white space and punctuation: nothing a rule asks about lies in them.
_LAYOUT = {
    *("lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "leading_lines", "header"),
    *("lines_after_decorators", "footer", "comma", "semicolon", "equal", "dot", "colon"),
    *("operator", "first_line", "trailing_whitespace", "relative", "indicator", "separator"),
}
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
_OPENS = frozenset({cst.FunctionDef, cst.Lambda, cst.ClassDef, *_COMPREHENSIONS})
_IMPORTS = frozenset({cst.Import, cst.ImportFrom})
# Names that refer to nothing: the `b` of `a.b`, the `k` of `f(k=1)`, the `x` of `x = 1`.
_LABELS: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Attribute: ("attr",),
    cst.Arg: ("keyword",),
    cst.FunctionDef: ("name",),
    cst.ClassDef: ("name",),
    cst.Param: ("name",),
    cst.AssignTarget: ("target",),
    cst.AnnAssign: ("target",),
}


@dataclass(frozen=True, eq=False)
class Binding:
    """One place that gives a name a meaning.

    `imported` is the dotted name an import gives it, `value` the expression it is assigned
    as a whole; a parameter, a loop variable or a part of a tuple has neither.
    """

    node: cst.CSTNode
    imported: str | None = None
    value: cst.BaseExpression | None = None


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, and the names bound in it."""

    node: cst.CSTNode
    outer: Scope | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    elsewhere: dict[str, Scope] = field(default_factory=dict)  # names declared global or nonlocal

    def lookup(self, name: str) -> list[Binding]:
        """The bindings of a name in the nearest scope that has any, as Python looks it up."""
        scope: Scope | None = self
        while scope is not None:
            place = scope.elsewhere.get(name, scope)
            if name in place.bindings and (
                scope is self or not isinstance(scope.node, cst.ClassDef)
            ):
                return place.bindings[name]
            scope = scope.outer
        return []


class Tree:
    """A parsed module, indexed."""

    def __init__(self, root: cst.Module) -> None:
        self.root = root
        self.nodes: dict[type[cst.CSTNode], list[cst.CSTNode]] = defaultdict(list)
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.scopes: dict[cst.CSTNode, Scope] = {root: Scope(root)}
        self._walk()

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope in which the names of an expression or statement are looked up."""
        while node is not self.root:
            parent = self.parents[node]
            if self._starts_comprehension(node, parent):
                node = self.parents[parent]
                continue
            if parent in self.scopes and _lies_inside(node, parent):
                return self.scopes[parent]
            node = parent
        return self.scopes[self.root]

    def _starts_comprehension(self, node: cst.CSTNode, parent: cst.CSTNode) -> bool:
        """Whether a node is what a comprehension goes through first: that lies outside it."""
        if not isinstance(parent, cst.CompFor) or parent.iter is not node:
            return False
        return isinstance(self.parents[parent], _COMPREHENSIONS)

    def _walk(self) -> None:
        stack: list[tuple[cst.CSTNode, Scope]] = [(self.root, self.scopes[self.root])]
        while stack:
            node, scope = stack.pop()
            kind = type(node)
            self.nodes[kind].append(node)
            inner = scope
            if kind in _OPENS:
                inner = self.scopes[node] = Scope(node, scope)
            if kind in _BINDS:
                _bind(node, scope, inner)
            if kind in _IMPORTS:
                continue
            everywhere = kind in _COMPREHENSIONS
            below = [
                (child, inner if everywhere or field == "body" else scope)
                for field, child in self._children(node, kind)
            ]
            stack += reversed(below)

    def _children(
        self, node: cst.CSTNode, kind: type[cst.CSTNode]
    ) -> Iterator[tuple[str, cst.CSTNode]]:
        """The nodes directly below one that refer to something, with the field each is in."""
        labels = _LABELS.get(kind, ())
        for name in _content(kind):
            value = getattr(node, name)
            for child in value if isinstance(value, (tuple, list)) else (value,):
                if isinstance(child, cst.CSTNode):
                    self.parents[child] = node
                    if name not in labels or not isinstance(child, cst.Name):
                        yield name, child


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes directly below one, layout left out."""
    for name in _content(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from (item for item in value if isinstance(item, cst.CSTNode))


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


@cache
def _content(node_type: type[cst.CSTNode]) -> tuple[str, ...]:
    names = (f.name for f in fields(node_type))
    return tuple(n for n in names if n not in _LAYOUT and not n.startswith("whitespace"))


def _lies_inside(child: cst.CSTNode, parent: cst.CSTNode) -> bool:
    """Whether the names in a child are looked up in the scope that its parent opens."""
    match parent:
        case cst.FunctionDef() | cst.Lambda() | cst.ClassDef():
            return child is parent.body
        case cst.ListComp() | cst.SetComp() | cst.DictComp() | cst.GeneratorExp():
            return True
        case _:
            return False


_BINDS = frozenset(
    {*_IMPORTS, *_OPENS, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For}
    | {cst.CompFor, cst.AsName, cst.Global, cst.Nonlocal}
    | {cst.MatchAs, cst.MatchStar, cst.MatchMapping}
)


def _bind(node: cst.CSTNode, scope: Scope, inner: Scope) -> None:
    """Record the names that a node binds."""
    match node:
        case cst.Import() | cst.ImportFrom():
            for name, imported in imported_names(node):
                _add(scope, name, Binding(node, imported=imported))
        case cst.FunctionDef() | cst.ClassDef():
            _add(scope, node.name.value, Binding(node))
            if isinstance(node, cst.FunctionDef):
                _bind_parameters(node.params, inner)
        case cst.Lambda():
            _bind_parameters(node.params, inner)
        case cst.Assign(targets=goals, value=value):
            for goal in goals:
                _assign(goal.target, node, value, scope)
        case cst.AnnAssign(target=target, value=value):
            if value is not None:
                _assign(target, node, value, scope)
        case cst.NamedExpr(target=target, value=value):
            while isinstance(scope.node, _COMPREHENSIONS) and scope.outer:
                scope = scope.outer
            _assign(target, node, value, scope)
        case cst.AugAssign(target=target) | cst.For(target=target) | cst.CompFor(target=target):
            _assign(target, node, None, scope)
        case cst.AsName(name=target):
            _assign(target, node, None, scope)
        case cst.Global(names=items):
            scope.elsewhere.update((item.name.value, _outermost(scope)) for item in items)
        case cst.Nonlocal(names=items):
            scope.elsewhere.update((i.name.value, _owner(scope, i.name.value)) for i in items)
        case cst.MatchAs(name=cst.Name(value=name)) | cst.MatchStar(name=cst.Name(value=name)):
            _add(scope, name, Binding(node))
        case cst.MatchMapping(rest=cst.Name(value=name)):
            _add(scope, name, Binding(node))


def _assign(target: cst.CSTNode, node: cst.CSTNode, value: object, scope: Scope) -> None:
    for single in targets(target):
        if isinstance(single, cst.Name):
            whole = value if single is target and isinstance(value, cst.BaseExpression) else None
            _add(scope, single.value, Binding(node, value=whole))


def _add(scope: Scope, name: str, binding: Binding) -> None:
    scope.elsewhere.get(name, scope).bindings[name].append(binding)


def _bind_parameters(parameters: cst.Parameters, scope: Scope) -> None:
    rest = (parameters.star_arg, parameters.star_kwarg)
    named = (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params, *rest)
    for parameter in named:
        if isinstance(parameter, cst.Param):
            _add(scope, parameter.name.value, Binding(parameter))


def _outermost(scope: Scope) -> Scope:
    while scope.outer:
        scope = scope.outer
    return scope


def _owner(scope: Scope, name: str) -> Scope:
    owner = scope.outer
    while owner and (isinstance(owner.node, cst.ClassDef) or name not in owner.bindings):
        owner = owner.outer
    return owner or _outermost(scope)


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
