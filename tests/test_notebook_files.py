"""The file of a notebook: what a fix writes, and that it leaves all else as it was."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_rules import renaming
from notebooks import cell, dumped, notebook, rest, sources

from neuronlint import cellwise, ipynb
from neuronlint.ipynb import NotebookError
from neuronlint.notebook import Notebook
from neuronlint.settings import Settings

PATH = Path("nb.ipynb")
CELLS = (
    cell("# old é", "markdown"),
    "import os\nx = 'é' + old\n\nold  # \u2603 \U0001f600",
    "%cd old\nkept()",
    "y = old",
    cell("old", "raw"),
)


def fixed(raw: bytes) -> bytes:
    book = Notebook.read(raw)
    assert book is not None
    made = cellwise.fix(book, PATH, (renaming("old", "new"),), Settings())
    assert not made.left
    return made.after.raw


def styled(**style: object) -> str:
    return json.dumps(notebook(*CELLS), **style)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        styled(indent=1, ensure_ascii=False),
        styled(indent=1, ensure_ascii=False) + "\n",
        styled(indent=2) + "\n\n",
        styled(indent="\t", sort_keys=True),
        styled(),
        styled(separators=(",", ":")),
        styled(indent=1, ensure_ascii=False).replace("\n", "\r\n"),
        "\ufeff" + styled(indent=4, ensure_ascii=False),
    ],
    ids=["jupyter", "newline", "ascii", "tabs", "line", "compact", "crlf", "bom"],
)
def test_a_fix_changes_nothing_but_the_lines_it_is_about(text: str) -> None:
    after = fixed(text.encode()).decode()
    lines = ("x = 'é' + old", "\\nold  #", "y = old", '"old  #')
    expected = text
    for line in (*lines, json.dumps(lines[0])[1:-1]):
        expected = expected.replace(line, line.replace("old", "new"))
    assert after == expected
    json.loads(after.removeprefix("\ufeff"))


def test_outputs_and_metadata_are_as_they_were() -> None:
    text = dumped("old\nold", cell("old", tags=["old"]), cell("x = 'old'"))
    after = fixed(text.encode()).decode()
    assert rest(after, but=[1, 2]) == rest(text, but=[1, 2])
    assert sources(after) == ["new\nnew", "new", "x = 'old'"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_a_cell_end_as_they_did(end: str) -> None:
    source = end.join(["import os", "old", "", "f(old)", ""])
    before = json.dumps(notebook(cell(source), "old"))
    after = fixed(before.encode()).decode()
    assert after == before.replace("old", "new")


def test_what_is_inserted_ends_as_the_cell_does() -> None:
    book = Notebook.read(dumped("a\r\nb", "c").encode())
    assert book is not None
    program = book.program.replace(b"b\n", b"b\nb2\n").replace(b"c\n", b"c\nc2\n")
    assert sources(book.written(program).decode()) == ["a\r\nb\r\nb2", "c\nc2"]


def test_a_source_in_one_piece_stays_in_one() -> None:
    cells = [
        {**cell("a"), "source": "old\n\tx = 'é'\\\n  'old'\nold  # é"},
        {**cell("a"), "source": "old"},
    ]
    text = json.dumps(notebook(*cells), indent=1, ensure_ascii=False)
    book = Notebook.read(text.encode())
    assert book is not None
    program = book.program.replace(b"old  #", b"new\nmore  #")
    after = book.written(program).decode()
    assert after == text.replace("old  #", "new\\nmore  #")


def test_pieces_that_are_no_lines_stay_where_nothing_changes() -> None:
    odd = {**cell("a"), "source": ["ol", "d\nx", "\n", "", "y\nold"]}
    text = json.dumps(notebook(odd), indent=1)
    after = fixed(text.encode()).decode()
    assert json.loads(after)["cells"][0]["source"] == ["new\n", "x", "\n", "", "y\n", "new"]
    assert rest(after, but=[1]) == rest(text, but=[1])


def test_an_escape_that_is_not_needed_stays() -> None:
    text = dumped("x = 'é/'\nold").replace("é/", "\\u00e9\\/").replace("old", "\\u006fld")
    assert fixed(text.encode()).decode() == text.replace("\\u006fld", "new")


def test_of_a_key_that_comes_twice_the_last_one_counts() -> None:
    text = dumped("x").replace('"source"', '"source": ["old"],\n   "source"')
    assert ipynb.read(text).cells[0].stored.start > text.index("old")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"cells": [', "is not JSON: Expecting value"),
        ('{"cells": [{"source": "old', "is not JSON: Unterminated string"),
        ('{"cells": [{"source": ["old" "x"]}]}', "is not JSON: Expecting ',' delimiter"),
        ('{"cells": []} old', "is not JSON: Extra data"),
        ('{"cells": [], 1: 2}', "is not JSON: Expecting property name"),
        ("version https://git-lfs.github.com/spec/v1", "is not JSON: Expecting value"),
        ('{"old": 1}', "is not a notebook: it has no cells"),
        ("[]", "is not a notebook: it has no cells"),
        ('"old"', "is not a notebook: it has no cells"),
        ('{"cells": ' + "[" * 100_000, "is not a notebook: it is nested too deeply"),
        ('{"a": ' + "1" * 5000 + "}", "is not a notebook: "),
    ],
)
def test_what_is_no_notebook_is_told(text: str, why: str) -> None:
    with pytest.raises(NotebookError, match=f"^{why}"):
        ipynb.read(text)


def test_the_place_of_a_fault_is_told() -> None:
    with pytest.raises(NotebookError) as caught:
        ipynb.read('{\n "cells": [\n  {"source": }]}')
    assert (caught.value.line, caught.value.column) == (3, 14)


@pytest.mark.parametrize(
    "cells",
    [
        "null",
        "[null, 1, []]",
        '[{"cell_type": "code"}]',
        '[{"cell_type": "code", "source": null}]',
        '[{"cell_type": "code", "source": [1]}]',
        '[{"cell_type": "code", "metadata": [], "source": []}]',
        '[{"cell_type": "code", "metadata": {"vscode": 1}, "source": "x"}]',
    ],
)
def test_odd_cells_are_passed_over(cells: str) -> None:
    text = f'{{"metadata": {{"language_info": 3}}, "cells": {cells}}}'
    if cells == "null":
        with pytest.raises(NotebookError):
            Notebook.read(text.encode())
    else:
        book = Notebook.read(text.encode())
        assert book is not None
        assert book.written(book.program) == text.encode()


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@settings(deadline=None)  # a machine may be busy
@given(
    st.lists(_TEXT, min_size=1, max_size=4),
    st.sampled_from([None, 1, "\t"]),
    st.booleans(),
    st.data(),
)
def test_any_lines_can_be_written_and_read_again(
    texts: list[str], indent: int | str | None, ascii_only: bool, data: st.DataObject
) -> None:
    text = json.dumps(notebook(*map(cell, texts)), indent=indent, ensure_ascii=ascii_only)
    document = ipynb.read(text)
    assert document.written({}) == text
    lines = [[line.text for line in document.lines(each.stored)] for each in document.cells]
    assert document.written(dict(enumerate(lines, 1))) == text
    number = data.draw(st.integers(1, len(texts)))
    new = data.draw(_TEXT).replace("\r", "").split("\n")
    after = document.written({number: new})
    assert rest(after, but=[number]) == rest(text, but=[number])
    read = ipynb.read(after)
    assert [line.text for line in read.lines(read.cells[number - 1].stored)] == new
