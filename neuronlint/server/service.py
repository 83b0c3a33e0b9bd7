"""The language server: what editors tell it and ask of it."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from neuronlint import crashes, own, registry
from neuronlint.projects import Projects
from neuronlint.server import actions, documents
from neuronlint.server.actions import Actions
from neuronlint.server.diagnostics import Shown
from neuronlint.server.documents import Document
from neuronlint.server.positions import Positions
from neuronlint.user_error import UserError

_PAUSE = 0.2  # seconds without typing before a text is checked again
_CONFIGURATIONS = "**/{pyproject.toml,neuronlint.toml,.neuronlint.toml,requirements*.txt}"
_CODE = re.compile(r"\b[A-Z]+[0-9]+\b")
_log = logging.getLogger("neuronlint")


class Server(LanguageServer):
    """The texts that are open in one editor, and what was found in them.

    Configurations are read anew for every check: somebody may be editing them, too.
    """

    def __init__(self, projects: Callable[[], Projects]) -> None:
        super().__init__(
            "neuronlint",
            version("neuronlint"),
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
        )
        self._projects = projects
        self._installed = [own.UNUSED, *registry.installed()]
        self.shown = Shown({rule.code: rule for rule in (*own.FAILED, *self._installed)})
        self._checked: dict[str, Document] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._told = ""
        self.ended = False

    def checked(self, uri: str) -> Document:
        """The text as it is now, with its findings."""
        text = self.workspace.get_text_document(uri).source
        known = self._checked.get(uri)
        if known is None or known.text != text:
            known = self._checked[uri] = self._check(uri, text)
        return known

    def positions(self, uri: str) -> Positions:
        """Places in the text as the editor counts them."""
        codec = self.workspace.get_text_document(uri).position_codec
        return Positions(self.checked(uri).text, codec.client_num_units)

    def actions(self, uri: str) -> Actions:
        """What there is to do in the text."""
        able = self.client_capabilities
        edits = able.workspace.workspace_edit if able.workspace else None
        offers = able.text_document.code_action if able.text_document else None
        resolves = offers.resolve_support if offers and offers.data_support else None
        return Actions(
            uri,
            self.workspace.get_text_document(uri).version,
            self.checked(uri),
            self.positions(uri),
            self.shown,
            versioned=bool(edits and edits.document_changes),
            later=bool(resolves and "edit" in resolves.properties),
        )

    def soon(self, uri: str) -> None:
        """Show what is found in the text once nobody has typed for a moment."""
        self._no_more_waiting(uri)
        self._waiting[uri] = asyncio.get_running_loop().call_later(_PAUSE, self.show, uri)

    def again(self, uri: str) -> None:
        """Show what is found in the text now, whatever was found before."""
        self._checked.pop(uri, None)
        self.show(uri)

    def show(self, uri: str) -> None:
        """Show what is found in the text."""
        self._no_more_waiting(uri)
        findings, positions = self.checked(uri).findings, self.positions(uri)
        shown = [self.shown.diagnostic(each, positions) for each in findings]
        number = self.workspace.get_text_document(uri).version
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, number))

    def forget(self, uri: str) -> None:
        """Show nothing of a text that is closed."""
        self._no_more_waiting(uri)
        self._checked.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _no_more_waiting(self, uri: str) -> None:
        if timer := self._waiting.pop(uri, None):
            timer.cancel()

    def _check(self, uri: str, text: str) -> Document:
        """The text with its findings; whatever goes wrong is told, and then there are none."""
        path = _path(uri)
        if path is None:
            return Document(text, Path(uri))
        try:
            document = documents.check(text, path, self._projects(), self._installed)
        except UserError as error:
            self._tell(str(error))
        except Exception as crash:  # the next check may do better
            crashes.tell()
            self._tell(f"{crashes.summary(crash)}; this is a bug in neuronlint")
        else:
            self._told = ""
            return document
        return Document(text, path)

    def _tell(self, what: str) -> None:
        """Show what is wrong, but not at every key that is pressed."""
        _log.error("%s", what)
        if what != self._told:
            self._told = what
            message = types.ShowMessageParams(types.MessageType.Error, f"neuronlint: {what}")
            self.window_show_message(message)


def _path(uri: str) -> Path | None:
    """The file of a text; one that has no name yet would lie in the current folder.

    None for what is no text of its own, such as a cell of a notebook or an old revision.
    """
    if uri.startswith("untitled:"):
        return Path.cwd() / "untitled.py"
    path = to_fs_path(uri)
    return None if path is None or path.endswith(".ipynb") else Path(path).absolute()


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
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_all_again)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_all_again)
    kinds = types.CodeActionOptions([actions.QUICK_FIX, actions.FIX_ALL], resolve_provider=True)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_code_actions)
    server.feature(types.CODE_ACTION_RESOLVE)(_resolved)
    server.feature(types.TEXT_DOCUMENT_HOVER)(_hover)


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
    positions = ls.positions(uri)
    found = [(one.code, positions.range(one)) for one in ls.checked(uri).findings]
    touched = [(code, where) for code, where in found if actions.meet(where, place)]
    touched = touched or _named(positions, at)
    pages = {code: ls.shown.page(code) for code, _ in touched}
    texts = [page for page in pages.values() if page]
    if not texts:
        return None
    return types.Hover(types.MarkupContent(_kind(ls), "\n\n---\n\n".join(texts)), touched[0][1])


def _named(positions: Positions, at: types.Position) -> list[tuple[str, types.Range]]:
    """The code that stands at a place, in a comment."""
    line = positions.line(at.line + 1)
    for match in _CODE.finditer(line, max(line.find("#"), 0)):
        start, end = (positions.position(at.line + 1, each + 1) for each in match.span())
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
