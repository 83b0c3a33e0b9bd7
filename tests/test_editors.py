"""The set-up of editors in docs/editors.md, as far as it can be read without them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import tomli
from project import Run
from reports import finding, shown
from test_matchers import matched, problem

PAGE = (Path(__file__).parent.parent / "docs/editors.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found


def watch_task() -> Any:
    return next(json.loads(code) for code in blocks("json") if "isBackground" in code)["tasks"][0]


@pytest.mark.parametrize("code", blocks("json"))
def test_json_is_json(code: str) -> None:
    assert json.loads(code)


def test_toml_is_toml() -> None:
    (code,) = blocks("toml")
    assert tomli.loads(code)["language-server"]["neuronlint"]["args"] == ["server"]


def test_lua_is_lua() -> None:
    ast = pytest.importorskip("luaparser.ast")
    for code in blocks("lua"):
        ast.parse(code)


def test_lisp_is_closed() -> None:
    for code in blocks("elisp"):
        depth = 0
        for char in re.sub(r'"[^"]*"', "", code):
            depth += (char == "(") - (char == ")")
            assert depth >= 0
        assert depth == 0


def test_the_matcher_of_the_watching_task_fits_what_is_printed() -> None:
    matcher = watch_task()["problemMatcher"]
    line = shown("concise", finding()).rstrip("\n")
    assert matched(matcher, line) == problem()
    begins, ends = (matcher["background"][f"{each}Pattern"] for each in ("begins", "ends"))
    first, last = (
        "[10:00:00] Starting linter in watch mode...",
        "Found 1 finding. Watching for file ",
    )
    assert re.search(begins, first)
    assert re.search(begins, "[10:00:00] File change detected...")
    assert re.search(ends, f"[10:00:00] {last}changes.")
    assert not re.search(begins, line)
    assert not re.search(ends, line)
    assert not re.search(ends, first)


def test_the_options_of_tasks_and_tools_exist(run: Run) -> None:
    Path("a.py").write_text("safe_old\n")
    lines = re.findall(r"^\| Arguments \| `(.*)` \|$", PAGE, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        ran = run(*line.replace("$FilePath$", "a.py").split())
        assert ran.err == ""
        assert ran.status == (0 if "--fix" in line else 1)
    assert Path("a.py").read_text() == "safe_new\n"
