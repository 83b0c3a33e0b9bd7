"""The problem matchers in integrations/, on what neuronlint prints."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from project import Run, write
from reports import MESSAGE, finding, fix, shown

from neuronlint.report import Look
from neuronlint.rule import Applicability, Severity

FOLDER = Path(__file__).parent.parent / "integrations"
FIELDS = ("file", "line", "column", "severity", "code", "message")
STYLES = ["text", "concise", "full"]


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def matchers() -> dict[str, Any]:
    (github,) = read("github-matcher.json")["problemMatcher"]
    tasks = read("vscode-tasks.json")["tasks"]
    return {"github": github, **{task["label"]: task["problemMatcher"] for task in tasks}}


MATCHERS = matchers()
EACH = pytest.mark.parametrize("matcher", MATCHERS.values(), ids=MATCHERS)


def matched(matcher: Any, line: str) -> dict[str, str] | None:
    """The fields that a matcher takes out of a line; its own severity where the line has none."""
    (pattern,) = (
        matcher["pattern"] if isinstance(matcher["pattern"], list) else [matcher["pattern"]]
    )
    match = re.search(pattern["regexp"], line)
    if match is None:
        return None
    found = {field: match[pattern[field]] for field in FIELDS}
    return {**found, "severity": found["severity"] or matcher["severity"]}


def problems(matcher: Any, out: str) -> list[dict[str, str] | None]:
    return [found for line in out.splitlines() if (found := matched(matcher, line))]


def problem(line: str = "1", severity: str = "error", **more: str) -> dict[str, str]:
    rest = {"file": "a.py", "column": "5", "code": "NL201", "message": MESSAGE}
    return {**rest, "line": line, "severity": severity, **more}


@EACH
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("colour", [False, True])
def test_matchers_find_each_finding_and_nothing_else(
    matcher: Any, style: str, colour: bool
) -> None:
    findings = [
        finding(fix=fix()),
        finding(2, severity=Severity.WARNING, fix=fix(Applicability.DISPLAY)),
        finding(3, severity=Severity.INFO, fix=fix(Applicability.UNSAFE)),
    ]
    source = "x = old()  # b.py:1:1: error NL101 no\n" * 3
    out = shown(style, *findings, source=source, look=Look(colour=colour))
    plain = re.sub(r"\x1b\[[0-9;]*m?", "", out)  # as both do before they match
    info = "notice" if matcher is MATCHERS["github"] else "info"
    wanted = [problem(), problem("2", "warning"), problem("3", info)]
    assert problems(matcher, plain) == wanted


@EACH
@pytest.mark.parametrize(
    "name", ["a b.py", "C:\\a\\b.py", "/a:1/b.py", "a.py:1:2: x", "\u65e5.py", "(a).py"]
)
def test_matchers_know_the_name_of_any_file(matcher: Any, name: str) -> None:
    out = shown("concise", finding(path=Path(name)))
    assert problems(matcher, out) == [problem(file=name)]


@EACH
def test_matchers_know_the_cells_of_a_notebook(matcher: Any) -> None:
    line = f"nb.ipynb:cell 3:1:5: error NL201 [*] {MESSAGE}"
    assert matched(matcher, line) == problem(file="nb.ipynb")


@EACH
@pytest.mark.parametrize("message", ["`a`: 1:2: error NL101 b", "[*] a", "a\nb", "\u65e5"])
def test_matchers_take_the_whole_message(matcher: Any, message: str) -> None:
    (found,) = problems(matcher, shown("concise", finding(message=message, fix=fix())))
    assert found == problem(message=message.replace("\n", "\\n"))


@EACH
def test_matchers_pass_over_the_lines_of_other_tools(matcher: Any) -> None:
    others = [
        "a.py:1:5: F401 [*] `os` imported but unused",
        'a.py:1: error: Name "x" is not defined  [name-defined]',
        "Found 3 findings (1 error, 1 warning, 1 info) in 1 of 1 file.",
        "All checks passed!",
    ]
    assert [matched(matcher, line) for line in others] == [None] * len(others)


def test_github_knows_every_severity_that_its_matcher_gives() -> None:
    lines = shown("concise", *(finding(severity=each) for each in Severity)).splitlines()
    found = [matched(MATCHERS["github"], line) for line in lines]
    assert [each["severity"] for each in found if each] == ["error", "warning", "notice"]


@EACH
def test_matchers_are_built_as_their_readers_want(matcher: Any) -> None:
    (pattern,) = (
        matcher["pattern"] if isinstance(matcher["pattern"], list) else [matcher["pattern"]]
    )
    groups = re.compile(pattern["regexp"]).groups
    assert matcher["owner"] == "neuronlint"
    assert {*pattern} == {"regexp", *FIELDS}
    assert all(1 <= pattern[field] <= groups for field in FIELDS)


def test_tasks_run_options_that_exist(run: Run, tmp_path: Path) -> None:
    for task in read("vscode-tasks.json")["tasks"]:
        write("a.py", "import torch\n\nx = torch.zeros(2).cuda(7)\n")
        args = [each.replace("${workspaceFolder}", str(tmp_path)) for each in task["args"]]
        ran = run(*args, "--isolated")
        assert (ran.status, ran.err) == (1, "")
        found = problems(task["problemMatcher"], ran.out)
        assert [(each["file"], each["line"], each["code"]) for each in found if each] == [
            ("a.py", "3", "NL101")
        ]
