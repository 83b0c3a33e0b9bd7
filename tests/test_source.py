"""The bytes of a file, as text and back."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuronlint import Edit, engine
from neuronlint.registry import installed
from neuronlint.source import Source, SourceError

BOM = b"\xef\xbb\xbf"
CODE = "import torch\n\nx = torch.zeros(1)  # {}\nx.cuda()\n"


def fixed(raw: bytes) -> bytes:
    return engine.fix(raw, Path("example.py"), installed(), unsafe=True).source


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (b"x = 1\n", "utf-8"),
        ("# ä\n".encode(), "utf-8"),
        (b"# -*- coding: latin-1 -*-\n# \xe4\n", "iso-8859-1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n# \x80\n", "cp1252"),
        ("# coding: euc-jp\n# 日本\n".encode("euc-jp"), "euc-jp"),
        (b"# coding: latin-1\r# \xe4\r", "iso-8859-1"),
        (b"#!python\r\n# coding: latin-1\r\n# \xe4\r\n", "iso-8859-1"),
    ],
)
def test_a_file_is_read_by_its_encoding(raw: bytes, encoding: str) -> None:
    source = Source.read(raw)
    assert source.encoding == encoding
    assert source.data.decode() == raw.decode(encoding)
    assert source.write() == raw


def test_a_byte_order_mark_is_kept_apart() -> None:
    source = Source.read(BOM + b"x = 1\n")
    assert source.data == b"x = 1\n"
    assert source.write() == BOM + b"x = 1\n"


@pytest.mark.parametrize(
    "raw",
    [
        b"# \xff\n",
        b"# coding: nonsense\n",
        BOM + b"# coding: latin-1\n",
        b"# coding: ascii\n# \xe4",
    ],
)
def test_bytes_that_are_no_text_are_refused(raw: bytes) -> None:
    with pytest.raises(SourceError, match="cannot be decoded"):
        Source.read(raw)


def test_an_empty_file_is_text() -> None:
    assert Source.read(b"").parsable == ""


@settings(deadline=None)  # a machine may be busy
@given(st.binary(max_size=40))
def test_what_can_be_read_is_written_unchanged(raw: bytes) -> None:
    try:
        source = Source.read(raw)
    except SourceError:
        return
    assert source.write() == raw


@settings(deadline=None)  # a machine may be busy
@given(st.text(alphabet="a\\é日\r\n\t \f", max_size=30))
def test_what_is_parsed_has_every_offset_of_the_source(text: str) -> None:
    source = Source.read(text.encode())
    assert len(source.parsable.encode()) == len(source.data)
    assert "\r" not in source.parsable


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("a\nb\n", "\n"),
        ("a\r\nb\r\n", "\r\n"),
        ("a\r\nb\n", "\r\n"),
        ("a\nb\r\n", "\n"),
        ("a", "\n"),
    ],
)
def test_new_lines_end_as_the_first_does(text: str, newline: str) -> None:
    assert Source.read(text.encode()).newline == newline


def test_a_lone_carriage_return_ends_a_line_too() -> None:
    source = Source.read(b"a\rb\r\nc")
    assert source.line_starts == [0, 2, 5]


def test_columns_count_characters() -> None:
    source = Source.read("é = '日本'; x\n".encode())
    assert source.place(source.data.index(b"x")) == (1, 11)


def test_columns_count_a_tab_as_one() -> None:
    assert Source.read(b"if a:\n\tx\n").place(7) == (2, 2)


def test_the_offset_behind_the_last_line_is_a_place() -> None:
    assert Source.read(b"a\n").place(2) == (2, 1)


def test_a_new_line_in_an_edit_ends_as_the_files_do() -> None:
    source = Source.read(b"a\r\nb\r\n").edited([Edit(3, 3, "x\ny\n")])
    assert source.data == b"a\r\nx\r\ny\r\nb\r\n"


def test_an_edit_may_end_at_the_end() -> None:
    assert Source.read(b"ab").edited([Edit(1, 2, "c")]).data == b"ac"


def test_a_character_that_the_encoding_lacks_is_not_written() -> None:
    source = Source.read(b"# coding: ascii\nx").edited([Edit(16, 17, "é")])
    with pytest.raises(UnicodeEncodeError):
        source.write()


@pytest.mark.parametrize("mark", [b"", BOM])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "x.cuda()", "    \n", "# end", "\f\n", "\\\n\n", "\t\n\n\n"])
def test_a_fix_keeps_mark_line_ends_and_the_last_line(mark: bytes, newline: str, end: str) -> None:
    source = (CODE.format("é 日") + end).replace("\n", newline)
    expected = (
        "import torch\n\nDEVICE = torch.accelerator.current_accelerator() "
        'if torch.accelerator.is_available() else torch.device("cpu")\n'
        "\nx = torch.zeros(1)  # é 日\nx.to(DEVICE)\n" + end.replace("cuda()", "to(DEVICE)")
    ).replace("\n", newline)
    assert fixed(mark + source.encode()) == mark + expected.encode()


def test_a_fix_keeps_the_encoding() -> None:
    raw = ("# coding: latin-1\n" + CODE.format("é")).encode("latin-1")
    assert "# é\nx.to(DEVICE)" in fixed(raw).decode("latin-1")


def test_a_fix_keeps_mixed_line_ends() -> None:
    raw = b"import torch\r\nx = torch.zeros(1)\ny = 2\r\nx.cuda()\nz = 3\r\n"
    after = fixed(raw)
    assert after.endswith(b'device("cpu")\r\nx = torch.zeros(1)\ny = 2\r\nx.to(DEVICE)\nz = 3\r\n')


def test_a_fix_keeps_lone_carriage_returns() -> None:
    raw = b"import torch\rx = torch.zeros(1)\ry = x.cuda()\r"
    assert fixed(raw).endswith(b"x = torch.zeros(1)\ry = x.to(DEVICE)\r")


@pytest.mark.parametrize("text", ["'''a\r\nb\\\r\nc'''", "'a\\\r\nb'", "(1, \\\r\n 2)", "'\\r'"])
def test_a_fix_keeps_carriage_returns_in_texts(text: str) -> None:
    raw = f"import torch\r\nx = torch.zeros(1)\r\ny = {text}\r\nx.cuda()\r\n".encode()
    assert fixed(raw).endswith(f"y = {text}\r\nx.to(DEVICE)\r\n".encode())


def test_a_fix_keeps_tabs_and_form_feeds() -> None:
    raw = b"import torch\n\f\ndef f(x: torch.Tensor):\n\tif x:\n\t    return x.cuda()\t# \f\n\f\n"
    assert fixed(raw).endswith(b"\tif x:\n\t    return x.to(DEVICE)\t# \f\n\f\n")
