"""What the readers of each output format make of it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from reports import MESSAGE, PATH, finding, fix, of, shown

from neuronlint.report import Look, Report
from neuronlint.reporters import REPORTERS
from neuronlint.rule import Applicability, Edit, Fix, Severity

OTHER = Path("folder/b.py")
SEVERE = [finding(severity=each) for each in Severity]


def test_every_format_has_a_reporter() -> None:
    assert [name for name, report in REPORTERS.items() if callable(report)] == list(REPORTERS)
    assert len(REPORTERS) == 13
    assert "yaml" not in REPORTERS


@pytest.mark.parametrize("name", REPORTERS)
def test_a_run_imports_one_format_and_no_syntax_tree(name: str) -> None:
    program = (
        "import sys\nfrom neuronlint.reporters import REPORTERS\n"
        f"REPORTERS[{name!r}]\nprint(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True)
    loaded = ran.stdout.decode().split()
    formats = {name.replace("-", "_") for name in REPORTERS}
    got = {each.rpartition(".")[2] for each in loaded if each.startswith("neuronlint.reporters.")}
    base = {"full": {"text"}, "json-lines": {"json"}}.get(name, set())
    assert got & formats == {name.replace("-", "_")} | base
    assert "libcst" not in loaded


def test_concise_gives_a_line_a_finding_and_the_summary() -> None:
    assert shown("concise", finding(fix=fix()), finding(2), look=Look()) == (
        f"a.py:1:5: error NL201 [*] {MESSAGE}\n"
        f"a.py:2:5: error NL201 {MESSAGE}\n"
        "Found 2 findings (2 errors) in 1 of 1 file.\n"
        "[*] 1 fixable with --fix.\n"
    )


def test_grouped_puts_findings_under_their_file() -> None:
    assert shown("grouped", finding(), finding(2), finding(path=OTHER), look=Look()) == (
        f"a.py:\n  1:5 error NL201 {MESSAGE}\n  2:5 error NL201 {MESSAGE}\n\n"
        f"folder/b.py:\n  1:5 error NL201 {MESSAGE}\n\n"
        "Found 3 findings (3 errors) in 2 of 1 file.\n"
    )


def full(one: Fix, source: str = "x = old()\n", look: Look | None = None) -> list[str]:
    return shown("full", finding(fix=one), source=source, look=look).splitlines()[3:]


def test_full_shows_a_fix_as_a_diff() -> None:
    assert full(fix()) == ["      = fix:", "    1 - x = old()", "    1 + x = new()"]


def test_full_shows_how_far_a_fix_may_be_trusted() -> None:
    assert full(fix(Applicability.UNSAFE))[0] == (
        "      = unsafe fix; neuronlint rule NL201 says what may change:"
    )
    assert full(fix(Applicability.DISPLAY))[0] == "      = possible fix, not made for you:"


def test_full_shows_each_line_that_a_fix_touches_and_no_other() -> None:
    source = "# one\n# two\nx = old(a,\n        old)\n# five\n"
    olds = [match.start() for match in re.finditer("old", source)]
    edits = (Edit(0, 0, "import new\n"), *(Edit(old, old + 3, "new") for old in olds))
    assert full(Fix(edits), source)[1:] == [
        "    1 + import new",
        "    3 - x = old(a,",
        "    4 + x = new(a,",
        "    4 -         old)",
        "    5 +         new)",
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_full_shows_a_line_that_goes_whatever_ends_it(newline: str) -> None:
    source = newline.join(["a", "x = old()", "b", ""])
    start = source.index("x")
    gone = Fix((Edit(start, source.index("b"), ""),))
    assert full(gone, source)[1:] == ["    2 - x = old()"]


def test_full_shows_an_insertion_at_the_end_of_a_file() -> None:
    assert full(Fix((Edit(9, 9, "\ny = 1"),)), "x = old()")[1:] == ["    2 + y = 1"]


def test_full_crops_a_long_line_around_its_change() -> None:
    source = f"{'a' * 500}old{'b' * 500}\n"
    before, after = full(Fix((Edit(500, 503, "new"),)), source)[1:]
    assert before == f"    1 - ...{'a' * 40}old{'b' * 117}..."
    assert after == f"    1 + ...{'a' * 40}new{'b' * 117}..."


def test_full_colours_a_diff_when_asked() -> None:
    assert full(fix(), look=Look(colour=True))[1] == "    1 \x1b[31m- x = old()\x1b[0m"


def test_json_lines_holds_the_rows_of_json() -> None:
    report = of(*SEVERE, finding(fix=fix()))
    lines = REPORTERS["json-lines"](report, Look()).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(REPORTERS["json"](report, Look()))
    assert shown("json-lines") == ""


def junit(report: Report) -> ElementTree.Element:
    return ElementTree.fromstring(REPORTERS["junit"](report, Look()))


def test_junit_has_a_suite_a_file_and_a_failed_test_a_finding() -> None:
    root = junit(of(finding(), finding(2, severity=Severity.INFO), finding(path=OTHER)))
    counts = {"name": "neuronlint", "tests": "3", "failures": "3", "errors": "0", "skipped": "0"}
    assert root.attrib == counts
    assert [(each.get("name"), each.get("tests")) for each in root] == [
        (str(PATH.absolute()), "2"),
        (str(OTHER.absolute()), "1"),
    ]
    case = root[0][1]
    place = {"line": "2", "column": "5", "classname": str(PATH.absolute().with_suffix(""))}
    assert case.attrib == {"name": "org.neuronlint.NL201", **place}
    severity = case.find("properties/property")
    assert severity is not None
    assert severity.attrib == {"name": "severity", "value": "info"}
    failed = case.find("failure")
    assert failed is not None
    assert (failed.get("message"), failed.text) == (MESSAGE, f"line 2, col 5, {MESSAGE}")


def test_junit_tells_what_could_not_be_checked_from_what_was_found() -> None:
    root = junit(of(finding(), finding(code="NL001")))
    assert (root.get("failures"), root.get("errors")) == ("1", "1")
    assert [case[-1].tag for case in root[0]] == ["failure", "error"]


def test_junit_of_nothing_is_a_test_that_passed() -> None:
    root = junit(Report((), 3))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")
    assert [list(case) for case in root.iter("testcase")] == [[]]


def rdjson(*args: Any, **more: Any) -> Any:
    return json.loads(shown("rdjson", *args, **more))


def test_rdjson_has_the_fields_that_reviewdog_reads() -> None:
    result = rdjson(*SEVERE)
    assert result["source"] == {"name": "neuronlint"}
    assert [each["severity"] for each in result["diagnostics"]] == ["ERROR", "WARNING", "INFO"]
    first = result["diagnostics"][0]
    span = {"start": {"line": 1, "column": 5}, "end": {"line": 1, "column": 8}}
    assert first["location"] == {"path": "a.py", "range": span}
    assert (first["message"], first["code"]) == (MESSAGE, {"value": "NL201"})
    assert "suggestions" not in first


def test_rdjson_counts_columns_in_bytes() -> None:
    source = "y = '\u65e5\u672c' + old()\n"
    span = rdjson(finding(column=12), source=source)["diagnostics"][0]["location"]["range"]
    assert span == {"start": {"line": 1, "column": 16}, "end": {"line": 1, "column": 19}}


def test_rdjson_suggests_a_fix_as_one_replacement() -> None:
    source = "# one\nx = old(a, old)\n"
    edits = (Edit(6, 6, "import new\n"), Edit(10, 13, "new"), Edit(17, 20, "new"))
    row = rdjson(finding(2, fix=Fix(edits)), source=source)["diagnostics"][0]
    span = {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 15}}
    assert row["suggestions"] == [{"range": span, "text": "import new\nx = new(a, new"}]


@pytest.mark.parametrize(
    "one",
    [fix(Applicability.DISPLAY), Fix((Edit(0, 0, "import new\n"), Edit(44, 47, "new")))],
)
def test_rdjson_suggests_nothing_that_a_reviewer_could_not_take(one: Fix) -> None:
    source = "\n" * 40 + "x = old()\n"
    assert "suggestions" not in rdjson(finding(41, fix=one), source=source)["diagnostics"][0]


def gitlab(*args: Any, **more: Any) -> Any:
    return json.loads(shown("gitlab", *args, **more))


def test_gitlab_has_the_fields_of_a_code_quality_report() -> None:
    rows = gitlab(*SEVERE)
    assert [row["severity"] for row in rows] == ["major", "minor", "info"]
    spans = {"begin": {"line": 1, "column": 5}, "end": {"line": 1, "column": 8}}
    assert rows[0] == {
        "check_name": "NL201",
        "description": f"NL201: {MESSAGE}",
        "severity": "major",
        "fingerprint": rows[0]["fingerprint"],
        "location": {"path": rows[0]["location"]["path"], "positions": spans},
    }


def test_gitlab_gets_paths_from_the_top_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "repo/sub").mkdir(parents=True)
    (tmp_path / "repo/.git").write_text("gitdir: elsewhere\n")
    monkeypatch.chdir(tmp_path / "repo/sub")
    elsewhere = tmp_path / "c.py"
    rows = gitlab(finding(), finding(path=Path("../b.py")), finding(path=elsewhere))
    paths = [row["location"]["path"] for row in rows]
    assert paths == ["sub/a.py", "b.py", str(elsewhere)]


def test_gitlab_gets_fingerprints_that_differ_and_outlive_moved_lines() -> None:
    source, later = "x = old()\ny = old()\nx = old()\n", "\n  x = old()\ny = old()\nx = old()\n"
    marks = [
        [row["fingerprint"] for row in gitlab(*(finding(first + i) for i in range(3)), source=text)]
        for first, text in [(1, source), (2, later)]
    ]
    assert marks[0] == marks[1]
    assert len({*marks[0], *(row["fingerprint"] for row in gitlab(finding(path=OTHER)))}) == 4


AZURE = re.compile(r"##vso\[task\.logissue ((?:\w+=[^;\]]*;)*)\](.*)")


def test_azure_gets_a_logging_command() -> None:
    rows = [AZURE.fullmatch(line) for line in shown("azure", *SEVERE).splitlines()]
    kinds = [dict(each.split("=") for each in row[1].split(";")[:-1]) for row in rows if row]
    assert [kind["type"] for kind in kinds] == ["error", "warning", "warning"]
    place = {"sourcepath": str(PATH.absolute()), "linenumber": "1", "columnnumber": "5"}
    assert kinds[0] == {"type": "error", **place, "code": "NL201"}
    assert rows[0] is not None
    assert rows[0][2] == MESSAGE


def test_pylint_has_the_line_that_its_readers_know() -> None:
    line = re.compile(r"(?P<path>[^:]+):(?P<line>\d+): \[(?P<code>[A-Z]+\d+)\] (?P<text>.+)\n")
    row = line.fullmatch(shown("pylint", finding()))
    assert row is not None
    assert row.groupdict() == {"path": "a.py", "line": "1", "code": "NL201", "text": MESSAGE}
