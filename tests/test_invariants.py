"""Laws that hold of every source: of modules made at random, and of real code of ours."""

import json
import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import generated
import invariants
import pytest
from checkout import ROOT
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from project import Run

from neuronlint import batch, cut

# Read as the module is: the fixtures of command line tests clear such variables.
EXAMPLES = int(os.environ.get("NEURONLINT_FUZZ_EXAMPLES", "0"))
PARTS = ("tests/programs", "tests/fake_neuron", "rules", "neuronlint")
REAL = [path for part in PARTS for path in sorted((ROOT / part).rglob("*.py"))]
FIXED = [path for path in REAL if path.is_relative_to(ROOT / "tests/programs")]


@settings(
    max_examples=EXAMPLES or 40,
    derandomize=not EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate],  # a smaller seed makes no smaller module
    suppress_health_check=list(HealthCheck),
)
@given(st.integers(0, 2**32 - 1))
def test_laws_hold_of_generated_code(seed: int) -> None:
    source = generated.module(Random(seed))
    invariants.compiled(source)
    invariants.holds(source)


@pytest.mark.parametrize("path", FIXED, ids=lambda path: path.stem)
def test_laws_hold_of_programs(path: Path) -> None:
    invariants.holds(path.read_bytes())


@pytest.mark.parametrize("part", PARTS[1:])
def test_laws_hold_of_our_own_code(part: str) -> None:
    for path in (path for path in REAL if path.is_relative_to(ROOT / part)):
        source = path.read_bytes()
        invariants.nothing_fails(source)
        invariants.a_finding_is_at_a_place_that_is_there(source)
        if invariants.found(source):
            invariants.holds(source)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of generated and real files, small ones cut and few ones spread all the same."""
    monkeypatch.setattr(cut, "_SMALL", 0)
    monkeypatch.setattr(batch, "_WORTH_SPREADING", 0)
    into = tmp_path / "code"
    into.mkdir()
    for seed in range(12):
        (into / f"made_{seed}.py").write_bytes(generated.module(Random(seed)))
    for path in FIXED[::6]:
        shutil.copy(path, into)
    return into


def rows(run: Run, *args: str) -> list[dict[str, Any]]:
    """The findings of a run, their files by name."""
    ran = run("check", "--isolated", "--output-format", "json-lines", *args)
    assert ran.status == 1, ran.err
    found = [json.loads(line) for line in ran.out.splitlines()]
    return [{**row, "filename": Path(row["filename"]).name} for row in found]


def test_findings_do_not_depend_on_processes_cache_or_spelling(run: Run, folder: Path) -> None:
    kept = folder.parent / ".kept"
    first = rows(run, "-j1", "--no-cache", "code")
    assert first
    assert rows(run, "-j2", "--no-cache", "./code/") == first
    assert rows(run, "-j1", "--cache-dir", str(kept), str(folder)) == first
    assert rows(run, "-j2", "--cache-dir", str(kept), "code/../code") == first


@pytest.mark.parametrize(
    "source",
    [
        b"try:\n    import torch\nexcept ImportError :\n    raise\nx.cuda()\n",
        b"from torch import *\ntorch.cuda.empty_cache()\n",
        b"import torch\ndef f(): device = 'cuda'; x.to(device); x.cuda()\n",
        b"import torch\rx.cuda()\ry.cuda()\r",
        b"# coding: latin-1\rimport torch\rx = '\xe9'; x.cuda()\r",
        b"#!/usr/bin/python\r# coding: latin-1\rimport torch\rx.cuda()  # \xe9\r",
        b"import torch\r\nx = torch \\\r\n  .device('cuda:' + # a\r\n  str(rank))\r\n",
        b"from torch.utils.data import DataLoader\nDataLoader(x, pin_memory=y # a, b\n"
        b", pin_memory_device='cuda')\n",
    ],
    ids=[
        "colon",
        "star",
        "suite",
        "carriage-return",
        "coded",
        "coded-second",
        "copied-line-end",
        "comment",
    ],
)
def test_laws_hold_of_what_broke_them(source: bytes) -> None:
    invariants.holds(source)
