"""How each output format shows a report."""

import json
from pathlib import Path

import pytest
from reports import MESSAGE, PATH, finding, fix, shown

from neuronlint.report import Look, Report
from neuronlint.reporters import REPORTERS
from neuronlint.rule import Applicability, Edit, Finding, Fix, Severity


def text(*findings: Finding, source: str = "x = old()\n", look: Look | None = None) -> str:
    return shown("text", *findings, source=source, look=look)


def test_text_underlines_what_was_found() -> None:
    assert text(finding()) == (
        "a.py:1:5: error NL201 `old` runs on CUDA only; `new` runs on any device\n"
        "    1 | x = old()\n"
        "      |     ^^^\n"
    )


def test_text_marks_a_safe_fix() -> None:
    assert text(finding(fix=fix())).startswith("a.py:1:5: error NL201 [*] `old` runs")


def test_text_marks_an_unsafe_fix_only_where_it_would_be_made() -> None:
    unsafe = finding(fix=fix(Applicability.UNSAFE))
    assert text(unsafe, look=Look(unsafe=True, quiet=True)).startswith("a.py:1:5: error NL201 [*] ")
    assert text(unsafe).startswith("a.py:1:5: error NL201 `old` ")


def test_text_hints_at_an_unsafe_fix() -> None:
    assert text(finding(fix=fix(Applicability.UNSAFE))).splitlines()[-1] == (
        "      = help: --unsafe-fixes makes this fix; neuronlint rule NL201 says what may change"
    )


def test_text_shows_a_fix_that_is_never_made() -> None:
    shown_only = finding(fix=fix(Applicability.DISPLAY, "new(\n    1)"))
    assert text(shown_only, look=Look(unsafe=True, quiet=True)).splitlines()[-1] == (
        "      = help: possible fix, not made for you: new( ..."
    )


def test_text_underlines_a_finding_over_lines_to_the_end_of_its_first() -> None:
    assert text(finding(end=(3, 2)), source="x = old(  \n  1\n)\n").splitlines()[1:] == [
        "    1 | x = old(",
        "      |     ^^^^",
    ]


def test_text_underlines_in_the_columns_of_a_terminal() -> None:
    source = "\ty = '\u65e5\u672c' + old()\n"
    assert text(finding(column=13), source=source).splitlines()[1:] == [
        "    1 |     y = '\u65e5\u672c' + old()",
        "      |                  ^^^",
    ]


def test_text_shows_no_control_characters() -> None:
    hostile = finding(message="a\x1b[31mb\nc", path=Path("a\x1b\u202e.py"))
    report = Report((hostile,), 1, sources={hostile.path: b"x = old('\x1b[2J')\n"})
    assert REPORTERS["text"](report, Look(quiet=True)) == (
        "a\\x1b\\u202e.py:1:5: error NL201 a\\x1b[31mb\\nc\n"
        "    1 | x = old('\\x1b[2J')\n"
        "      |     ^^^\n"
    )


def test_text_crops_a_long_line_around_the_finding() -> None:
    source = f"{'a' * 500}old{'b' * 500}\n"
    _, line, carets = text(finding(column=501), source=source).splitlines()
    assert line == f"    1 | ...{'a' * 40}old{'b' * 117}..."
    assert carets == f"      | {' ' * 43}^^^"


def test_text_shows_no_frame_for_an_empty_line_or_file() -> None:
    assert len(text(finding(column=1), source="").splitlines()) == 1


def test_text_shows_a_source_that_cannot_be_decoded() -> None:
    report = Report((finding(),), 1, sources={PATH: b"x = old('\xff')\n"})
    assert "    1 | x = old('\ufffd')\n" in REPORTERS["text"](report, Look())


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_text_knows_every_line_end(newline: str) -> None:
    source = newline.join(["", "x = old()", ""])
    assert text(finding(line=2), source=source).splitlines()[1] == "    2 | x = old()"


def test_text_is_coloured_when_asked() -> None:
    coloured = text(finding(fix=fix()), look=Look(colour=True, quiet=True))
    assert "\x1b[31merror\x1b[0m" in coloured
    assert "\x1b[" not in text(finding(fix=fix()))


def summary(report: Report, look: Look | None = None) -> list[str]:
    lines = REPORTERS["text"](report, look or Look()).splitlines()
    return [line for line in lines if not line.startswith(("a.py:", "    "))]


def test_text_ends_with_a_summary() -> None:
    safe, unsafe = fix(), fix(Applicability.UNSAFE)
    findings = [
        finding(fix=safe),
        finding(2, fix=safe),
        finding(3, fix=unsafe, severity=Severity.WARNING),
        finding(4, fix=fix(Applicability.DISPLAY), severity=Severity.INFO),
        finding(5, severity=Severity.INFO),
    ]
    assert summary(Report(tuple(findings), 40)) == [
        "Found 5 findings (2 errors, 1 warning, 2 info) in 1 of 40 files.",
        "[*] 2 fixable with --fix (1 more with --unsafe-fixes).",
    ]


def test_text_counts_one_finding_as_one() -> None:
    assert summary(Report((finding(),), 1)) == ["Found 1 finding (1 error) in 1 of 1 file."]


def test_text_counts_unsafe_fixes_apart() -> None:
    report = Report((finding(fix=fix(Applicability.UNSAFE)),), 2)
    assert summary(report)[1:] == ["1 fixable with --fix --unsafe-fixes."]
    assert summary(report, Look(unsafe=True))[1:] == ["[*] 1 fixable with --fix --unsafe-fixes."]


def test_text_says_when_all_is_well() -> None:
    assert summary(Report((), 3)) == ["All checks passed!"]


def test_text_says_what_was_fixed() -> None:
    report = Report((finding(),), 1, applied=(finding(), finding(2)))
    assert summary(report) == ["Fixed 2 findings, 1 left."]


def test_text_keeps_quiet_about_everything_but_findings() -> None:
    assert summary(Report((finding(),), 1), Look(quiet=True)) == []
    assert summary(Report((), 1), Look(quiet=True)) == []


def test_json_has_the_shape_of_ruff() -> None:
    rows = json.loads(shown("json", finding(fix=fix())))
    assert rows == [
        {
            "cell": None,
            "code": "NL201",
            "name": "cuda-runtime",
            "message": MESSAGE,
            "severity": "error",
            "filename": str(PATH.absolute()),
            "location": {"row": 1, "column": 5},
            "end_location": {"row": 1, "column": 8},
            "noqa_row": 1,
            "url": None,
            "fix": {
                "applicability": "safe",
                "message": "`new` runs on any device",
                "edits": [
                    {
                        "content": "new",
                        "location": {"row": 1, "column": 5},
                        "end_location": {"row": 1, "column": 8},
                    }
                ],
            },
        }
    ]


def test_json_counts_the_columns_of_edits_in_characters() -> None:
    edit = Edit(len("a\n'\u65e5' + ".encode()), len("a\n'\u65e5' + old".encode()), "new")
    rows = json.loads(shown("json", finding(fix=Fix((edit,))), source="a\n'\u65e5' + old()\n"))
    assert rows[0]["fix"]["edits"][0]["location"] == {"row": 2, "column": 7}
    assert rows[0]["fix"]["edits"][0]["end_location"] == {"row": 2, "column": 10}


def test_json_says_where_a_marker_counts() -> None:
    source = 'x = old("""a\n""",\n)\n'
    found = [finding(), finding(end=(3, 2)), finding(2), finding(code="NL001")]
    rows = json.loads(shown("json", *found, source=source))
    assert [row["noqa_row"] for row in rows] == [3, 3, 2, None]


def test_json_of_nothing_is_an_empty_list() -> None:
    assert shown("json") == "[]\n"


def test_github_gets_a_workflow_command() -> None:
    assert shown("github", finding()) == (
        f"::error title=neuronlint (NL201),file={PATH.absolute()},"
        f"line=1,col=5,endLine=1,endColumn=8::a.py:1:5: NL201 {MESSAGE}\n"
    )


def test_github_gets_no_columns_for_a_finding_over_lines() -> None:
    assert ",line=1,endLine=3::a.py:1:5: NL201 " in shown("github", finding(end=(3, 2)))


def test_github_gets_the_worst_findings_first() -> None:
    findings = [finding(line, severity=each) for line, each in enumerate(reversed(Severity), 1)]
    commands = [line.partition(" ")[0] for line in shown("github", *findings).splitlines()]
    assert commands == ["::error", "::warning", "::notice"]


def test_github_gets_nothing_that_could_end_a_command() -> None:
    hostile = finding(message="100%\r\n::error::x", path=Path("a,b:c%.py"))
    command = shown("github", hostile)
    assert "/a%2Cb%3Ac%25.py,line=" in command
    assert command.endswith("a,b:c%25.py:1:5: NL201 100%25%0D%0A::error::x\n")


def test_github_gets_no_more_annotations_than_it_shows() -> None:
    errors = [finding(line) for line in range(1, 13)]
    infos = [finding(line, severity=Severity.INFO) for line in range(20, 30)]
    lines = shown("github", *infos, *errors).splitlines()
    kinds = [line.split(" ")[0] for line in lines]
    assert kinds[:19] == ["::error"] * 10 + ["::notice"] * 9
    assert [line.split(": ")[0] for line in lines[19:22]] == ["a.py:11:5", "a.py:12:5", "a.py:29:5"]
    assert lines[22:] == [
        "::notice title=neuronlint::3 more findings have no annotation; GitHub shows 10 errors, "
        "10 warnings and 10 notices of a step, the log has all"
    ]


def test_github_gets_ten_of_each_kind_without_a_notice_about_more() -> None:
    findings = [finding(line, severity=each) for each in Severity for line in range(10)]
    kinds = [line.split(" ")[0] for line in shown("github", *findings).splitlines()]
    assert kinds == ["::error"] * 10 + ["::warning"] * 10 + ["::notice"] * 10


def test_github_gets_no_command_from_the_name_of_a_file() -> None:
    path = Path("::stop-commands::x ##[debug]")
    plain = shown("github", *[finding(line, path=path) for line in range(1, 13)]).splitlines()[10]
    assert plain.startswith("./::stop-commands::x # #[debug]:11:5: error NL201 ")


def test_github_gets_no_step_summary_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    shown("github", finding())
    assert not summary.exists()
