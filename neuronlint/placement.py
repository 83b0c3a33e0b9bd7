"""How the fixed code names the device: a name that holds it already, or one bound for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from neuronlint.nodes import imported_names
from neuronlint.rule import ACCELERATOR_SINCE, Applicability, Edit, Fix, release
from neuronlint.spelled import CudaText

if TYPE_CHECKING:
    from neuronlint.module import Module

DEVICE = "DEVICE"
# current_accelerator() alone is no answer: in a CUDA build without a GPU it is "cuda".
_CHOICE = (
    "{torch}.accelerator.current_accelerator() "
    'if {torch}.accelerator.is_available() else {torch}.device("cpu")'
)
_TEXT_CHOICE = (
    "{torch}.accelerator.current_accelerator().type "
    'if {torch}.accelerator.is_available() else "cpu"'
)
# What an f-string of Python 3.10 takes for something else, or not at all.
_UNFIT = re.compile(r"[\\\n#]|:=|\blambda\b|![^=]")


@dataclass(frozen=True)
class Placed:
    """An expression for a device, and the edits it needs elsewhere.

    `exact` says that on CUDA it means the very device it stands for; `is_choice` that it is a
    conditional expression, `since` which torch it needs.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    exact: bool = True
    is_choice: bool = False
    since: str = ACCELERATOR_SINCE

    @property
    def name(self) -> str:
        """How a message names it: a choice is told by what it chooses."""
        return "torch.accelerator.current_accelerator()" if self.is_choice else self.text

    def fix(self, *edits: Edit, safe: bool = True, since: str = "") -> Fix:
        """A fix of these edits and those the expression needs; safe only if it is exact too."""
        since = max(since, self.since, key=release)
        trust = Applicability.SAFE if safe and self.exact else Applicability.UNSAFE
        return Fix((*edits, *self.edits), trust, since)


class Placement:
    """The device expressions that fixes of one module write."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._style = module.settings.style
        self._places: dict[tuple[str, bool], int | None] = {}

    def object(self, at: cst.CSTNode, found: CudaText | None = None) -> Placed:
        """The device at a place, for a call that takes a device or its name.

        A number stays where an accelerator is; without one there is only the CPU.
        """
        if found is not None and found.index not in (None, "0"):
            return self._numbered(at, found)
        exact = found is None or found.index is None
        held = self._module.devices.held(at)
        if held:
            exact = exact and held.certain and held.settled
            return Placed(held.text, exact=exact, since="")
        if self._style.device:
            return self._own(self._style.device, at, exact)
        torch, edits = self._module.use("torch", at)
        exact = exact and self._is_torch_code(edits)
        choice = _CHOICE.format(torch=torch)
        place = self._place(torch, at, imported=not edits)
        if place is None:
            return Placed(choice, tuple(edits), exact, is_choice=True)
        bound = self._module.insert(place, f"\n{DEVICE} = {choice}\n")
        return Placed(DEVICE, (*edits, bound), exact)

    def text(self, at: cst.CSTNode, found: CudaText | None = None) -> Placed:
        """The type of the device at a place as text, for whatever may not take a device."""
        if found is not None and found.index not in (None, "0"):
            return self._numbered(at, found)
        exact = found is None or found.index is None
        held = self._module.devices.held(at)
        if held:
            text = held.text if held.is_text else f"{held.text}.type"
            return Placed(text, exact=exact and held.certain and held.settled, since="")
        if self._style.device_type:
            return self._own(self._style.device_type, at, exact)
        return self._type_of(self.object(at), at, exact)

    def choice(self, at: cst.CSTNode, as_text: bool, exact: bool = True) -> Placed:
        """The choice itself, for the variable that is to hold the device."""
        own = self._style.device_type if as_text else self._style.device
        if own:
            return self._own(own, at, exact)
        torch, edits = self._module.use("torch", at)
        form = _TEXT_CHOICE if as_text else _CHOICE
        exact = exact and self._is_torch_code(edits)
        return Placed(form.format(torch=torch), tuple(edits), exact, is_choice=True)

    def integer(self, at: cst.CSTNode, number: str) -> Placed:
        """A device number, which means an accelerator's, or the CPU where there is none."""
        if self._module.guards.at(at).accelerated:
            return Placed(number, exact=False, since="")
        number = f"({number})" if " " in number else number
        asked, edits = self._module.asked(at)
        text = f'{number} if {asked}() else "cpu"'
        since = self._module.asked_since
        return Placed(text, tuple(edits), exact=False, is_choice=True, since=since)

    def _own(self, text: str, at: cst.CSTNode, exact: bool) -> Placed:
        """One of the project's own expressions."""
        return Placed(text, tuple(self._module.imports(text, at)), exact, since="")

    def _is_torch_code(self, edits: list[Edit]) -> bool:
        """Whether a module can have torch's choice: it loads torch, and scripts nothing."""
        return self._scripts_nothing and (not edits or b"from torch" in self._module.source.data)

    @cached_property
    def _scripts_nothing(self) -> bool:
        return b"jit.script" not in self._module.source.data

    def _type_of(self, placed: Placed, at: cst.CSTNode, exact: bool) -> Placed:
        if not placed.is_choice:
            return replace(placed, text=f"{placed.text}.type", exact=exact)
        return self.choice(at, as_text=True, exact=exact)

    def _numbered(self, at: cst.CSTNode, found: CudaText) -> Placed:
        """The device with a number, as text; the CPU where no accelerator may be."""
        kind, held = self.text(at), self._module.devices.held(at)
        torch, imports = self._module.use("torch", at)
        if kind.is_choice:
            kind = replace(kind, text=f"{torch}.accelerator.current_accelerator().type")
        elif held and held.is_text and not (held.certain and held.settled):
            text = f"{torch}.device({held.text}).type"  # it may have a number
            kind = replace(kind, text=text, edits=tuple(imports))
        text = _joined(kind.text, self._index(found))
        if self._module.guards.at(at).accelerated:
            return replace(kind, text=text, exact=False, is_choice=False)
        asked, edits = self._module.asked(at)
        text += f' if {asked}() else "cpu"'
        edits = [*kind.edits, *edits]
        since = max(kind.since, self._module.asked_since, key=release)
        return Placed(text, tuple(edits), exact=False, is_choice=True, since=since)

    def _index(self, found: CudaText) -> str:
        """The number of a device as code."""
        match found.index:
            case str(digits) | cst.Integer(value=digits):
                return digits
            case cst.BaseExpression() as index:
                return self._module.text(index)
            case None:
                return "0"

    def _place(self, torch: str, at: cst.CSTNode, imported: bool) -> int | None:
        """Where `DEVICE` can be bound for a use, None if it cannot."""
        if self._is_taken(at):
            return None
        if (torch, imported) not in self._places:
            self._places[torch, imported] = self._after_imports(torch, imported)
        place = self._places[torch, imported]
        return place if place is not None and place <= self._module.span(at)[0] else None

    def _after_imports(self, torch: str, imported: bool) -> int | None:
        """The offset behind the imports at the top, and behind what sets CUDA_VISIBLE_DEVICES.

        Asking for an accelerator fixes the devices that are seen.
        """
        tree = self._module.tree
        if imported and torch not in tree.scopes[tree.root].bindings:
            return None
        last, leading, bound = -1, True, not imported
        for position, statement in enumerate(tree.root.body):
            if _imports(statement):
                binds = _binds(statement, torch)
                bound |= binds
                last = position if leading or binds else last
            elif not _is_text(statement) and not _optional_import(statement):
                leading = leading and self._sets_up(statement)
            if self._sets_visible(statement):
                if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
                    return None  # when it runs is not known
                last = max(last, position)
        if not bound:
            return None
        last_one = tree.root.body[last] if last >= 0 else None
        return self._module.line_after(last_one) if last_one else self._module.body_start

    def _is_taken(self, at: cst.CSTNode) -> bool:
        """Whether the name has a meaning at a place, if only one that a star import may give it."""
        tree = self._module.tree
        if tree.scope(at).lookup(DEVICE) or DEVICE in tree.scopes[tree.root].bindings:
            return True
        stars = "*" in tree.scopes[tree.root].bindings
        return stars and any(name.value == DEVICE for name in self._module.nodes(cst.Name))

    def _sets_visible(self, statement: cst.CSTNode) -> bool:
        if b"_VISIBLE_" not in self._module.source.data:
            return False
        return "_VISIBLE_" in self._module.text(statement)

    def _sets_up(self, statement: cst.CSTNode) -> bool:
        """Whether a statement only prepares the imports behind it: a path, a variable, a filter."""
        match statement:
            case cst.SimpleStatementLine(
                body=[
                    cst.Expr(value=cst.Call(func=cst.Attribute()))
                    | cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript())])
                ]
            ):
                text = self._module.text(statement)
                return "cuda" not in text and ".to(" not in text
            case _:
                return False


def _joined(kind: str, number: str) -> str:
    """The text of a device with a number: an f-string, where every Python takes it for one."""
    if number.isdecimal():
        return f'f"{{{kind}}}:{number}"'
    quote = "'" if '"' in kind + number else '"'
    if quote in kind + number or _UNFIT.search(number) or number.startswith("{"):
        return f'"{{}}:{{}}".format({kind}, {number})'
    return f"f{quote}{{{kind}}}:{{{number}}}{quote}"


def _imports(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Import() | cst.ImportFrom(), *_]):
            return True
        case _:
            return False


def _is_text(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.BaseString()), *_]):
            return True
        case _:
            return False


def _optional_import(statement: cst.CSTNode) -> bool:
    """Whether a statement is a `try:` or `if` around imports, as found among the imports."""
    match statement:
        case cst.Try(body=body) | cst.If(body=body):
            return bool(body.body) and _imports(body.body[0])
        case _:
            return False


def _binds(statement: cst.CSTNode, name: str) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Import() as node, *_]):
            return any(bound == name for bound, _ in imported_names(node))
        case _:
            return False
