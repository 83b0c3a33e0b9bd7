"""The language server: the texts that are open, and what was found in them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from neuronlint import crashes, own, registry
from neuronlint.formats import NOTEBOOK
from neuronlint.projects import Projects
from neuronlint.server import cells, documents
from neuronlint.server.actions import Actions
from neuronlint.server.cells import CellPositions, Cells
from neuronlint.server.diagnostics import Shown
from neuronlint.server.documents import Document
from neuronlint.server.positions import Positions
from neuronlint.user_error import UserError

_PAUSE = 0.2  # seconds without typing before a text is checked again
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
            notebook_document_sync=cells.SYNC,
        )
        self._projects = projects
        self._installed = [own.UNUSED, *registry.installed()]
        self.shown = Shown({rule.code: rule for rule in (*own.FAILED, *self._installed)})
        self._checked: dict[str, Document] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._told = ""
        self.ended = False

    def checked(self, uri: str) -> Document:
        """The text, or the notebook whose cell it is, as it is now, with its findings."""
        notebook = self._notebook(uri)
        if notebook:
            texts = [self.workspace.get_text_document(each) for each in _cells(notebook)]
            uri, text = notebook.uri, cells.stored(texts)
        else:
            text = self.workspace.get_text_document(uri).source
        known = self._checked.get(uri)
        if known is None or known.text != text:
            known = self._checked[uri] = self._check(uri, text, notebook is not None)
        return known

    def positions(self, uri: str, known: Document) -> Positions:
        """Places in the text, of which this is known, as the editor counts them."""
        text = self.workspace.get_text_document(uri)
        units = text.position_codec.client_num_units
        notebook = self._notebook(uri)
        if notebook is None:
            return Positions(known.text, units)
        if not isinstance(known, Cells) or known.notebook is None:
            return Positions(text.source, units)
        uris = _cells(notebook)
        number = uris.index(uri) + 1
        return CellPositions(known.raw.decode(), units, known.notebook, uris, number)

    def actions(self, uri: str) -> Actions:
        """What there is to do in the text."""
        able = self.client_capabilities
        edits = able.workspace.workspace_edit if able.workspace else None
        offers = able.text_document.code_action if able.text_document else None
        resolves = offers.resolve_support if offers and offers.data_support else None
        known = self.checked(uri)
        return Actions(
            uri,
            lambda each: self.workspace.get_text_document(each).version,
            known,
            self.positions(uri, known),
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
        """Show what is found in the text, or in the cells of the notebook."""
        self._no_more_waiting(uri)
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        known = self.checked(uri)
        for each in _cells(notebook) if notebook else [uri]:
            self._show(each, known)

    def _show(self, uri: str, known: Document) -> None:
        positions = self.positions(uri, known)
        own = [each for each in known.findings if positions.has(each)]
        shown = [self.shown.diagnostic(each, positions) for each in own]
        number = self.workspace.get_text_document(uri).version
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, number))

    def forget(self, uri: str, *texts: str) -> None:
        """Show nothing of a text, or of the cells of a notebook, that is closed."""
        self._no_more_waiting(uri)
        self._checked.pop(uri, None)
        for each in texts or [uri]:
            self.clear(each)

    def clear(self, uri: str) -> None:
        """Show nothing of a text."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _no_more_waiting(self, uri: str) -> None:
        if timer := self._waiting.pop(uri, None):
            timer.cancel()

    def _notebook(self, uri: str) -> types.NotebookDocument | None:
        """The notebook that a cell is in, or that has this address."""
        of = self.workspace.get_notebook_document
        return of(cell_uri=uri) or of(notebook_uri=uri)

    def _check(self, uri: str, text: str, is_notebook: bool) -> Document:
        """The text with its findings; whatever goes wrong is told, and then there are none."""
        path = _path(uri, is_notebook)
        if path is None:
            return Document(text, Path(uri))
        check = cells.check if is_notebook else documents.check
        try:
            document = check(text, path, self._projects(), self._installed)
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


def _path(uri: str, is_notebook: bool) -> Path | None:
    """The file of a text; one that has no name yet would lie in the current folder.

    None for what is no text of its own, such as an old revision, or the JSON of a notebook.
    """
    if uri.startswith("untitled:"):
        return Path.cwd() / ("untitled.ipynb" if is_notebook else "untitled.py")
    path = to_fs_path(uri)
    return None if path is None or path.endswith(NOTEBOOK) != is_notebook else Path(path).absolute()


def _cells(notebook: types.NotebookDocument) -> list[str]:
    return [cell.document for cell in notebook.cells]
