"""What an editor is offered to do about findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types

from neuronlint import noqa
from neuronlint.report import applies
from neuronlint.rule import Applicability, Edit, Finding
from neuronlint.server.diagnostics import Shown
from neuronlint.server.documents import Document
from neuronlint.server.positions import Positions
from neuronlint.server.titles import title

QUICK_FIX = types.CodeActionKind.QuickFix
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.neuronlint"


@dataclass(frozen=True)
class Actions:
    """What there is to do in a document that one editor has open; `version` is that of a text.

    `versioned` says that the editor checks the version before it edits, `later` that it asks
    for the edits of an action only once it is chosen.
    """

    uri: str
    version: Callable[[str], int | None]
    document: Document
    positions: Positions
    shown: Shown
    versioned: bool
    later: bool

    def at(self, where: types.Range) -> Iterator[types.CodeAction]:
        """What to do about the findings that a range touches: first fixes, then comments."""
        findings = self.document.findings
        own = [each for each in findings if self.positions.has(each)]
        touched = [each for each in own if meet(self.positions.range(each), where)]
        for finding in touched:
            yield from self._fix(finding)
        for finding in noqa.suppressible(touched):
            yield from self._suppress(finding)

    def all_fixes(self) -> Iterator[types.CodeAction]:
        """Everything that `--fix` does, if it does anything."""
        unsafe = self.document.plan is not None and self.document.plan.unsafe
        fixable = any(applies(each, unsafe) for each in self.document.findings)
        if fixable and self.document.source is not None:
            said = f"neuronlint: fix all that {'can be fixed' if unsafe else 'is safe to fix'}"
            yield self._lazy(types.CodeAction(said, FIX_ALL, data={"uri": self.uri}))

    def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """The action with its edit, which may be none where the document has changed since."""
        match action.data:
            case {"suppress": [str(code), int(line), int(column)]}:
                edits = [
                    edit
                    for each in self.document.findings
                    if (each.code, each.line, each.column) == (code, line, column)
                    for edit in self.document.suppressed(each)
                ]
            case _:
                edits = self.document.fixed()
        action.edit = self._edit(edits)
        return action

    def _fix(self, finding: Finding) -> Iterator[types.CodeAction]:
        """The fix of a finding; one that is only to be looked at is not offered."""
        source = self.document.source
        if finding.fix is not None and source is not None and applies(finding, unsafe=True):
            edits = self.document.fix(finding)
            yield types.CodeAction(
                title(finding, edits, source),
                QUICK_FIX,
                [self.shown.diagnostic(finding, self.positions)],
                is_preferred=finding.fix.applicability is Applicability.SAFE,
                edit=self._edit(edits),
            )

    def _suppress(self, finding: Finding) -> Iterator[types.CodeAction]:
        action = self._lazy(
            types.CodeAction(
                f"Suppress {finding.code} ({finding.name}) with # noqa: {finding.code}",
                QUICK_FIX,
                [self.shown.diagnostic(finding, self.positions)],
                data={"uri": self.uri, "suppress": [finding.code, finding.line, finding.column]},
            )
        )
        if self.later or _edits(action):
            yield action

    def _lazy(self, action: types.CodeAction) -> types.CodeAction:
        return action if self.later else self.resolved(action)

    def _edit(self, edits: Sequence[Edit]) -> types.WorkspaceEdit:
        """Edits of this document, or of the notebook whose cell it is."""
        made: dict[str, list[types.TextEdit]] = {}
        for edit in edits:
            uri = self.positions.home(edit) or self.uri
            made.setdefault(uri, []).append(self.positions.edit(edit))
        if not self.versioned:
            return types.WorkspaceEdit(changes=made)
        changes: list[types.TextDocumentEdit] = []
        for uri, texts in made.items():
            which = types.OptionalVersionedTextDocumentIdentifier(uri, self.version(uri))
            changes.append(types.TextDocumentEdit(which, [*texts]))
        return types.WorkspaceEdit(document_changes=changes)


def asks_for(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Whether a kind is among those that an editor wants to hear of."""
    wanted = None if only is None else [getattr(each, "value", each) for each in only]
    return wanted is None or any(f"{kind}.".startswith(f"{each}.") or not each for each in wanted)


def _edits(action: types.CodeAction) -> bool:
    """Whether an action does anything."""
    match action.edit:
        case types.WorkspaceEdit(changes=dict(changes)):
            return bool(changes)
        case types.WorkspaceEdit(document_changes=[*changed]):
            return bool(changed)
        case _:
            return False


def meet(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges have a place in common, be it an edge."""
    return _key(one.start) <= _key(other.end) and _key(other.start) <= _key(one.end)


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character
