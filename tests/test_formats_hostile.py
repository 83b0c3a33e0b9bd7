"""File names, messages and sources that are made to break a format."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from reports import finding, shown

from neuronlint.reporters.lines import visible
from neuronlint.rule import Edit, Fix
from neuronlint.source import Source

NAMES = [
    *("a b.py", "a'\"<&>.py", "100%41;].py", "a\nb.py", "a:b,c.py", "::a::.py", "a\x1b[2J.py"),
    *("\u202ea.py", "\u65e5\u00e9\U0001f600.py", "a\udcff.py", "a\\n.py", "]]>.py", "a\x00.py"),
]
MESSAGES = [
    *("100% `a`; ]:,", "\"a\" 'b' <c> & ]]> <!--", "a\r\n::error::b", "a\n##vso[task.complete]b"),
    *("\x1b]0;x\x07", "\u2028\u202e\u0085", "\ud800", "\u65e5\U0001f600", "\\n %0A %25 &amp;"),
]
Text = Callable[[str], str]
ASCII = ["json", "json-lines", "sarif", "junit", "rdjson", "gitlab"]


def readable(text: str) -> str:
    """The text as JSON can hold it."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def kept(text: str) -> str:
    """A message as logs of CI services get it: line ends are kept, as escapes."""
    return visible(text, keep="\r\n")


def full_name(name: str) -> str:
    return str(Path.cwd() / name)


def read_json(out: str) -> tuple[str, str]:
    (row,) = json.loads(out)
    return row["filename"], row["message"]


def read_line(out: str) -> tuple[str, str]:
    row = json.loads(out)
    return row["filename"], row["message"]


def read_rdjson(out: str) -> tuple[str, str]:
    (row,) = json.loads(out)["diagnostics"]
    return str(Path.cwd() / row["location"]["path"]), row["message"]


def read_gitlab(out: str) -> tuple[str, str]:
    (row,) = json.loads(out)
    return row["location"]["path"], row["description"].removeprefix("NL201: ")


def read_junit(out: str) -> tuple[str, str]:
    suite = ElementTree.fromstring(out)[0]
    failed = suite.find("testcase/failure")
    assert failed is not None
    assert failed.text == f"line 1, col 5, {failed.get('message')}"
    return suite.get("name", ""), failed.get("message", "")


def read_github(out: str) -> tuple[str, str]:
    """What GitHub's runner makes of a workflow command."""
    line = re.fullmatch(r"::error ([^:\n\r]*)::([^\n\r]*)\n", out)
    assert line is not None
    fields = dict(field.split("=", 1) for field in line[1].split(","))
    text = unescaped(line[2], {"%0D": "\r", "%0A": "\n"}, "%25")
    _, _, message = text.partition(": NL201 ")
    codes = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}
    return unescaped(fields["file"], codes, "%25"), message


def read_azure(out: str) -> tuple[str, str]:
    """What the Azure Pipelines agent makes of a logging command."""
    line = re.fullmatch(r"##vso\[task\.logissue ([^\]\n\r]*)\]([^\n\r]*)\n", out)
    assert line is not None
    fields = dict(field.split("=", 1) for field in line[1].split(";") if field)
    codes = {"%0D": "\r", "%0A": "\n", "%3B": ";", "%5D": "]"}
    message = unescaped(line[2], {"%0D": "\r", "%0A": "\n"}, "%AZP25")
    return unescaped(fields["sourcepath"], codes, "%AZP25"), message


def unescaped(text: str, codes: dict[str, str], percent: str) -> str:
    for code, char in codes.items():
        text = text.replace(code, char)
    return text.replace(percent, "%")


def read_pylint(out: str) -> tuple[str, str]:
    line = re.fullmatch(r"([^\n\r]+?):1: \[NL201\] ([^\n\r]*)\n", out)
    assert line is not None
    return line[1], line[2]


READERS: dict[str, tuple[Callable[[str], tuple[str, str]], Text, Text]] = {
    # How the format is read, and what is left of a name and of a message in it.
    "json": (read_json, readable, readable),
    "json-lines": (read_line, readable, readable),
    "rdjson": (read_rdjson, readable, readable),
    "gitlab": (read_gitlab, readable, readable),
    "junit": (read_junit, visible, visible),
    "github": (read_github, str, kept),
    "azure": (read_azure, str, kept),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("style", READERS)
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_the_name_of_a_file_comes_through(style: str, name: str) -> None:
    read, name_of, _ = READERS[style]
    path, _ = read(shown(style, finding(path=Path(name))))
    wanted = name if style == "gitlab" else full_name(name)
    assert path == name_of(wanted)


@pytest.mark.parametrize("style", READERS)
@pytest.mark.parametrize("message", MESSAGES, ids=ascii)
def test_a_message_comes_through(style: str, message: str) -> None:
    read, _, text_of = READERS[style]
    assert read(shown(style, finding(message=message)))[1] == text_of(message)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("message", MESSAGES, ids=ascii)
def test_pylint_keeps_to_one_visible_line(name: str, message: str) -> None:
    out = shown("pylint", finding(path=Path(name), message=message))
    assert read_pylint(out) == (visible(name), visible(message))


@pytest.mark.parametrize("style", ASCII)
def test_formats_for_programs_are_ascii(style: str) -> None:
    hostile = [finding(path=Path(name), message="".join(MESSAGES)) for name in NAMES]
    assert shown(style, *hostile).isascii()


@pytest.mark.parametrize("style", ["text", "full", "concise", "grouped", "pylint"])
def test_formats_for_people_hold_nothing_that_a_terminal_obeys(style: str) -> None:
    code = "x = old('\x1b[2J\u202e\x07')"
    hostile = finding(path=Path("".join(NAMES)), message="".join(MESSAGES))
    one = Fix((Edit(4, 7, "new('\x1b]0;x\x07')"),))
    out = shown(style, hostile, finding(2, fix=one), source=code)
    assert visible(out.replace("\n", "")) == out.replace("\n", "")


def applied(source: str, edits: list[tuple[Any, Any, str]]) -> str:
    """The source with edits made that are given by line and column, as an editor makes them."""
    starts = [0, *(match.end() for match in re.finditer("\r\n|\r|\n", source))]
    at = [
        (starts[start[0] - 1] + start[1] - 1, starts[end[0] - 1] + end[1] - 1, text)
        for start, end, text in edits
    ]
    for start, stop, text in reversed(at):
        source = source[:start] + text + source[stop:]
    return source


def json_edits(out: str) -> list[tuple[Any, Any, str]]:
    edits = json.loads(out)[0]["fix"]["edits"]
    return [
        (tuple(each["location"].values()), tuple(each["end_location"].values()), each["content"])
        for each in edits
    ]


def sarif_edits(out: str) -> list[tuple[Any, Any, str]]:
    change = json.loads(out)["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]
    rows = [(each["deletedRegion"], each.get("insertedContent")) for each in change["replacements"]]
    return [
        (
            (area["startLine"], area["startColumn"]),
            (area["endLine"], area["endColumn"]),
            content["text"] if content else "",
        )
        for area, content in rows
    ]


def rdjson_edits(out: str) -> list[tuple[Any, Any, str]]:
    (one,) = json.loads(out)["diagnostics"][0]["suggestions"]
    places = [(place["line"], place["column"]) for place in one["range"].values()]
    return [(places[0], places[1], one["text"])]


EDITORS = {"json": json_edits, "sarif": sarif_edits, "rdjson": rdjson_edits}


@pytest.mark.parametrize("style", EDITORS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_fix_that_a_program_makes_is_the_fix_of_neuronlint(style: str, newline: str) -> None:
    source = newline.join(["# \u65e5", "", "x = '\u65e5' + old(old)", "y = 1", ""])
    data = source.encode()
    old = data.index(b"old")
    edits = (
        Edit(data.index(b"x"), data.index(b"x"), "import new\n"),
        Edit(old, old + 3, "new"),
        Edit(old + 4, old + 7, "'\U0001f600'\n"),
        Edit(data.index(b"y"), len(data), ""),
        Edit(data.index(b"x"), data.index(b"x"), "import new\n"),
    )
    want = Source(data).edited(sorted(dict.fromkeys(edits))).data.decode()
    out = shown(style, finding(3, 11, fix=Fix(edits)), source=source)
    got = EDITORS[style](out)
    if style == "rdjson":  # counts in bytes
        text = applied(
            data.decode("latin-1"), [(a, b, c.encode().decode("latin-1")) for a, b, c in got]
        )
        assert text.encode("latin-1").decode() == want
    else:
        assert applied(source, got) == want
