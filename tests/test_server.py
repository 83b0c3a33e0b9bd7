"""The language server, as an editor meets it."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from editor import MODERN, Editor
from project import Run, write

pytest.importorskip("pygls")
ROOT = Path(__file__).parent.parent
Start = Callable[..., Editor]


@pytest.fixture(scope="module")
def running() -> Iterator[dict[str, Editor]]:
    """The servers that run, by how they were started: one serves many projects."""
    servers: dict[str, Editor] = {}
    yield servers
    for editor in servers.values():
        editor.kill()


@pytest.fixture
def start(run: Run, pack: Path, tmp_path: Path, running: dict[str, Editor]) -> Start:
    """Starts servers for an empty project that asks for the rules of the sample pack."""

    def start(*args: str, able: dict[str, Any] | None = None) -> Editor:
        key = repr((args, able or {}))
        if key not in running:
            running[key] = Editor(tmp_path, *args, able=able, path=str(pack))
        running[key].enter(tmp_path)
        return running[key]

    return start


@pytest.fixture
def alone(run: Run, pack: Path, tmp_path: Path) -> Iterator[Editor]:
    """A server that serves this project alone."""
    editor = Editor(tmp_path, able=MODERN, path=str(pack))
    yield editor
    editor.kill()


def codes(diagnostics: list[Any]) -> list[str]:
    return [each["code"] for each in diagnostics]


def titles(actions: list[Any]) -> list[str]:
    return [each["title"] for each in actions]


def place(line: int, start: int, end: int) -> dict[str, Any]:
    return {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": end},
    }


def test_an_opened_text_is_checked(start: Start) -> None:
    found = start().open("a.py", "safe_old, unsafe_old, shown_old\n")
    assert [(each["code"], each["severity"], each["source"]) for each in found] == [
        ("TST101", 1, "neuronlint"),
        ("TST102", 2, "neuronlint"),
        ("TST201", 3, "neuronlint"),
    ]
    assert found[0]["message"] == "`safe_old` is old; write `safe_new`"
    assert found[0]["range"] == place(0, 0, 8)
    assert "codeDescription" not in found[0]  # of another pack


def test_a_built_in_rule_has_an_address_and_what_is_unnecessary_a_tag(start: Start) -> None:
    found = start("--isolated").open("a.py", "import torch\nimport torch.cuda.amp\n")
    assert codes(found) == ["NL404"]
    assert found[0]["codeDescription"]["href"].endswith("rules/precision/cuda_amp_import.md")
    assert found[0]["tags"] == [1]


def test_text_is_checked_while_it_is_typed_and_no_file_is_read(start: Start) -> None:
    editor = start()
    write("a.py", "safe_old\n")
    assert codes(editor.open("a.py", "x\n")) == []
    editor.type("a.py", "unsafe_old\n")
    assert codes(editor.found("a.py")) == ["TST102"]


def test_whoever_types_on_is_not_disturbed(start: Start) -> None:
    editor = start()
    editor.open("a.py", "x\n")
    for length in range(1, 9):
        editor.type("a.py", "safe_old"[:length] + "\n")
    said = [editor.hear("textDocument/publishDiagnostics")]
    while said[-1]["version"] != editor.versions["a.py"]:
        said.append(editor.hear("textDocument/publishDiagnostics"))
    assert codes(said[-1]["diagnostics"]) == ["TST101"]
    assert len(said) < 4  # one, unless the machine is slow


def test_a_closed_text_has_no_findings(start: Start) -> None:
    editor = start()
    editor.open("a.py", "safe_old\n")
    assert editor.close("a.py") == []


def test_a_text_without_a_file_is_checked(start: Start) -> None:
    assert codes(start().open("untitled:Untitled-1", "safe_old\n")) == ["TST101"]


@pytest.mark.parametrize(
    ("encoding", "column"), [(None, 7), ("utf-16", 7), ("utf-32", 6), ("utf-8", 9)]
)
def test_columns_are_counted_as_the_editor_does(
    start: Start, encoding: str | None, column: int
) -> None:
    able = {"general": {"positionEncodings": [encoding]}} if encoding else {}
    found = start(able=able).open("a.py", '"\U0001f525"; safe_old; "\U0001f525"\n')
    assert found[0]["range"] == place(0, column - 1, column + 7)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_fix_keeps_the_ends_of_lines(start: Start, end: str) -> None:
    editor = start()
    text = f'"\U0001f525"; x{end}"\x0c\u2028\U0001f525"; safe_old{end}y'
    assert codes(editor.open("a.py", text)) == ["TST101"]
    assert editor.do(editor.actions("a.py", 1, 9)[0]) == text.replace("old", "new")


@pytest.mark.parametrize("first", ["\ufeff", "# coding: latin-1\né; ", "# coding: utf-8\né; "])
def test_a_fix_is_right_whatever_the_encoding_of_the_file(start: Start, first: str) -> None:
    editor = start()
    text = f"{first}safe_old\n"
    (found,) = editor.open("a.py", text)
    at = found["range"]["start"]
    fixed = editor.do(editor.actions("a.py", at["line"], at["character"])[0])
    assert fixed == text.replace("old", "new")


def test_what_the_encoding_cannot_hold_is_found_but_not_fixed(start: Start) -> None:
    editor = start()
    (found,) = editor.open("a.py", '# coding: latin-1\n"\U0001f525"; safe_old\n')
    assert found["range"] == place(1, 6, 14)
    assert editor.actions("a.py", 1, 6, ["source.fixAll"]) == []


def test_each_fix_is_offered_with_how_far_to_trust_it(start: Start) -> None:
    editor = start()
    editor.open("a.py", "safe_old\nunsafe_old\nshown_old\n")
    safe, unsafe, shown = (editor.actions("a.py", line, 2, ["quickfix"]) for line in range(3))
    assert titles(safe) == [
        "Replace `safe_old` by `safe_new` (TST101)",
        "Suppress TST101 (safe-old) with # noqa: TST101",
    ]
    assert safe[0]["isPreferred"]
    assert codes(safe[0]["diagnostics"]) == ["TST101"]
    assert titles(unsafe)[0] == (
        "Replace `unsafe_old` by `unsafe_new` (TST102; unsafe: may change something)"
    )
    assert not unsafe[0]["isPreferred"]
    assert titles(shown) == ["Suppress TST201 (shown-old) with # noqa: TST201"]


@pytest.mark.parametrize("able", [{}, MODERN], ids=["plain", "modern"])
def test_a_chosen_fix_is_made(start: Start, able: dict[str, Any]) -> None:
    editor = start(able=able)
    editor.open("a.py", "safe_old\nunsafe_old\n")
    assert editor.do(editor.actions("a.py", 1, 0)[0]) == "safe_old\nunsafe_new\n"
    assert codes(editor.found("a.py")) == ["TST101"]


def test_a_fix_brings_what_it_needs(start: Start) -> None:
    editor = start("--isolated")
    editor.open("a.py", "import torch\n\nx = torch.zeros(2).cuda()\n")
    fix, *_ = editor.actions("a.py", 2, 20)
    assert fix["title"] == "Replace `cuda()` by `to(DEVICE)` (NL101)"
    fixed = editor.do(fix)
    assert "DEVICE = torch.accelerator" in fixed
    assert fixed.endswith("x = torch.zeros(2).to(DEVICE)\n")
    assert codes(editor.found("a.py")) == []


@pytest.mark.parametrize("able", [{}, MODERN], ids=["plain", "modern"])
@pytest.mark.parametrize("only", [None, ["source.fixAll"], ["source.fixAll.neuronlint"]])
def test_fixing_all_does_what_the_command_line_does(
    start: Start, run: Run, able: dict[str, Any], only: list[str] | None
) -> None:
    shutil.copy(ROOT / "examples/train.py", "train.py")
    text = Path("train.py").read_text(encoding="utf-8")
    editor = start("--isolated", able=able)
    editor.open("train.py", text)
    run("--fix", "--isolated", "train.py")
    every = [each for each in editor.actions("train.py", 0, 0, only) if "fixAll" in each["kind"]]
    assert titles(every) == ["neuronlint: fix all that is safe to fix"]
    assert editor.do(every[0]) == Path("train.py").read_text(encoding="utf-8") != text


def test_fixing_all_leaves_alone_what_is_not_safe(start: Start) -> None:
    editor = start()
    editor.open("a.py", "unsafe_old\n")
    assert editor.actions("a.py", only=["source.fixAll"]) == []


def test_fixing_all_does_more_where_the_project_says_so(start: Start) -> None:
    write("neuronlint.toml", 'select = ["TST"]\nunsafe-fixes = true\n')
    editor = start()
    editor.open("a.py", "unsafe_old\n")
    (every,) = editor.actions("a.py", only=["source.fixAll"])
    assert every["title"] == "neuronlint: fix all that can be fixed"
    assert editor.do(every) == "unsafe_new\n"


def test_nothing_is_offered_that_was_not_asked_for(start: Start) -> None:
    editor = start()
    editor.open("a.py", "safe_old\n")
    kinds = {each["kind"] for each in editor.actions("a.py", only=["quickfix"])}
    assert kinds == {"quickfix"}
    assert editor.actions("a.py", only=["source.organizeImports", "refactor"]) == []
    assert {"quickfix", "source.fixAll.neuronlint"} == set(
        editor.able["codeActionProvider"]["codeActionKinds"]
    )


@pytest.mark.parametrize("able", [{}, MODERN], ids=["plain", "modern"])
def test_a_finding_can_be_suppressed(start: Start, able: dict[str, Any]) -> None:
    editor = start(able=able)
    editor.open("a.py", "x\nunsafe_old  # noqa: E501 long\ny\n")
    action = editor.actions("a.py", 1, 0)[1]
    assert editor.do(action) == "x\nunsafe_old  # noqa: E501, TST102 long\ny\n"
    assert editor.found("a.py") == []


def test_the_page_of_a_rule_is_shown_over_its_finding(start: Start) -> None:
    editor = start(able=MODERN)
    editor.open("a.py", "x; safe_old\n")
    shown = editor.hover("a.py", 0, 5)
    assert shown["contents"]["kind"] == "markdown"
    assert shown["contents"]["value"].startswith("# The page\n")
    assert shown["range"] == place(0, 3, 11)
    assert editor.hover("a.py", 0, 1) is None


def test_the_page_of_a_rule_is_shown_over_its_code_in_a_comment(start: Start) -> None:
    editor = start()
    editor.open("a.py", "TST101 = safe_old  # noqa: TST101\n")
    assert editor.hover("a.py", 0, 28)["range"] == place(0, 27, 33)
    assert editor.hover("a.py", 0, 2) is None


def test_the_nearest_configuration_holds(start: Start) -> None:
    write("src/neuronlint.toml", 'select = ["TST102"]\n')
    assert codes(start().open("src/a.py", "safe_old, unsafe_old\n")) == ["TST102"]


def test_the_options_of_the_server_go_before_configurations(start: Start) -> None:
    editor = start("--stdio", "--config", "select = ['TST2']")
    assert codes(editor.open("a.py", "safe_old, shown_old\n")) == ["TST201"]


def test_a_changed_configuration_holds_once_the_server_is_told(alone: Editor) -> None:
    assert alone.hear("client/registerCapability")["registrations"][0]["method"] == (
        "workspace/didChangeWatchedFiles"
    )
    assert codes(alone.open("a.py", "safe_old, unsafe_old\n")) == ["TST101", "TST102"]
    file = write("neuronlint.toml", 'select = ["TST102"]\n')
    changes = [{"uri": file.absolute().as_uri(), "type": 2}]
    alone.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert codes(alone.found("a.py")) == ["TST102"]
    write("neuronlint.toml", 'select = ["TST101"]\n')
    assert codes(alone.save("a.py")) == ["TST101"]


@pytest.mark.parametrize(
    "name", ["build/a.py", "old/a.py", "env/lib/python3/site-packages/torch/a.py", "a.ipynb"]
)
def test_what_the_project_leaves_out_has_no_findings(start: Start, name: str) -> None:
    write("neuronlint.toml", 'select = ["TST"]\nextend-exclude = ["old/"]\n')
    editor = start()
    assert editor.open(name, "safe_old\n") == []
    assert editor.actions(name) == []


def test_text_that_is_no_python_yet_says_so(start: Start) -> None:
    editor = start()
    assert codes(editor.open("a.py", "safe_old (\n")) == ["NL001"]
    assert editor.actions("a.py", 0, 0) == []
    editor.type("a.py", "safe_old ()\n")
    assert codes(editor.found("a.py")) == ["TST101"]


def test_a_rule_that_fails_is_a_finding_and_the_server_goes_on(start: Start) -> None:
    editor = start()
    assert set(codes(editor.open("a.py", "crash_old\n"))) == {"NL003"}
    editor.type("a.py", "safe_old\n")
    assert codes(editor.found("a.py")) == ["TST101"]


def test_a_wrong_configuration_is_told_once_and_the_server_goes_on(start: Start) -> None:
    write("neuronlint.toml", 'selct = ["TST"]\n')
    editor = start()
    assert editor.open("a.py", "safe_old\n") == []
    assert "unknown key 'selct'" in editor.hear("window/showMessage")["message"]
    editor.type("a.py", "safe_old \n")
    assert editor.found("a.py") == []
    assert editor.is_silent(0.3)
    write("neuronlint.toml", 'select = ["TST"]\n')
    assert codes(editor.save("a.py")) == ["TST101"]


def test_a_request_that_makes_no_sense_ends_nothing(start: Start) -> None:
    editor = start()
    with pytest.raises(AssertionError):
        editor.request("codeAction/resolve", {"title": "?", "data": {"uri": 3}})
    editor.notify("textDocument/didChange", {"textDocument": {}, "contentChanges": []})
    assert codes(editor.open("a.py", "safe_old\n")) == ["TST101"]


def test_the_server_ends_as_the_editor_asks(alone: Editor) -> None:
    assert alone.leave() == 0


def test_the_server_ends_when_the_editor_is_gone(alone: Editor) -> None:
    assert alone.process.stdin is not None
    alone.process.stdin.close()
    assert alone.process.wait(30) == 1


def test_wrong_options_are_told_before_the_editor_waits(run: Run) -> None:
    ran = run("server", "--config", "nowhere.toml")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("neuronlint: --config: there is no file 'nowhere.toml'")


def test_without_pygls_one_line_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['pygls'] = None\nfrom neuronlint.cli import main; main(['server'])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    needed = "neuronlint: the language server needs pygls 2: pip install 'neuronlint[server]'\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", needed)


def test_no_other_command_loads_the_server(tmp_path: Path) -> None:
    code = (
        "import sys; from neuronlint import cli\n"
        "try: cli.main(['--isolated', 'a.py'])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if 'server' in name or 'asyncio' in name\n"
        "       or name.partition('.')[0] in ('pygls', 'lsprotocol', 'attr', 'flake8')])"
    )
    (tmp_path / "a.py").write_text("import torch\nx = torch.zeros(2).cuda()\n")
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert ran.stdout.splitlines()[-1] == "[]"
