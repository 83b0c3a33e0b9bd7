"""Figures from inside the engine, as JSON: an editor's latency, and what the rules cost.

The text is 1,600 lines of CUDA-bound code, of which one line changes every time.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from neuronlint import Rule, engine, registry
from neuronlint.module import Module
from neuronlint.parsing import parse
from neuronlint.source import Source

ROUNDS = 50
PATH = Path("train.py")
RULES = [r for r in registry.installed() if not (r.project or r.optional or r.needs)]
_STEP = """\
    def step_{n}(self, batch, scale={n}):
        if torch.cuda.is_available():
            batch = batch.cuda(non_blocking=True)
        with torch.cuda.amp.autocast():
            out = self.model(batch) * scale
        torch.cuda.synchronize()
        total = 0
        for name, value in self.meters.items():
            total += value.avg
            self.log(name, value.avg, scale)
        mask = torch.zeros(4, device="cuda")
        return out, mask, total

    def plain_{n}(self, values):
        found = [value for value in values if value > {n}]
        return sorted(found, key=lambda value: -value)

"""
_HEAD = """\
import torch


class Trainer:
    def __init__(self, model):
        self.model = model

"""


def text(changed: int = 0) -> bytes:
    """A CUDA-bound file."""
    steps = "".join(_STEP.format(n=n) for n in range(94))
    return f"{_HEAD}{steps}    last = {changed}\n".encode()


def latency() -> float:
    """The median of the seconds until the findings of a changed text are there."""
    engine.check(text(), PATH, RULES)
    taken = []
    for number in range(ROUNDS):
        source = text(number + 1)
        started = time.process_time()
        assert len(engine.check(source, PATH, RULES)) > 300
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def cost(rules: Sequence[Rule], rounds: int = 1) -> float:
    """The median of the seconds for all but reading, with these rules, on the same tree."""
    taken = []
    for _ in range(rounds):
        source = Source.read(text())
        gc.collect()
        started = time.process_time()
        parsed = parse(source, RULES)
        assert parsed is not None
        module = Module(source, PATH, parsed=parsed)
        for rule in rules:
            list(engine._findings(rule, module))
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def main() -> None:
    """Print the figures."""
    alone = {rule.code: cost([rule]) for rule in RULES}
    cheap = sorted(RULES, key=lambda rule: alone[rule.code])[:3]
    every, three = cost(RULES, 5), cost(cheap, 5)
    codes = [rule.code for rule in cheap]
    lines = text().count(b"\n")
    figures = {"lines": lines, "latency": latency(), "all": every, "cheap": three, "codes": codes}
    print(json.dumps(figures))


main()
