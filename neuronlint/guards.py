"""What is known at a place: that CUDA is there, or that other backends are handled beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from neuronlint.conditions import Conditions, Known, names_backend
from neuronlint.names import Names
from neuronlint.nodes import below, dotted, last_name
from neuronlint.patched import PATCHES
from neuronlint.tree import Tree

_GATE = re.compile(
    r"require\w*_(?:cuda|gpu|multi_gpu|multi_accelerator)\w*|(?:cuda|gpu)_(?:only|required)"
)
_SKIPS = frozenset({"skipif", "skipIf", "skipUnless", "skip_if", "skip_unless"})
_STOPS = frozenset({"sys.exit", "exit", "quit", "os._exit"})
_PORTABLE = ("torch.amp.", "torch.accelerator.")
_TOO_OLD = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError"})
_SKIP_CALLS = frozenset({"pytest.skip", "self.skipTest"})
_KNOWING = frozenset(
    {cst.If, cst.IfExp, cst.While, cst.BooleanOperation, cst.IndentedBlock, cst.Module}
    | {cst.FunctionDef, cst.ClassDef, cst.Call, cst.Try, cst.Dict}
)


class Guards:
    """The conditions that hold at the places of one module."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names
        self._conditions = Conditions(names)
        # What is known at a node, in code that is called later or not.
        self._known_at: dict[tuple[cst.CSTNode, bool], Known] = {}

    def at(self, node: cst.CSTNode) -> Known:
        """Everything known where a node runs."""
        ahead: list[tuple[tuple[cst.CSTNode, bool], Known]] = []
        called = False
        while (node, called) not in self._known_at:
            if node is self._tree.root:
                break
            parent = self._tree.parents[node]
            inside = called or (isinstance(parent, cst.FunctionDef) and node is parent.body)
            found = self._by(parent, node)
            if isinstance(parent, (cst.FunctionDef, cst.ClassDef)) and not inside and found.cuda:
                found = Known.NAMED  # a default, or a class's body: it runs whoever is skipped
            ahead.append(((node, called), found))
            node, called = parent, inside
        known = self._known_at.get((node, called), Known.NOTHING)
        for key, found in reversed(ahead):
            known = self._known_at[key] = known | found
        return known

    def optional(self, node: cst.CSTNode) -> bool:
        """Whether a failing import here is expected: it is in a `try`, an `if` or a `with`."""
        kinds = (cst.Try, cst.TryStar, cst.If, cst.With)
        return any(isinstance(one, kinds) for one in self._tree.above(node))

    def means(self, test: cst.BaseExpression, holds: bool = True) -> Known:
        """What a condition says about CUDA when it holds, or when it does not."""
        return self._conditions.means(test, holds)

    def _by(self, parent: cst.CSTNode, child: cst.CSTNode) -> Known:
        """What a parent makes known to one of its children."""
        if type(parent) not in _KNOWING:  # to match each of the patterns takes far longer
            return Known.NOTHING
        match parent:
            case cst.If(test=test, body=body):
                return self._branch(parent, child is body, child is test)
            case cst.IfExp(test=test, body=body):
                return self._branch(parent, child is body, child is test)
            case cst.While(test=test, body=body) if child is body:
                return self.means(test)
            case cst.BooleanOperation(left=left, operator=operator, right=right) if child is right:
                return self.means(left, isinstance(operator, cst.And))
            case cst.IndentedBlock(body=body) | cst.Module(body=body):
                return self._after_exits(body, child)
            case cst.FunctionDef(decorators=decorators) | cst.ClassDef(decorators=decorators):
                return Known.NOTHING if child in decorators else self._decorated(decorators)
            case cst.Call(func=called) if child is not called and last_name(called) in PATCHES:
                return Known.BRANCH
            case cst.Try(body=body) if _is_older(child) and self._is_newer(body):
                return Known.OLDER
            case cst.Dict(elements=elements) if names_backend(*(_key(e) for e in elements)):
                return Known.BRANCH
            case _:
                return Known.NOTHING

    def _branch(self, choice: cst.If | cst.IfExp, chosen: bool, asked: bool) -> Known:
        tests = [*_tests(choice)]
        known = Known.BRANCH if names_backend(*tests) else Known.NOTHING
        known |= Known.OLDER if any(map(_asks_for_newer, tests)) else Known.NOTHING
        return known if asked else known | self.means(choice.test, chosen)

    def _is_newer(self, body: cst.BaseSuite) -> bool:
        """Whether code tries what is for every accelerator and came with some torch."""
        names = (self._names.qualified(node) for node in below(body))
        return any(name is not None and name.startswith(_PORTABLE) for name in names)

    def _after_exits(self, body: Sequence[cst.CSTNode], child: cst.CSTNode) -> Known:
        """What earlier statements of a block rule out by leaving it."""
        known = Known.NOTHING
        for statement in body:
            if statement is child:
                break
            match statement:
                case cst.If(test=test, body=block, orelse=None) if leaves := self._leaves(block):
                    ruled_out = self.means(test, False)
                    known |= ruled_out if leaves == "passes" else _stopped(ruled_out)
                    if leaves == "passes" and names_backend(test):
                        known |= Known.BRANCH
                case cst.SimpleStatementLine(body=[cst.Assert(test=test), *_]):
                    known |= _stopped(self.means(test))
        return known

    def _leaves(self, block: cst.BaseSuite) -> str:
        """How a block ends: it `passes` on (return, skip), it `stops` the program, or neither."""
        last = block.body[-1] if block.body else None
        if isinstance(last, cst.SimpleStatementLine):
            last = last.body[-1]
        match last:
            case cst.Return() | cst.Continue() | cst.Break():
                return "passes"
            case cst.Raise(exc=cst.Call(func=raised)) if last_name(raised) == "SkipTest":
                return "passes"
            case cst.Raise():
                return "stops"
            case cst.Expr(value=cst.Call(func=function)):
                name = self._names.qualified(function) or dotted(function) or ""
                return "stops" if name in _STOPS else "passes" if name in _SKIP_CALLS else ""
            case _:
                return ""

    def _decorated(self, decorators: Sequence[cst.Decorator]) -> Known:
        """What the decorators of a definition leave for its body: a skip, or a named gate."""
        known = Known.NOTHING
        for decorator in decorators:
            applied = decorator.decorator
            match self._names.value(applied) or applied:
                case cst.Call(func=function, args=[cst.Arg(value=test), *_]) if (
                    name := last_name(function)
                ) in _SKIPS:
                    known |= self.means(test, name in ("skipUnless", "skip_unless"))
                case cst.Call(func=gate) | gate if _GATE.fullmatch(last_name(gate)):
                    known |= Known.NAMED
        return known


def _tests(choice: cst.If | cst.IfExp) -> Iterator[cst.BaseExpression]:
    """The tests of a choice and of those in its `else`; those before it are around it."""
    link: cst.CSTNode | None = choice
    while isinstance(link, (cst.If, cst.IfExp)):
        yield link.test
        link = link.orelse


def _asks_for_newer(test: cst.BaseExpression) -> bool:
    """Whether a condition asks for a torch that has `torch.accelerator`."""
    for node in below(test):
        match node:
            case cst.Call(
                func=cst.Name("hasattr"), args=[_, cst.Arg(value=cst.SimpleString(value=text))]
            ):
                if text.strip("\"'") == "accelerator":
                    return True
    return False


def _is_older(handler: cst.CSTNode) -> bool:
    """Whether a handler is for a torch that has not got a name yet."""
    caught = handler.type if isinstance(handler, cst.ExceptHandler) else None
    return caught is not None and any(last_name(one) in _TOO_OLD for one in below(caught))


def _key(element: cst.BaseDictElement) -> cst.CSTNode:
    return element.key if isinstance(element, cst.DictElement) else element.value


def _stopped(known: Known) -> Known:
    """What holds after the program would have stopped: an accelerator, whatever it asked for."""
    return Known.ACCELERATOR if known.accelerated else Known.NOTHING
