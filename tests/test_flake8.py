"""neuronlint as a plugin, in a real flake8."""

import subprocess
import sys
from pathlib import Path

import pytest
from project import Run, write

pytest.importorskip("flake8")


@pytest.fixture(autouse=True)
def in_project(run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes flake8 run in an empty project that asks for the rules of the sample pack."""
    monkeypatch.setenv("PYTHONPATH", str(pack))


def flaked(*args: str, stdin: str = "") -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "flake8", "--isolated", "--select", "NL,TST", *args],
        capture_output=True,
        input=stdin.encode(),
        check=False,
    )
    assert ran.stderr == b""
    return ran.stdout.decode().splitlines()


FOUND = ["a.py:2:4: TST101 `safe_old` is old; write `safe_new`"]


@pytest.mark.parametrize("first", ["", "\ufeff", "# coding: latin-1"])
def test_flake8_reports_our_findings(first: str) -> None:
    encoding = "latin-1" if "latin" in first else "utf-8"
    Path("a.py").write_bytes(f"{first}\né, safe_old\n".encode(encoding))
    assert flaked("a.py") == FOUND


def test_built_in_rules_are_on_by_default() -> None:
    write("neuronlint.toml", "")
    write("a.py", "import torch\n\nx = torch.zeros(2).cuda()\n")
    ran = subprocess.run(
        [sys.executable, "-m", "flake8", "--isolated", "a.py"], capture_output=True, check=False
    )
    assert ran.stdout.startswith(b"a.py:3:20: NL101 `.cuda()` moves to CUDA only")


def test_flake8_suppresses() -> None:
    write("a.py", "safe_old  # noqa: TST101\nsafe_old  # noqa\nsafe_old  # noqa: E501\n")
    assert [line.split()[0] for line in flaked("a.py")] == ["a.py:3:1:"]
    found = [line.split()[0] for line in flaked("--disable-noqa", "a.py")]
    assert found == ["a.py:1:1:", "a.py:2:1:", "a.py:3:1:"]


def test_our_own_comments_suppress() -> None:
    write("a.py", "safe_old  # neuronlint: ignore[TST101]\n")
    assert flaked("a.py") == flaked("--disable-noqa", "a.py") == []


def test_the_configuration_of_the_project_holds() -> None:
    write("neuronlint.toml", 'select = ["TST102"]\nextend-exclude = ["old/"]\n')
    write("a.py", "safe_old, unsafe_old\n")
    write("old/a.py", "unsafe_old\n")
    assert [line.split()[1] for line in flaked(".")] == ["TST102"]


def test_standard_input_is_checked() -> None:
    found = flaked("--stdin-display-name", "a.py", "-", stdin="\nx, safe_old\n")
    assert found == FOUND


def test_a_wrong_configuration_is_named() -> None:
    write("neuronlint.toml", "selct = []\n")
    write("a.py", "safe_old\n")
    ran = subprocess.run(
        [sys.executable, "-m", "flake8", "--isolated", "a.py"], capture_output=True, check=False
    )
    assert ran.returncode == 1
    assert b"unknown key 'selct'" in ran.stderr
