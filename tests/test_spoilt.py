"""Bytes of every sort are dealt with."""

import os
from random import Random

import invariants
import pytest
import spoilt
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("NEURONLINT_FUZZ_EXAMPLES", "0"))


@settings(
    max_examples=EXAMPLES or 40,
    derandomize=not EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.integers(0, 2**32 - 1))
def test_spoilt_code_is_dealt_with(seed: int) -> None:
    invariants.is_dealt_with(spoilt.module(Random(seed)))


@settings(max_examples=EXAMPLES or 100, derandomize=not EXAMPLES, database=None, deadline=None)
@given(st.binary(max_size=60), st.sampled_from(spoilt.COOKIES))
def test_any_bytes_are_dealt_with(raw: bytes, cookie: bytes) -> None:
    invariants.is_dealt_with(b"# coding: " + cookie + b"\nimport torch; x.cuda(); " + raw)
    invariants.is_dealt_with(raw + b"\nimport torch; x.cuda()\n")


@pytest.mark.parametrize(
    "source",
    [
        b"import torch\nx.cuda('\0')\n",
        b"x = '\0'; y.to('cuda')\n",
        b"import torch\nx.to('\\N{cuda}')\n",
        b"import torch\nx.to('cuda\\x')\nx.cuda()\n",
        b"import torch\nx.to(b'\xc3\xa9', 'cuda')\n",
        b"import torch\nx.to(f'\\N{cuda}')\nx.to('\\ud800cuda'); x.cuda()\n",
    ],
)
def test_what_was_not_dealt_with(source: bytes) -> None:
    invariants.is_dealt_with(source)


def test_a_text_with_an_escape_that_is_none_is_no_python() -> None:
    (finding,) = invariants.found(b"import torch\nx.to('\\N{cuda}')\n")
    assert finding.code == "NL001"
    assert finding.message.startswith("the file is not valid Python: (unicode error)")
