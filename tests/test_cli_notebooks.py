"""What the command does with notebooks, and how each format names their places."""

import json
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from notebooks import cell, dumped, sources
from project import Run

TEXT = dumped(cell("# safe_old", "markdown"), "%cd a\nx = 1", "a = 1\nx = safe_old", "unsafe_old")
ROW = next(row for row, line in enumerate(TEXT.split("\n"), 1) if "x = safe_old" in line)


@pytest.fixture
def file() -> Path:
    """A notebook with a finding in its third cell and one in its fourth."""
    path = Path("nb.ipynb")
    path.write_text(TEXT, encoding="utf-8", newline="")
    return path


@pytest.fixture
def shown(run: Run, file: Path) -> Any:
    """Runs neuronlint with an output format and reads what it prints."""

    def shown(style: str) -> str:
        return run("--quiet", "--output-format", style, "--select", "TST101", ".").out

    return shown


def test_notebooks_are_found_and_fixed(run: Run, file: Path) -> None:
    ran = run("--fix")
    assert ran.out == (
        "nb.ipynb:cell 4:1:1: warning TST102 `unsafe_old` is old; write `unsafe_new`\n"
        "    1 | unsafe_old\n"
        "      | ^^^^^^^^^^\n"
        "      = help: --unsafe-fixes makes this fix; neuronlint rule TST102 says what may change\n"
        "Fixed 1 finding, 1 left.\n"
        "1 fixable with --fix --unsafe-fixes.\n"
    )
    assert file.read_text(encoding="utf-8") == TEXT.replace("x = safe_old", "x = safe_new")
    assert run("--fix", "--unsafe-fixes").status == 0
    assert run().out == "All checks passed!\n"


def test_what_would_change_is_shown_cell_by_cell(run: Run, file: Path) -> None:
    ran = run("--diff")
    assert ran.out == (
        "--- nb.ipynb:cell 3\n+++ nb.ipynb:cell 3\n@@ -1,2 +1,2 @@\n"
        " a = 1\n-x = safe_old\n+x = safe_new\n"
    )
    said = "Would fix 1 finding in 1 file.\n1 fixable with --fix --unsafe-fixes.\n"
    assert (ran.status, ran.err) == (1, said)
    assert file.read_text(encoding="utf-8") == TEXT


def test_text_says_which_cell(shown: Any) -> None:
    line = "nb.ipynb:cell 3:2:5: error TST101 [*] `safe_old` is old; write `safe_new`\n"
    code = "    2 | x = safe_old\n      |     ^^^^^^^^\n"
    fix = "      = fix:\n    2 - x = safe_old\n    2 + x = safe_new\n"
    assert shown("concise") == line
    assert shown("text") == line + code
    assert shown("full") == line + code + fix
    assert shown("grouped") == f"nb.ipynb:\n  {line.removeprefix('nb.ipynb:').replace('5:', '5')}\n"


def test_json_counts_in_the_cell(shown: Any) -> None:
    (row,) = json.loads(shown("json"))
    assert (row["cell"], row["noqa_row"]) == (3, 2)
    assert row["location"] == {"row": 2, "column": 5}
    assert row["end_location"] == {"row": 2, "column": 13}
    edit = {"location": row["location"], "end_location": row["end_location"]}
    assert row["fix"]["edits"] == [{"cell": 3, "content": "safe_new", **edit}]
    assert json.loads(shown("json-lines")) == row


def test_formats_for_services_name_the_line_of_the_file(shown: Any) -> None:
    message = "`safe_old` is old; write `safe_new`"
    assert shown("pylint") == f"nb.ipynb:{ROW}: [TST101] {message}\n"
    path = Path("nb.ipynb").absolute()
    place = f"file={path},line={ROW},endLine={ROW}"
    assert shown("github") == (
        f"::error title=neuronlint (TST101),{place}::nb.ipynb:cell 3:2:5: TST101 {message}\n"
    )
    place = f"sourcepath={path};linenumber={ROW};"
    assert shown("azure") == f"##vso[task.logissue type=error;{place}code=TST101;]{message}\n"
    (issue,) = json.loads(shown("gitlab"))
    assert issue["location"] == {"path": "nb.ipynb", "lines": {"begin": ROW, "end": ROW}}


def test_logs_name_the_line_of_the_file_and_no_fix(shown: Any) -> None:
    (result,) = json.loads(shown("sarif"))["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": ROW, "endLine": ROW}
    assert "fixes" not in result
    (diagnostic,) = json.loads(shown("rdjson"))["diagnostics"]
    assert diagnostic["location"]["range"] == {"start": {"line": ROW}, "end": {"line": ROW}}
    assert "suggestions" not in diagnostic
    (case,) = ElementTree.fromstring(shown("junit")).iter("testcase")
    assert case.attrib["line"] == str(ROW)
    assert str(case[1].text).startswith("cell 3, line 2, col 5, ")


def test_a_fix_in_several_cells_is_shown_in_each(run: Run) -> None:
    text = dumped("import torch", "a = 1\nx = y.cuda()")
    Path("nb.ipynb").write_text(text, encoding="utf-8")
    ran = run("--isolated", "--select", "NL101", "--quiet", "--output-format", "full")
    assert [line for line in ran.out.splitlines()[4:] if "DEVICE = " not in line] == [
        "      cell 1:",
        "    2 +",
        "      cell 2:",
        "    2 - x = y.cuda()",
        "    2 + x = y.to(DEVICE)",
    ]


def test_a_file_that_is_no_notebook_is_told_with_the_place(run: Run) -> None:
    Path("nb.ipynb").write_text(TEXT[: TEXT.index("x = safe_old") + 12])
    ran = run("--quiet")
    reason = "error NL001 the file is not JSON: Unterminated string starting at"
    assert ran.out.startswith(f"nb.ipynb:{ROW}:5: {reason}\n")
    assert ran.status == 1
    Path("nb.ipynb").write_bytes(b'{"cells": "safe_old \xff"')
    assert "NL001 the file cannot be decoded" in run("--quiet", "--fix").out
    assert Path("nb.ipynb").read_bytes() == b'{"cells": "safe_old \xff"'


def test_a_notebook_without_a_word_to_look_for_is_not_read_as_json(run: Run) -> None:
    Path("nb.ipynb").write_text('{"cells": [')
    assert run().out == "All checks passed!\n"


def test_a_word_may_be_escaped(run: Run) -> None:
    Path("nb.ipynb").write_text(dumped("safe_old").replace("safe_old", "safe\\u005fold"))
    assert "cell 1:1:1" in run().out


def test_standard_input_is_fixed_as_a_file_is(run: Run) -> None:
    ran = run("--fix", "--stdin-filename", "nb.ipynb", "-", stdin=TEXT.encode())
    assert ran.out == TEXT.replace("x = safe_old", "x = safe_new")
    assert "nb.ipynb:cell 4:1:1" in ran.err
    broken = '{"cells": ["safe_old"'
    assert run("--fix", "--stdin-filename", "nb.ipynb", "-", stdin=broken.encode()).out == broken


def test_comments_are_added_in_the_cells(run: Run, file: Path) -> None:
    run("--add-noqa=why")
    assert sources(file.read_text(encoding="utf-8"))[2:] == [
        "a = 1\nx = safe_old  # noqa: TST101 why",
        "unsafe_old  # noqa: TST102 why",
    ]
    assert run().out == "All checks passed!\n"


def test_a_baseline_knows_the_findings_of_a_notebook(run: Run, file: Path) -> None:
    run("--baseline", "known.json", "--update-baseline")
    moved = dumped("x = 1", cell("new", "markdown"), "a = 1\nx = safe_old", "unsafe_old\nsafe_old")
    file.write_text(moved, encoding="utf-8")
    ran = run("--baseline", "known.json", "--quiet", "--output-format", "concise")
    assert [line.split(": ")[0] for line in ran.out.splitlines()] == ["nb.ipynb:cell 4:2:1"]


def test_only_cells_with_added_lines_are_told(run: Run, file: Path) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "nb.ipynb"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True)
    assert run("--diff-base", "HEAD").out == "All checks passed!\n"
    file.write_text(TEXT.replace("unsafe_old", "f(unsafe_old)"), encoding="utf-8")
    ran = run("--diff-base", "HEAD", "--quiet", "--output-format", "concise")
    assert [line.split(": ")[0] for line in ran.out.splitlines()] == ["nb.ipynb:cell 4:1:3"]
    run("--diff-base", "HEAD", "--fix", "--unsafe-fixes")
    assert sources(file.read_text(encoding="utf-8"))[2:] == ["a = 1\nx = safe_old", "f(unsafe_new)"]


def test_an_unused_suppression_in_a_cell_is_removed(run: Run) -> None:
    path = Path("nb.ipynb")
    path.write_text(dumped("x = 1  # noqa: TST101", "%cd a\n# noqa: TST101\ny"), encoding="utf-8")
    assert "nb.ipynb:cell 2:2:1" in run("--select", "TST,NL006").out
    run("--select", "TST,NL006", "--fix")
    assert sources(path.read_text(encoding="utf-8")) == ["x = 1", "%cd a\ny"]


def test_what_was_found_is_found_again_where_there_is_a_cache(
    run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    first = run("--select", "TST")
    assert run("--select", "TST") == first
    assert "nb.ipynb:cell 3:2:5" in first.out


def test_a_file_that_cannot_be_written_is_told(run: Run, file: Path) -> None:
    Path("link").mkdir()
    file.rename("link/real.ipynb")
    file.symlink_to("link/real.ipynb")
    run("--fix", "nb.ipynb")
    assert file.is_symlink()
    assert "x = safe_new" in Path("link/real.ipynb").read_text(encoding="utf-8")
