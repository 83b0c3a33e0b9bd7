"""What binds each name: the scopes of a module, and the bindings in them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

import libcst as cst

from neuronlint.nodes import imported_names, targets

COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
OPENS = frozenset({cst.FunctionDef, cst.Lambda, cst.ClassDef, *COMPREHENSIONS})
IMPORTS = frozenset({cst.Import, cst.ImportFrom})
BINDS = frozenset(
    {*IMPORTS, *OPENS, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For}
    | {cst.CompFor, cst.AsName, cst.Global, cst.Nonlocal}
    | {cst.MatchAs, cst.MatchStar, cst.MatchMapping}
)


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

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """The names that an import binds here, asked for once all are recorded."""
        found = self.bindings.items()
        return tuple(name for name, ways in found if any(way.imported for way in ways))

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


def bind(node: cst.CSTNode, scope: Scope, inner: Scope) -> None:
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
            while isinstance(scope.node, COMPREHENSIONS) and scope.outer:
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
