"""The list of operators that a device has a kernel for says what its torch does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[[Path], "subprocess.CompletedProcess[str]"]

CALLS = """
import torch
x = torch.randn(4, 4)
CALLS = {
    "torch.relu": lambda: torch.relu(x),
    "torch.einsum": lambda: torch.einsum("ij->ji", x),
    "torch.conv2d": lambda: torch.conv2d(x[None, None], x[None, None]),
    "torch.diag_embed": lambda: torch.diag_embed(x),
    "torch.select_scatter": lambda: torch.select_scatter(x, x[0], 0, 0),
    "torch.detach_copy": lambda: torch.detach_copy(x),
    "torch.sort": lambda: torch.sort(x),
    "torch.cumsum": lambda: torch.cumsum(x, 0),
    "torch.Tensor.add_": lambda: x.clone().add_(1),
    "torch.Tensor.new_empty_strided": lambda: x.new_empty_strided((2,), (1,)),
    "torch.nn.functional.gelu": lambda: torch.nn.functional.gelu(x),
    "torch.linalg.det": lambda: torch.linalg.det(x),
    "torch.cudnn_convolution": lambda: torch.cudnn_convolution(
        x[None, None], x[None, None], (0, 0), (1, 1), (1, 1), 1, False, False, False),
    "torch.batch_norm_stats": lambda: torch.batch_norm_stats(x, 1e-5),
    "torch.Tensor.record_stream": lambda: x.record_stream(torch.Stream()),
}
for name, call in CALLS.items():
    try:
        call()
    except NotImplementedError as error:
        assert "Could not run" in str(error), error
        print(name, "missing")
    else:
        print(name, "there")
"""


def written(device: str, file: Path, simulated: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "neuronlint.operators", "--device", device, "-o", str(file)],
        capture_output=True,
        text=True,
        env={**os.environ, "FAKE_NEURON": simulated},
        check=False,
    )


def read(device: str, folder: Path, simulated: str) -> dict[str, Any]:
    ran = written(device, folder / "operators.json", simulated)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    found: dict[str, Any] = json.loads((folder / "operators.json").read_text())
    return found


def kind(name: str, listed: dict[str, Any]) -> str:
    operator = listed["calls"].get(name)
    return next(
        (kind for kind in ("kernel", "composite", "missing") if operator in listed[kind]), ""
    )


def test_what_is_missing_on_a_cpu_cannot_be_run_there(on_cpu: Run, tmp_path: Path) -> None:
    listed = read("cpu", tmp_path, "0")
    assert listed["device"] == "cpu"
    program = tmp_path / "calls.py"
    program.write_text(CALLS)
    done = on_cpu(program)
    assert done.returncode == 0, done.stdout
    ran = dict(line.split() for line in done.stdout.splitlines())
    assert len(ran) == 15
    for name, there in ran.items():
        # One that torch has in Python is no single operator: nothing is said of it.
        known = kind(name, listed)
        assert known or name == "torch.einsum"
        assert not known or (known == "missing") == (there == "missing"), name


def test_the_kinds_are_those_of_the_dispatcher(tmp_path: Path) -> None:
    listed = read("cpu", tmp_path, "0")
    assert kind("torch.relu", listed) == "kernel"
    assert kind("torch.conv2d", listed) == "composite"
    assert kind("torch.Tensor.add_", listed) in ("kernel", "composite")
    every = [name for each in ("kernel", "composite", "missing") for name in listed[each]]
    assert len(every) == len(set(every)) > 1000
    assert set(listed["calls"].values()) <= set(every)


def test_operators_that_the_simulated_device_sends_to_the_cpu_are_missing(tmp_path: Path) -> None:
    listed = read("neuron", tmp_path, "1")
    assert listed["device"] == "neuron"
    assert {"aten::empty", "aten::empty_strided", "aten::resize_"} <= set(listed["kernel"])
    assert kind("torch.conv2d", listed) == "composite"
    assert kind("torch.cumsum", listed) == kind("torch.Tensor.relu", listed) == "missing"


@pytest.mark.parametrize(
    ("device", "said"),
    [
        ("neuron", "knows no device 'neuron' here; is its package installed?"),
        ("cuda", "has no kernels for 'cuda' here; is it a build for it?"),
    ],
)
def test_a_device_that_is_not_there_is_told_in_one_line(
    device: str, said: str, tmp_path: Path
) -> None:
    ran = written(device, tmp_path / "operators.json", "0")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("neuronlint: torch ")
    assert ran.stderr.endswith(f"{said}\n")
    assert not (tmp_path / "operators.json").exists()


def test_a_finding_comes_from_the_list_of_the_simulated_device(tmp_path: Path) -> None:
    read("neuron", tmp_path, "1")
    (tmp_path / "neuronlint.toml").write_text('operators = "operators.json"\nselect = ["NL610"]\n')
    source = "import torch\n\nx = torch.zeros(3)\nprint(x.cumsum(0), torch.conv2d(x, x))\n"
    (tmp_path / "a.py").write_text(source)
    ran = subprocess.run(
        [sys.executable, "-m", "neuronlint", "--no-cache", "--output-format", "concise", "a.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert ran.stdout.splitlines()[0] == (
        "a.py:4:7: warning NL610 `x.cumsum` is `aten::cumsum`, which has no kernel on neuron and "
        "falls back to the CPU; keep it out of what runs often"
    )
    assert ran.stdout.count("NL610") == 1
