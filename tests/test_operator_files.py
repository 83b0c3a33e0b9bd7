"""Calls of operators that a file says a device has no kernel for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from project import Run

LIST: dict[str, Any] = {
    "format": 1,
    "device": "neuron",
    "torch": "2.13.0",
    "kernel": ["aten::relu"],
    "composite": ["aten::einsum"],
    "missing": ["aten::cumsum", "aten::linalg_eig"],
    "calls": {
        "torch.relu": "aten::relu",
        "torch.cumsum": "aten::cumsum",
        "torch.Tensor.cumsum": "aten::cumsum",
        "torch.linalg.eig": "aten::linalg_eig",
    },
}
SOURCE = """\
import torch
from torch import linalg, nn

def f(x: torch.Tensor, y, net: nn.Module):
    z = torch.zeros(3)
    torch.relu(x)
    x.cumsum(0)
    z.cumsum(0)
    y.cumsum(0)
    net.cumsum(0)
    return linalg.eig(x)

def g(x: torch.Tensor):
    x = unknown(x)
    return x.cumsum(0)

def h(frame):
    return frame.cumsum(0)
"""


@pytest.fixture
def check(run: Run) -> Run:
    """Checks without a cache, and prints a line a finding."""
    return partial(run, "--no-cache", "--output-format", "concise")


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "operators.json").write_text(json.dumps(LIST))
    (tmp_path / "neuronlint.toml").write_text('operators = "lists/operators.json"\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text(SOURCE)
    return tmp_path


def lines(text: str) -> list[tuple[int, str]]:
    found = (line.split(":")[1:4] for line in text.splitlines() if "NL610" in line)
    return [(int(row), rest.split()[0]) for row, _, rest in found]


def test_a_call_of_an_operator_without_a_kernel_is_found_where_it_is_certain(
    check: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "src")
    ran = check("a.py")  # the path counts from the configuration
    assert lines(ran.out) == [(7, "warning"), (8, "warning"), (11, "warning")]
    assert (
        "warning NL610 `x.cumsum` is `aten::cumsum`, which has no kernel on neuron and falls back "
        "to the CPU; keep it out of what runs often\n"
    ) in ran.out


def test_it_fails_where_the_target_has_no_fallback(check: Run, project: Path) -> None:
    (project / "lists/operators.json").write_text(json.dumps({**LIST, "device": "mps"}))
    ran = check("--target", "mps,neuron", "src")
    assert lines(ran.out) == [(7, "error"), (8, "error"), (11, "error")]
    assert "has no kernel on mps and fails there; use operators that it has (mps)" in ran.out


def test_a_list_for_another_device_and_no_list_find_nothing(check: Run, project: Path) -> None:
    assert lines(check("--target", "mps", "src").out) == []
    assert lines(check("--isolated", "src").out) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file or directory"),
        ("{", "not JSON: Expecting property name"),
        ("[]", "not a list of operators: `format` must be 1"),
        (json.dumps({**LIST, "format": 2}), "not a list of operators: `format` must be 1"),
        (json.dumps({**LIST, "device": 1}), "`device` must be a string"),
        (json.dumps({**LIST, "missing": "all"}), "`missing` must be a list of strings"),
        (json.dumps({**LIST, "calls": {"a": 1}}), "`calls` must be a table of strings"),
    ],
)
def test_a_list_that_cannot_be_read_is_told_in_one_line(
    text: str | None, said: str, check: Run, project: Path
) -> None:
    file = project / "lists/operators.json"
    file.unlink() if text is None else file.write_text(text)
    ran = check("src")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"neuronlint: {project / 'neuronlint.toml'}: operators: {file}: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_without_torch_the_command_says_so(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('no torch here')\n")
    ran = subprocess.run(
        [sys.executable, "-m", "neuronlint.operators", "--device", "cpu"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "neuronlint: torch cannot be imported here: no torch here\n"
