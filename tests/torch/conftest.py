"""Running programs on plain CPU torch and on the simulated `neuron` device."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

Run = Callable[[Path], "subprocess.CompletedProcess[str]"]

TIMEOUT = 120
_QUIET = {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}


def _missing() -> list[str]:
    """What these tests need and this environment lacks."""
    # A folder named torch on the path would satisfy `import torch`.
    missing = []
    for name in ("torch", "numpy", "fake-neuron"):
        try:
            distribution(name)
        except PackageNotFoundError:
            missing.append(name)
    return missing


@pytest.fixture(scope="session", autouse=True)
def _environment() -> None:
    """Skip without torch and the simulated device, or fail with NEURONLINT_REQUIRE_TORCH=1."""
    if missing := _missing():
        reason = f"not installed: {', '.join(missing)}"
        if os.environ.get("NEURONLINT_REQUIRE_TORCH") == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def on_cpu(_environment: None) -> Iterator[Run]:
    """Runs a program where torch has the CPU only."""
    yield from _runs(FAKE_NEURON="0")


@pytest.fixture(scope="session")
def on_neuron(_environment: None) -> Iterator[Run]:
    """Runs a program where torch has two simulated neuron devices."""
    yield from _runs(FAKE_NEURON="1", FAKE_NEURON_DEVICE_COUNT="2")


def _runs(**variables: str) -> Iterator[Run]:
    """What runs programs in one warm process; a fresh one for each would import torch 100 times."""
    warm = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("warm.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **_QUIET, **variables},
    )
    assert warm.stdin
    assert warm.stdout

    def run(program: Path) -> subprocess.CompletedProcess[str]:
        assert warm.stdin
        assert warm.stdout
        request = {"program": str(program), "cwd": str(program.parent), "timeout": TIMEOUT}
        print(json.dumps(request), file=warm.stdin, flush=True)
        answer = json.loads(warm.stdout.readline())
        return subprocess.CompletedProcess(str(program), answer["status"], answer["output"])

    yield run
    warm.stdin.close()
    warm.wait(timeout=TIMEOUT)
