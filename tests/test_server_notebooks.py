"""The language server, as an editor meets it that shows notebooks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editor import MODERN, Editor, edited
from project import Run, write

pytest.importorskip("pygls")
ABLE = {**MODERN, "notebookDocument": {"synchronization": {}}}
IMPORT = "%pip install torch\nimport torch"
MOVE = "x = torch.zeros(2).cuda()\n!nvidia-smi"


class Notebook:
    """A notebook in an editor; cells are numbered from 0."""

    def __init__(self, editor: Editor, *cells: str, name: str = "nb.ipynb") -> None:
        self.editor, self.cells, self.version = editor, [*cells], 1
        self.uri = (editor.folder / name).as_uri()
        documents = [self._item(number) for number in range(len(cells))]
        notebook = {
            "uri": self.uri,
            "notebookType": "jupyter-notebook",
            "version": 1,
            "cells": [{"kind": 2, "document": each["uri"]} for each in documents],
        }
        said = {"notebookDocument": notebook, "cellTextDocuments": documents}
        editor.notify("notebookDocument/didOpen", said)

    def cell(self, number: int) -> str:
        return f"vscode-notebook-cell:{self.uri.removeprefix('file:')}#W{number}"

    def _item(self, number: int) -> dict[str, Any]:
        text = self.cells[number]
        return {"uri": self.cell(number), "languageId": "python", "version": 1, "text": text}

    def found(self) -> list[list[str]]:
        """What is found next in each cell: codes, with the place from which to which."""
        found: dict[str, list[str]] = {}
        own = [self.cell(number) for number in range(len(self.cells))]
        while len(found) < len(own):
            said = self.editor.hear("textDocument/publishDiagnostics")
            if said["uri"] in own:  # and not of another notebook that is open
                found[said["uri"]] = [shown(each) for each in said["diagnostics"]]
        return [found[uri] for uri in own]

    def type(self, number: int, text: str) -> None:
        self.cells[number] = text
        self.version += 1
        which = {"uri": self.cell(number), "version": self.version}
        changes = [{"document": which, "changes": [{"text": text}]}]
        self._changed({"textContent": changes})

    def drop_last(self) -> str:
        """Take the last cell out of the notebook; its address."""
        number = len(self.cells) - 1
        self.cells.pop()
        array = {"start": number, "deleteCount": 1, "cells": []}
        gone = {"uri": self.cell(number)}
        self._changed({"structure": {"array": array, "didClose": [gone]}})
        return gone["uri"]

    def _changed(self, cells: dict[str, Any]) -> None:
        which = {"uri": self.uri, "version": self.version}
        self.editor.notify(
            "notebookDocument/didChange", {"notebookDocument": which, "change": {"cells": cells}}
        )

    def actions(self, number: int, line: int, column: int) -> list[Any]:
        at = {"line": line, "character": column}
        asked = {"textDocument": {"uri": self.cell(number)}, "range": {"start": at, "end": at}}
        said: list[Any] = self.editor.request(
            "textDocument/codeAction", {**asked, "context": {"diagnostics": []}}
        )
        return said

    def do(self, action: dict[str, Any]) -> list[str]:
        """Make the edits of an action; the cells after."""
        if "edit" not in action:
            action = self.editor.request("codeAction/resolve", action)
        numbers = {self.cell(number): number for number in range(len(self.cells))}
        for change in action["edit"]["documentChanges"]:
            number = numbers[change["textDocument"]["uri"]]
            self.type(number, edited(self.cells[number], change["edits"]))
        return self.cells


def shown(diagnostic: dict[str, Any]) -> str:
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    places = [f"{each['line']}:{each['character']}" for each in (start, end)]
    return " ".join([diagnostic["code"], *places])


@pytest.fixture(scope="module")
def running(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """A server for all projects."""
    editor = Editor(tmp_path_factory.mktemp("server"), able=ABLE, path=str(pack))
    yield editor
    editor.kill()


@pytest.fixture
def editor(run: Run, running: Editor, tmp_path: Path) -> Editor:
    """An editor in an empty project."""
    running.enter(tmp_path)
    return running


@pytest.fixture
def real(editor: Editor) -> Editor:
    """An editor in a project that asks for a built-in rule."""
    write("neuronlint.toml", 'select = ["NL101"]\ntorch = "2.9"\n')
    return editor


def test_the_cells_are_one_program(real: Editor) -> None:
    assert real.able["notebookDocumentSync"]["save"]
    notebook = Notebook(real, IMPORT, MOVE)
    assert notebook.found() == [[], ["NL101 0:19 0:23"]]


def test_cells_are_checked_while_they_are_typed(editor: Editor) -> None:
    notebook = Notebook(editor, "x", "\U0001f525 = 1; safe_old")
    assert notebook.found() == [[], ["NL001 0:0 0:0"]]
    notebook.type(1, '"\U0001f525"; safe_old\nunsafe_old')
    assert notebook.found() == [[], ["TST101 0:6 0:14", "TST102 1:0 1:10"]]
    notebook.type(0, "shown_old")
    assert notebook.found()[0] == ["TST201 0:0 0:9"]


def test_a_cell_that_is_gone_has_no_findings(editor: Editor) -> None:
    notebook = Notebook(editor, "x", "safe_old")
    assert notebook.found() == [[], ["TST101 0:0 0:8"]]
    uri = notebook.drop_last()
    assert editor.hear("textDocument/publishDiagnostics") == {"uri": uri, "diagnostics": []}
    assert notebook.found() == [[]]


def test_a_closed_notebook_has_no_findings(editor: Editor) -> None:
    notebook = Notebook(editor, "safe_old", "safe_old")
    notebook.found()
    closed = {"cellTextDocuments": [{"uri": notebook.cell(number)} for number in range(2)]}
    editor.notify(
        "notebookDocument/didClose", {"notebookDocument": {"uri": notebook.uri}, **closed}
    )
    assert notebook.found() == [[], []]


def test_a_fix_reaches_into_the_cell_of_the_import(real: Editor) -> None:
    notebook = Notebook(real, IMPORT, "y = 1", MOVE)
    notebook.found()
    assert notebook.actions(0, 0, 0)[-1]["kind"] == "source.fixAll.neuronlint"
    fix = notebook.actions(2, 0, 20)[0]
    assert fix["title"] == "Replace `cuda()` by `to(DEVICE)` (NL101)"
    first, second, third = notebook.do(fix)
    assert first.startswith(f"{IMPORT}\n\nDEVICE = torch.accelerator.current_accelerator() if ")
    assert not first.endswith("\n")
    assert (second, third) == ("y = 1", MOVE.replace("cuda()", "to(DEVICE)"))
    while notebook.found() != [[], [], []]:
        pass  # of the cells as they were in between


@pytest.mark.parametrize("last", ["", "\n", "\n!ls", "\nx = !ls  # 🔥", "\n# end\n\n"])
def test_fixing_all_fixes_every_cell_and_keeps_what_is_no_python(editor: Editor, last: str) -> None:
    cells = [f"%time\nsafe_old{last}", "%%bash\nsafe_old", f"unsafe_old\nsafe_old{last}", "x"]
    notebook = Notebook(editor, *cells)
    assert [len(each) for each in notebook.found()] == [1, 0, 2, 0]
    every = notebook.actions(3, 0, 0)[-1]
    assert every["title"] == "neuronlint: fix all that is safe to fix"
    fixed = [cells[0].replace("old", "new"), cells[1], cells[2].replace("\nsafe_old", "\nsafe_new")]
    assert notebook.do(every) == [*fixed, "x"]


def test_a_finding_in_a_cell_can_be_suppressed(editor: Editor) -> None:
    notebook = Notebook(editor, "x", "!ls\nunsafe_old")
    notebook.found()
    (action,) = (each for each in notebook.actions(1, 1, 2) if "Suppress" in each["title"])
    assert notebook.do(action) == ["x", "!ls\nunsafe_old  # noqa: TST102"]
    assert notebook.found() == [[], []]


def test_pages_are_shown_in_cells(editor: Editor) -> None:
    notebook = Notebook(editor, "safe_old", "x = 1\ny = safe_old  # noqa: TST101", "z")
    notebook.found()
    for number, line, column, shows in [
        *((0, 0, 2, True), (1, 1, 5, False), (1, 1, 22, True), (2, 0, 0, False)),
        (1, 0, 2, False),
    ]:
        asked = {
            "textDocument": {"uri": notebook.cell(number)},
            "position": {"line": line, "character": column},
        }
        hover = editor.request("textDocument/hover", asked)
        assert (hover is not None) == shows
        assert hover is None or hover["range"]["start"]["line"] == line


def test_a_notebook_that_is_left_out_has_no_findings(editor: Editor) -> None:
    write("neuronlint.toml", 'select = ["TST"]\nexclude = ["old/"]\n')
    notebook = Notebook(editor, "safe_old", name="old/nb.ipynb")
    assert notebook.found() == [[]]
    assert notebook.actions(0, 0, 0) == []


def test_a_cell_without_code_is_none(editor: Editor) -> None:
    notebook = Notebook(editor, "", "safe_old", "")
    assert notebook.found() == [[], ["TST101 0:0 0:8"], []]
    assert Notebook(editor, name="empty.ipynb").cells == []


def test_a_changed_configuration_holds_in_notebooks(editor: Editor) -> None:
    notebook = Notebook(editor, "safe_old, unsafe_old")
    notebook.found()
    write("neuronlint.toml", 'select = ["TST102"]\n')
    editor.notify("notebookDocument/didSave", {"notebookDocument": {"uri": notebook.uri}})
    assert notebook.found() == [["TST102 0:10 0:20"]]
    write("neuronlint.toml", 'select = ["TST101"]\n')
    editor.notify("workspace/didChangeWatchedFiles", {"changes": []})
    while notebook.found() != [["TST101 0:0 0:8"]]:
        pass  # other notebooks are open
