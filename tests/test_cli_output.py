"""How reports are shown: formats, colours, links, files, how much is said."""

import json
from pathlib import Path

import pytest
from checkout import ROOT
from project import Ran, Run, write

from neuronlint import toml
from neuronlint.page import HOME


def test_json_is_printed_alone(run: Run) -> None:
    write("a.py", "safe_old\n")
    ran = run("--output-format", "json")
    assert [row["code"] for row in json.loads(ran.out)] == ["TST101"]
    assert (ran.status, ran.err) == (1, "")


def test_the_format_may_come_from_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEURONLINT_OUTPUT_FORMAT", "github")
    write("a.py", "safe_old\n")
    assert run().out.startswith("::error title=neuronlint (TST101),file=")


def test_colours_are_for_terminals_or_by_order(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", "safe_old\n")
    assert "\x1b[" not in run().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run().out


def test_the_format_may_come_from_the_configuration(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("--config", "output-format='json'").out.startswith("[")
    assert run("--config", "output-format='json'", "--output-format", "text").out.startswith("a.py")


def test_a_report_is_written_to_a_file(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("-o", "out/report.json", "--output-format", "json") == Ran(1, "", "")
    assert json.loads(Path("out/report.json").read_text())[0]["code"] == "TST101"


def test_the_file_of_the_report_may_come_from_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.py", "safe_old\n")
    monkeypatch.setenv("NEURONLINT_OUTPUT_FILE", "report.txt")
    assert run() == Ran(1, "", "")
    assert Path("report.txt").read_text().startswith("a.py:1:1: error TST101")


def test_a_file_that_cannot_be_written_is_named(run: Run) -> None:
    write("a.py", "safe_old\n")
    ran = run("--output-file", "a.py/report.txt")
    assert (ran.status, ran.out, ran.err) == (2, "", "neuronlint: a.py/report.txt: File exists\n")


def test_colours_are_as_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", "safe_old\n")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" in run("--color", "always").out
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" not in run("--color", "never").out


def test_a_code_leads_to_its_page_by_order(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", "import torch\ntorch.zeros(2).cuda()\n")
    assert "\x1b]8;;" not in run("--select", "NL101").out
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    page = "https://github.com/neuronlint/neuronlint/blob/main/rules/device/cuda_call.md"
    linked = f"\x1b]8;;{page}\x1b\\NL101\x1b]8;;\x1b\\ "
    assert linked in run("--select", "NL101").out


def test_quiet_prints_findings_only(run: Run) -> None:
    write("a.py", "safe_old\n")
    ran = run("--quiet", "--output-format", "concise")
    assert ran == Ran(1, "a.py:1:1: error TST101 [*] `safe_old` is old; write `safe_new`\n", "")


def test_silent_prints_nothing(run: Run) -> None:
    write("a.py", "safe_old\n")
    assert run("--silent") == Ran(1, "", "")
    assert run("--silent", "--diff") == Ran(1, "", "")


def test_verbose_tells_what_was_read(run: Run, tmp_path: Path) -> None:
    write("a.py", "safe_old\n")
    first, last = run("--verbose").err.splitlines()
    assert first == f"neuronlint: settings from {tmp_path / 'neuronlint.toml'}"
    assert last.startswith("neuronlint: 1 file in ")


def test_statistics_count_the_findings_of_each_rule(run: Run) -> None:
    write("a.py", "safe_old\nunsafe_old\nunsafe_old\n")
    assert run("--statistics") == Ran(
        1,
        "2\tTST102\t[ ] unsafe-old\n1\tTST101\t[*] safe-old\n"
        "Found 3 findings (1 error, 2 warnings) in 1 of 1 file.\n"
        "[*] 1 fixable with --fix (2 more with --unsafe-fixes).\n",
        "",
    )


def test_statistics_are_had_as_json(run: Run) -> None:
    write("a.py", "safe_old\nsafe_old\n")
    ran = run("--statistics", "--output-format", "json")
    assert json.loads(ran.out) == [
        {
            "code": "TST101",
            "name": "safe-old",
            "severity": "error",
            "count": 2,
            "fixable": True,
            "fixable_count": 2,
        }
    ]


@pytest.mark.parametrize("name", ["json", "json-lines", "rdjson", "sarif"])
def test_formats_for_programs_tell_where_the_page_of_a_rule_is(run: Run, name: str) -> None:
    write("a.py", "import torch\nx = torch.zeros(2).cuda()\n")
    write("b.py", "def f(:\n    x.cuda()\n")
    out = run("--select", "NL1", "--output-format", name).out
    for page in ("rules/device/cuda_call.md", "neuronlint/pages/unparsed_file.md"):
        assert (ROOT / page).is_file()
        assert f'"{HOME}/blob/main/{page}"' in out


def test_the_address_of_pages_is_that_of_the_project() -> None:
    urls = toml.read(ROOT / "pyproject.toml")["project"]["urls"]
    assert urls["Source"] == HOME
