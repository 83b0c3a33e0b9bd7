"""Notebooks: one program of their cells, checked and fixed cell by cell."""

import json
from pathlib import Path
from typing import Any

import pytest
from made_rules import importing, renaming
from notebooks import cell, dumped, notebook, sources

from neuronlint import cellwise
from neuronlint.notebook import Notebook
from neuronlint.rule import Edit, Finding, Fix, Rule
from neuronlint.settings import Settings

PATH = Path("nb.ipynb")
OLD = renaming("old", "new")


def read(text: str) -> Notebook:
    found = Notebook.read(text.encode())
    assert found is not None
    return found


def found(text: str, *rules: Rule) -> list[Finding]:
    _, findings = cellwise.check(read(text), PATH, rules or (OLD,), Settings())
    return list(findings)


def places(text: str, *rules: Rule) -> list[tuple[int, int, int] | str]:
    """The cell, line and column of each finding, or its code where it is in no cell."""
    return [
        (each.cell.number, each.cell.line(each.line), each.column) if each.cell else each.code
        for each in found(text, *rules)
    ]


def fixed(text: str, *rules: Rule) -> list[str]:
    """The sources of the cells once they are fixed."""
    made = cellwise.fix(read(text), PATH, rules or (OLD,), Settings())
    assert not {each.code for each in made.left} & {"NL003", "NL004"}
    return sources(made.after.raw.decode())


def test_a_finding_is_placed_by_cell_line_and_column() -> None:
    text = dumped(cell("# old", "markdown"), "x = 1", "import a\n\nf(old)\nold")
    assert places(text) == [(3, 3, 3), (3, 4, 1)]


def test_cells_of_every_kind_are_counted() -> None:
    text = dumped(cell("old", "markdown"), cell("old", "raw"), "", "%%bash\nold", "old")
    assert places(text) == [(5, 1, 1)]


def test_a_name_is_known_in_later_cells() -> None:
    text = dumped("import torch as th", cell("some text", "markdown"), "old()")
    rule = importing("old", "torch.accelerator.synchronize")
    assert fixed(text, rule)[-1] == "th.accelerator.synchronize()"


def test_an_import_is_put_into_the_first_cell_with_code() -> None:
    text = dumped("%%capture\n!pip install torch", "# Models\nimport os", "old()")
    rule = importing("old", "torch.device")
    assert fixed(text, rule) == [
        "%%capture\n!pip install torch",
        "import torch\n# Models\nimport os",
        "torch.device()",
    ]


def test_a_magic_of_the_whole_cell_stays_its_first_line() -> None:
    assert fixed(dumped("%%time\nold()"), importing("old", "torch.device")) == [
        "%%time\nimport torch\ntorch.device()"
    ]


def test_a_future_import_stays_before_what_is_imported() -> None:
    text = dumped("from __future__ import annotations\nold()")
    assert fixed(text, importing("old", "torch.device")) == [
        "from __future__ import annotations\nimport torch\ntorch.device()"
    ]


@pytest.mark.parametrize(
    "source",
    [
        "old;",
        "await old",
        "await f(old)\nOLD?",
        "async with f() as g:\n    old",
        "x = old\nx??",
        "%matplotlib inline\nold",
        "if x:\n    %cd ..\n    old",
        "files = !ls \\\n   -l\nold",
        "    a = 1\n    !ls \\\n  -l\n    b = old",
        "# -*- coding: latin-1 -*-\n# é\nold",
        "def f():\n    !ls\n\nold",
        "old\n\n",
        "\n\nold",
        'x = """\n%cd OLD\n"""\nold',
        "x = (a\n% old)",
        "x = a \\\n  % old",
        "x = [  # why?\n    old]",
        "f'{old!r}'",
        "pip install OLD\nold",
        "time = 3\ntime - old",
    ],
)
def test_a_cell_is_fixed_whatever_ipython_makes_of_it(source: str) -> None:
    after = fixed(dumped("def f():\n    pass", source, "y = old"))
    assert after[1:] == [source.replace("old", "new"), "y = new"]


def test_every_magic_and_shell_line_is_as_it_was() -> None:
    foreign = ["%cd OLD", "!echo it's OLD", "OLD?", "?OLD", "a = %sx OLD", "b = !OLD", "%%OLD x"]
    source = "\n".join(line for each in foreign for line in (each, "old"))
    assert fixed(dumped("x", source)) == ["x", source.replace("old", "new")]


@pytest.mark.parametrize(
    "magic", ["%%bash", "%%html", "%%writefile a.py", "%%R", "%%javascript", "%%cython", "%%sh -e"]
)
def test_a_cell_in_another_language_is_left_out(magic: str) -> None:
    assert places(dumped(f"\n# say\n{magic}\nold", "x = 1")) == []


@pytest.mark.parametrize("magic", ["%%time", "%%timeit -n 3", "%%capture out", "%%prun"])
def test_a_cell_that_a_magic_runs_as_python_is_checked(magic: str) -> None:
    assert places(dumped(f"{magic}\nold")) == [(1, 2, 1)]


def test_a_cell_that_is_not_python_has_a_finding_and_hides_no_other() -> None:
    text = dumped("old", "print 'old'", 'x = "\nold', "def f(:\n    old", "if old:", "old")
    assert {
        each.code for each in found(text) if each.cell and each.cell.number in (2, 3, 4, 5)
    } == {"NL001"}
    assert [place for place in places(text) if place[0] in (1, 6)] == [(1, 1, 1), (6, 1, 1)]


def test_a_cell_that_is_not_python_stays_as_it_is() -> None:
    broken = "print 'old'\n%cd old\n  'old"
    made = cellwise.fix(read(dumped("old", broken, "old\nold")), PATH, (OLD,), Settings())
    assert sources(made.after.raw.decode()) == ["new", broken, "new\nnew"]
    (left,) = made.left
    assert left.cell is not None
    assert (left.code, left.cell.number, left.cell.text(left.line)) == ("NL001", 2, "print 'old'")


def test_brackets_that_two_cells_share_are_no_program() -> None:
    assert {each.code for each in found(dumped("f(\nold", ")"))} == {"NL001"}


def test_a_suppression_holds_in_its_cell() -> None:
    text = dumped(
        "old  # noqa\nold", "old", "# neuronlint: disable\nold\n# neuronlint: enable", "old"
    )
    assert places(text) == [(1, 2, 1), (2, 1, 1), (4, 1, 1)]


def test_a_suppression_of_the_file_holds_in_every_cell() -> None:
    assert places(dumped("old", "# neuronlint: ignore-file", "old")) == []


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "ir", "language": "R"}},
        {"language_info": {"name": "julia"}},
        {"language_info": {"name": "scala"}, "kernelspec": {"language": "python"}},
    ],
)
def test_a_notebook_in_another_language_is_passed_over(metadata: dict[str, Any]) -> None:
    assert Notebook.read(dumped("old", **metadata).encode()) is None


@pytest.mark.parametrize(
    "metadata",
    [{"a": 1}, {"kernelspec": {"name": "python3"}}, {"language_info": {"name": "Python"}}],
)
def test_a_notebook_that_does_not_say_otherwise_is_python(metadata: dict[str, Any]) -> None:
    assert places(dumped("old", **metadata)) == [(1, 1, 1)]


def test_a_cell_may_say_that_it_is_in_another_language() -> None:
    other = cell("old")
    other["metadata"] = {"vscode": {"languageId": "sql"}}
    assert places(dumped(other, "old")) == [(2, 1, 1)]


def test_an_old_notebook_has_its_cells_in_worksheets() -> None:
    code = {"cell_type": "code", "input": ["old\n", "x"], "language": "python", "outputs": []}
    sheets = [{"cells": [{"cell_type": "markdown", "source": "a"}, code]}, {"cells": [code]}]
    text = json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": sheets})
    assert places(text) == [(2, 1, 1), (3, 1, 1)]
    made = cellwise.fix(read(text), PATH, (OLD,), Settings()).after.raw.decode()
    assert made == text.replace("old", "new")


def test_half_a_character_leaves_its_cell_out() -> None:
    text = json.dumps(notebook("x = '\ud800' + old", "old"))
    assert places(text) == [(2, 1, 1)]


def test_no_fix_may_reach_into_another_cell() -> None:
    book = read(dumped("a", "b"))
    first, second = book.program.index(b"a\n"), book.program.index(b"b\n")
    assert book.keeps(book.program, Fix((Edit(first, first + 1, "c"),)))
    assert not book.keeps(book.program, Fix((Edit(first, second, ""),)))
    assert not book.keeps(book.program, Fix((Edit(first + 2, first + 2, "    "),)))


def test_a_cell_may_become_empty() -> None:
    book = read(dumped("old\n", "x"))
    program = book.program.replace(b"old\n", b"")
    assert sources(book.written(program).decode()) == ["", "x"]


def test_what_the_program_has_for_a_cell_is_never_what_a_cell_holds() -> None:
    lines = ['"notebook cell 1"', '"notebook line 0"', "!ls", '"notebook_ cell 2"', "old"]
    assert fixed(dumped("\n".join(lines))) == ["\n".join(lines).replace("old", "new")]


def test_fixing_twice_changes_nothing_more() -> None:
    text = dumped("%time x\nimport os", "old\nold()", "y = !ls\nold")
    once = cellwise.fix(read(text), PATH, (importing("old", "torch.device"),), Settings()).after
    twice = cellwise.fix(once, PATH, (importing("old", "torch.device"),), Settings()).after
    assert once.raw != text.encode()
    assert twice.raw == once.raw
