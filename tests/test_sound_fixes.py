"""Fixes that would leave no valid code, or lose something, are not made."""

from pathlib import Path

import pytest
from made_rules import renaming

from neuronlint import Rule, engine, registry

RULES = registry.installed()
PATH = Path("example.py")


def fixed(source: str, *rules: Rule) -> str:
    """What all fixes make of a source, and that none of them fails."""
    result = engine.fix(source.encode(), PATH, rules or RULES, unsafe=True)
    assert [one.message for one in result.left if one.code == "NL004"] == []
    return result.source.decode()


def test_two_statements_that_go_leave_their_block_a_body() -> None:
    source = "import torch\n\n\ndef f():\n    torch.cuda.ipc_collect()\n    torch.cuda.init()\n"
    assert fixed(source) == "import torch\n\n\ndef f():\n    pass\n"


def test_a_block_of_three_statements_that_go_keeps_a_body() -> None:
    body = "    torch.cuda.ipc_collect()\n    # then\n    torch.cuda.init()\n"
    source = f"import torch\n\n\nfor _ in x:\n{body}    torch.cuda.init()\n"
    assert fixed(source).rstrip().endswith("pass")


def test_a_fix_that_breaks_the_file_holds_up_no_other() -> None:
    rules = renaming("old", "if"), renaming("one", "two", "XX102")
    result = engine.fix(b"old\none\n", PATH, rules)
    assert result.source == b"old\ntwo\n"
    assert [one.code for one in result.left] == ["XX101", "NL004"]
    assert "XX102" not in result.left[-1].message


def test_what_the_running_python_rejects_is_not_written() -> None:
    result = engine.fix(b"def f():\n    old\n", PATH, [renaming("old", "nonlocal x")])
    assert result.source == b"def f():\n    old\n"
    assert [one.code for one in result.left] == ["XX101", "NL004"]


def test_a_source_that_only_another_python_takes_is_fixed_for_all_that() -> None:
    assert fixed("return old\n", renaming("old", "new")) == "return new\n"


@pytest.mark.parametrize(
    ("encoding", "comment"),
    [
        ("cp932", b"\x87\x90"),
        ("big5", b"\xa1\xfe"),
        ("utf-7", b"+AGE-"),
        ("iso2022_jp", b"\x1b(B\x1b(B~"),
    ],
)
def test_a_file_that_cannot_be_written_as_it_was_read_stays_whole(
    encoding: str, comment: bytes
) -> None:
    source = f"# coding: {encoding}\nold\n# ".encode() + comment + b"\n"
    result = engine.fix(source, PATH, [renaming("old", "new")])
    assert result.source == source
    assert [one.code for one in result.left] == ["XX101", "NL004"]
    assert f"in {encoding} the file" in result.left[-1].message


@pytest.mark.parametrize("encoding", ["cp932", "shift_jis", "euc_jp", "gb18030"])
def test_a_file_in_an_encoding_of_its_own_is_fixed_in_it(encoding: str) -> None:
    source = f"# coding: {encoding}\nold  # ソ\n".encode(encoding)
    result = engine.fix(source, PATH, [renaming("old", "new")])
    assert result.source == source.replace(b"old", b"new")


@pytest.mark.parametrize(
    "statement",
    [
        "device = (\n    'cuda'  # why\n    if torch.cuda.is_available()\n    else 'cpu'\n)",
        "device = torch.device(\n    # the first\n    'cuda:0'\n)",
        "print(torch.cuda.memory_allocated(\n    # of the first\n    0\n))",
        "torch.cuda.set_device(\n    # the first\n    0\n)",
        "x = y.type(  # to\n    torch.cuda.FloatTensor\n)",
        "x = torch.load(y, map_location=lambda s, l: s.cuda(\n    # all of it\n    0\n))",
    ],
)
def test_no_fix_takes_a_comment_along(statement: str) -> None:
    source = f"import torch\n\n{statement}\n"
    assert [line for line in fixed(source).splitlines() if "#" in line] == [
        line for line in source.splitlines() if "#" in line
    ]


def test_a_comment_beside_what_is_replaced_stays() -> None:
    source = "import torch\n\nx.to(\n    # all\n    'cuda',  # of it\n)\n"
    assert "    # all\n    DEVICE,  # of it\n" in fixed(source)


def test_a_hash_in_a_text_is_no_comment() -> None:
    assert fixed("import torch\n\ntorch.cuda.set_device('#')\n").count("accelerator") > 0


@pytest.mark.parametrize("shown", ["=", " = ", "=:>8", "=!r"])
def test_code_that_its_text_shows_stays(shown: str) -> None:
    source = f'import torch\n\nprint(f"{{torch.cuda.memory_allocated(){shown}}}")\n'
    assert fixed(source) == source
