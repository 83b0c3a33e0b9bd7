"""One source file, parsed: what a check may ask of it, and the edits it may build."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from pathlib import Path
from typing import TypeVar, cast

import libcst as cst

from neuronlint.devices import Devices
from neuronlint.fields import Fields
from neuronlint.guards import Guards
from neuronlint.hot import Hot
from neuronlint.names import Names
from neuronlint.parsing import Parsed
from neuronlint.patched import patched
from neuronlint.placement import Placed, Placement
from neuronlint.receivers import Receivers
from neuronlint.rule import ACCELERATOR_SINCE, NOWHERE, Edit
from neuronlint.settings import Settings
from neuronlint.source import Source
from neuronlint.spans import Spans
from neuronlint.tensors import Tensors
from neuronlint.tree import Tree

N = TypeVar("N", bound=cst.CSTNode)

# Places in which a conditional expression needs no parentheses.
_OPEN = (
    *(cst.Arg, cst.Assign, cst.AnnAssign, cst.Return, cst.Expr, cst.Param, cst.Index),
    *(cst.Element, cst.DictElement, cst.FormattedStringExpression, cst.Yield),
)


_IS_AVAILABLE = "torch.accelerator.is_available"
_WORLD = re.compile(rb"torch|tensor|model|\bnn\b|net\b|import \*", re.IGNORECASE)


class Module:
    """A parsed source file, with all that is known about its names, guards and devices."""

    def __init__(
        self,
        source: Source,
        path: Path,
        settings: Settings | None = None,
        parsed: Parsed | None = None,
    ) -> None:
        parsed = parsed or Parsed.whole(source.parsable)
        self.path = path
        self.settings = settings or Settings()
        self.source = source
        self.tree = Tree(parsed.tree, parsed.part.starts, parsed.part.told)
        self._parsed = parsed
        self.names = Names(self.tree, source.data)
        self.guards = Guards(self.tree, self.names)
        self.receivers = Receivers(self.tree, self.names)
        self.devices = Devices(self.tree, self.names, self.receivers)
        self.placement = Placement(self)

    def nodes(self, node_type: type[N]) -> list[N]:
        """Every node of exactly this type; names that refer to nothing are left out."""
        return cast("list[N]", self.tree.nodes.get(node_type, []))

    def candidates(self, node_type: type[N]) -> list[N]:
        """Those of the nodes in which something may be found, by the words that rules declare."""
        return cast("list[N]", self.tree.told.get(node_type, []))

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node that holds this one."""
        return self.tree.parents[node]

    def enclosing(self, node: cst.CSTNode, *node_types: type[N]) -> N | None:
        """The nearest node around this one that has one of the types."""
        found = (one for one in self.tree.above(node) if isinstance(one, node_types))
        return next(found, None)

    def line_of(self, node: cst.BaseExpression) -> cst.SimpleStatementLine | None:
        """The line on which an expression is the only statement."""
        statement = self.parent(node)
        line = self.parent(statement) if isinstance(statement, cst.Expr) else None
        return line if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None

    def name(self, node: cst.CSTNode) -> str | None:
        """The imported dotted name a reference stands for."""
        return self.names.qualified(node)

    def text(self, node: cst.CSTNode) -> str:
        """The source text of a node, its own parentheses left out."""
        start, end = self.span(node)
        return self.source.data[start:end].decode()

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """The offsets at which a node starts and ends."""
        return self._spans[node]

    def replace(self, node: cst.CSTNode, text: str) -> Edit:
        """Put `text` where the node stands."""
        return Edit(*self.span(node), text)

    def replace_choice(self, node: cst.BaseExpression, text: str) -> Edit:
        """Put a conditional expression where the node stands, parenthesised where it must be."""
        open_place = isinstance(self.parent(node), _OPEN) or bool(getattr(node, "lpar", ()))
        return self.replace(node, text if open_place else f"({text})")

    def put(self, node: cst.BaseExpression, placed: Placed) -> Edit:
        """Put a device expression where the node stands."""
        if placed.is_choice:
            return self.replace_choice(node, placed.text)
        return self.replace(node, placed.text)

    def use(self, qualified: str, at: cst.CSTNode) -> tuple[str, list[Edit]]:
        """How to write a dotted name at a place, and the edits that import it if nothing does yet.

        The project's own word for it, where its style has one. No edit brings a name that means
        something else at the place, or torch into a file that may be loaded without it.
        """
        if word := self.settings.style.names.get(qualified):
            return word, self.imports(word, at)
        if local := self.names.local(qualified, at):
            return local, []
        root = qualified.partition(".")[0]
        if self.names.is_taken(root, at) or not self.names.loads_torch:
            return qualified, [NOWHERE]
        return qualified, [self.insert(self.body_start, f"import {root}\n")]

    def asked(self, at: cst.CSTNode) -> tuple[str, list[Edit]]:
        """How to ask for an accelerator at a place, and the edits that import what asks."""
        return self.use(_IS_AVAILABLE, at)

    @property
    def asked_since(self) -> str:
        """The first torch that can be asked for an accelerator, any where the style asks."""
        return self.since(_IS_AVAILABLE)

    def since(self, qualified: str) -> str:
        """The first torch with a name of torch.accelerator, any where the style has a word."""
        return "" if qualified in self.settings.style.names else ACCELERATOR_SINCE

    def imports(self, expression: str, at: cst.CSTNode) -> list[Edit]:
        """The edits that import the first name of one of the style's expressions."""
        root = expression.partition("(")[0].partition(".")[0]
        statement = self.settings.style.imports.get(root)
        if statement is None or self.tree.scope(at).lookup(root):
            return []
        return [self.insert(self.body_start, f"{statement}\n")]

    def accelerated(self, at: cst.CSTNode) -> bool:
        """Whether a call needs no question first, by what is known here or by the style."""
        return self.guards.at(at).accelerated or not self.settings.style.guarded

    def under_accelerator(self, call: cst.Call, text: str) -> list[Edit]:
        """The edits that run `text` in place of a call only where an accelerator is."""
        asked, edits = self.asked(call)
        if self.line_of(call) is not None:
            margin = self._margin(self.span(call)[0])
            body = f"if {asked}():\n{margin}{self.tree.root.default_indent}{text}"
            return [self.replace(call, body), *edits]
        return [self.replace_choice(call, f"{text} if {asked}() else None"), *edits]

    def statements(self, call: cst.Call, *lines: str) -> Edit | None:
        """The edit that puts whole statements where a call alone is one, None elsewhere."""
        if self.line_of(call) is None:
            return None
        return self.replace(call, f"\n{self._margin(self.span(call)[0])}".join(lines))

    def remove(self, statement: cst.BaseSmallStatement) -> list[Edit] | None:
        """The edits that remove a statement with its line, `pass` where a block would be empty."""
        line = self.parent(statement)
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
            return None
        block = self.parent(line)
        if len(getattr(block, "body", ())) == 1 and not isinstance(block, cst.Module):
            return [self.replace(statement, "pass")]
        start, end = self.span(statement)
        first = self.source.line_starts[self.source.place(start)[0] - 1]
        after = self.source.data.find(b"\n", end)
        rest = self.source.data[end:after] if after >= 0 else self.source.data[end:]
        if rest.strip():  # a comment that may hold for more than the statement
            return None
        return [Edit(first, after + 1 if after >= 0 else len(self.source.data), "")]

    def _margin(self, offset: int) -> str:
        """The white space at the start of the line that holds an offset."""
        start = self.source.line_starts[self.source.place(offset)[0] - 1]
        line = self.source.data[start:offset].decode()
        return line[: len(line) - len(line.lstrip())]

    def insert(self, offset: int, text: str) -> Edit:
        """Put `text`, whole lines, at an offset."""
        if offset == len(self.source.data) and not self.source.data.endswith(b"\n"):
            text = f"\n{text}"
        return Edit(offset, offset, text)

    @cached_property
    def is_about_torch(self) -> bool:
        """Whether any word of the file belongs to torch's world, so that objects may be torch's."""
        return _WORLD.search(self.source.data) is not None

    @cached_property
    def patched(self) -> frozenset[str]:
        """The dotted names of torch.cuda that the file sets to something else."""
        return patched(self.tree, self.names)

    @cached_property
    def body_start(self) -> int:
        """The offset of the first statement after the docstring and the __future__ imports."""
        last = None
        for statement in self.tree.root.body:
            if not _is_prologue(statement):
                break
            last = statement
        if last is not None:
            return self.line_after(last)
        first = next(iter(self.tree.root.body), None)
        if first is None:
            return len(self.source.data)
        return self.source.line_starts[self.source.place(self.span(first)[0])[0] - 1]

    def line_after(self, statement: cst.CSTNode) -> int:
        """The offset of the line that follows a statement."""
        _, end = self.span(statement)
        starts = self.source.line_starts
        later = bisect_left(starts, end)
        return starts[later] if later < len(starts) else len(self.source.data)

    @cached_property
    def hot(self) -> Hot:
        """The places that run in every step."""
        return Hot(self.tree, self.names, self.path)

    @cached_property
    def fields(self) -> Fields:
        """What is assigned to the fields of its classes."""
        return Fields(self.tree)

    @cached_property
    def tensors(self) -> Tensors:
        """The expressions that are tensors."""
        return Tensors(self.tree, self.names, self.fields)

    @cached_property
    def _spans(self) -> Spans:
        return Spans(self.tree, self._parsed.part.text)


def _is_prologue(statement: cst.CSTNode) -> bool:
    """Whether a new import must come after this statement: docstring, __future__."""
    match statement:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()), *_]
        ):
            return True
        case cst.SimpleStatementLine(body=[cst.ImportFrom(module=cst.Name("__future__")), *_]):
            return True
        case _:
            return False
