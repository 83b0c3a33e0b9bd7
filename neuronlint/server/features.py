"""What editors tell the language server and ask of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from neuronlint.projects import Projects
from neuronlint.server import actions
from neuronlint.server.positions import Positions
from neuronlint.server.service import Server

_CONFIGURATIONS = "**/{pyproject.toml,neuronlint.toml,.neuronlint.toml,requirements*.txt}"
_CODE = re.compile(r"\b[A-Z]+[0-9]+\b")


def serve(projects: Callable[[], Projects]) -> int:
    """Serve an editor until it is done; 0 if it said so before it left."""
    server = Server(projects)
    _register(server)
    out, sys.stdout = sys.stdout, sys.stderr  # what a rule prints is no message
    server.start_io(sys.stdin.buffer, out.buffer)
    return 0 if server.ended else 1


def _register(server: Server) -> None:
    """Make the server do what editors may ask of it."""
    server.feature(types.INITIALIZED)(_watch_configurations)
    server.feature(types.SHUTDOWN)(_end)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(lambda ls, said: ls.show(said.text_document.uri))
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(lambda ls, said: ls.soon(said.text_document.uri))
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(lambda ls, said: ls.again(said.text_document.uri))
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(lambda ls, _: ls.forget(_.text_document.uri))
    server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(_notebook_opened)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(_notebook_changed)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(_notebook_saved)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(_notebook_closed)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_all_again)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_all_again)
    kinds = types.CodeActionOptions([actions.QUICK_FIX, actions.FIX_ALL], resolve_provider=True)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_code_actions)
    server.feature(types.CODE_ACTION_RESOLVE)(_resolved)
    server.feature(types.TEXT_DOCUMENT_HOVER)(_hover)


def _notebook_opened(ls: Server, said: types.DidOpenNotebookDocumentParams) -> None:
    ls.show(said.notebook_document.uri)


def _notebook_changed(ls: Server, said: types.DidChangeNotebookDocumentParams) -> None:
    """Check again soon; cells that are gone keep no findings."""
    changed = said.change.cells.structure if said.change.cells else None
    for gone in (changed and changed.did_close) or []:
        ls.clear(gone.uri)
    ls.soon(said.notebook_document.uri)


def _notebook_saved(ls: Server, said: types.DidSaveNotebookDocumentParams) -> None:
    ls.again(said.notebook_document.uri)


def _notebook_closed(ls: Server, said: types.DidCloseNotebookDocumentParams) -> None:
    ls.forget(said.notebook_document.uri, *(cell.uri for cell in said.cell_text_documents))


def _watch_configurations(ls: Server, _: object) -> None:
    """Ask an editor that can to tell when a configuration changes."""
    workspace = ls.client_capabilities.workspace
    watches = workspace.did_change_watched_files if workspace else None
    if watches and watches.dynamic_registration:
        watchers = [types.FileSystemWatcher(_CONFIGURATIONS)]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        ls.client_register_capability(
            types.RegistrationParams([types.Registration("configurations", method, options)])
        )


def _end(ls: Server, _: object) -> None:
    ls.ended = True


def _all_again(ls: Server, _: object) -> None:
    for uri in [*ls.workspace.text_documents]:
        if ls.workspace.get_notebook_document(cell_uri=uri) is None:
            ls.again(uri)
    for uri in [*ls.workspace.notebook_documents]:
        ls.again(uri)


def _code_actions(ls: Server, asked: types.CodeActionParams) -> list[types.CodeAction]:
    found = ls.actions(asked.text_document.uri)
    only = asked.context.only
    quick = found.at(asked.range) if actions.asks_for(only, actions.QUICK_FIX.value) else ()
    every = found.all_fixes() if actions.asks_for(only, actions.FIX_ALL) else ()
    return [*quick, *every]


def _resolved(ls: Server, action: types.CodeAction) -> types.CodeAction:
    data: Any = action.data
    return ls.actions(data["uri"]).resolved(action)


def _hover(ls: Server, asked: types.HoverParams) -> types.Hover | None:
    """The pages of the rules that found something at a place, or that it names."""
    uri, at = asked.text_document.uri, asked.position
    place = types.Range(at, at)
    known = ls.checked(uri)
    positions = ls.positions(uri, known)
    found = [(one.code, positions.range(one)) for one in known.findings if positions.has(one)]
    touched = [(code, where) for code, where in found if actions.meet(where, place)]
    touched = touched or _named(positions, at)
    pages = {code: ls.shown.page(code) for code, _ in touched}
    texts = [page for page in pages.values() if page]
    if not texts:
        return None
    return types.Hover(types.MarkupContent(_kind(ls), "\n\n---\n\n".join(texts)), touched[0][1])


def _named(positions: Positions, at: types.Position) -> list[tuple[str, types.Range]]:
    """The code that stands at a place, in a comment."""
    row = positions.row(at)
    line = positions.line(row)
    for match in _CODE.finditer(line, max(line.find("#"), 0)):
        start, end = (positions.position(row, each + 1) for each in match.span())
        if "#" in line and start.character <= at.character <= end.character:
            return [(match[0], types.Range(start, end))]
    return []


def _kind(ls: Server) -> types.MarkupKind:
    """How the editor wants pages."""
    able = ls.client_capabilities.text_document
    hover = able.hover if able else None
    formats = hover.content_format if hover else None
    plain = formats is not None and types.MarkupKind.Markdown not in formats
    return types.MarkupKind.PlainText if plain else types.MarkupKind.Markdown
