"""What --profile tells, and what --no-cut changes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from neuronlint import clock

ROOT = Path(__file__).parent.parent
SOURCE = "import torch\n\n\ndef f(x):\n    return x.cuda()\n" + "\n\ndef g():\n    return 1\n" * 200


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "neuronlint", "check", "--isolated", "--exit-zero", *args, "."]
    cache = ("--cache-dir", str(folder.parent / "cache"))
    return subprocess.run(
        [*command, *cache], cwd=folder, capture_output=True, text=True, check=True
    )


def figures(text: str) -> dict[str, tuple[int, float]]:
    """Calls and seconds by phase and by rule."""
    rows = re.findall(r"^(\S.*?) +(\d+) +(\d+\.\d+)$", text, re.MULTILINE)
    return {name: (int(calls), float(seconds)) for name, calls, seconds in rows}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(SOURCE)
    (folder / "b.py").write_text("x = 1\n")
    return folder


def test_every_phase_and_rule_is_told_on_the_other_stream(project: Path) -> None:
    plain, ran = run(project), run(project, "--profile", "--no-cache")
    assert ran.stdout == plain.stdout
    assert "NL101" in ran.stdout
    told = figures(ran.stderr)
    assert {*clock.PHASES, "start and the rest", "all", "NL101"} <= {*told}
    assert told["read and gate"][0] == 2
    assert told["parse"][0] == told["index"][0] == told["NL101"][0] == 1
    parts = [told[name][1] for name in (*clock.PHASES, "start and the rest")]
    assert sum(parts) == pytest.approx(told["all"][1], abs=0.01)
    assert all(seconds >= 0 for _, seconds in told.values())


def test_what_the_cache_knows_is_not_parsed(project: Path) -> None:
    assert figures(run(project, "--profile").stderr)["parse"][0] == 1
    assert figures(run(project, "--profile").stderr)["parse"][0] == 0


def test_a_profile_says_what_it_cannot_see(project: Path) -> None:
    assert "-j1 has none" in run(project, "--profile", "-j2").stderr
    assert "-j1 has none" not in run(project, "--profile").stderr


def test_standard_input_has_a_profile_too(project: Path) -> None:
    asked = ("check", "--isolated", "--exit-zero", "--profile", "--no-cache", "-")
    command = [sys.executable, "-m", "neuronlint", *asked]
    ran = subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=True)
    assert figures(ran.stderr)["parse"][0] == 1


def test_nothing_is_told_unasked(project: Path) -> None:
    assert run(project).stderr == ""


def test_without_the_cut_every_file_is_parsed_whole(project: Path) -> None:
    cut, whole = run(project), run(project, "--no-cut")
    assert whole.stdout == cut.stdout
    told = run(project, "--no-cut", "--profile").stderr
    assert "NL000" not in told
    assert figures(told)["parse"][0] == 0  # known since the run before
    assert figures(run(project, "--no-cut", "--profile", "--no-cache").stderr)["parse"][0] == 2


def test_the_cache_keeps_runs_with_and_without_the_cut_apart(project: Path) -> None:
    run(project)
    assert figures(run(project, "--no-cut", "--profile").stderr)["parse"][0] == 2


def test_the_cut_changes_no_finding_and_no_fix_in_our_own_code(tmp_path: Path) -> None:
    for source in sorted((ROOT / "tests/programs").rglob("*.py")):
        text = source.read_text(encoding="utf-8") + SOURCE.partition("\n")[2]
        (tmp_path / source.name).write_text(text, encoding="utf-8")
    asked = ("--select", "ALL", "--output-format", "json", "--no-cache", "--unsafe-fixes")
    cut, whole = run(tmp_path, *asked), run(tmp_path, *asked, "--no-cut")
    assert cut.stdout.count('"code"') > 200
    assert cut.stdout == whole.stdout


def test_the_statements_of_findings_are_what_positions_are_worked_out_for(project: Path) -> None:
    (project / "a.py").write_text(
        "import torch\n\nx = torch.zeros(1).cuda()\ny = x.cuda()\nz = 1\n"
    )
    told = figures(run(project, "--profile", "--no-cache", "--select", "NL101").stderr)
    assert told["positions"][0] >= 2
