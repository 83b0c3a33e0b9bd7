"""NL905: a command that comes with NVIDIA's driver or toolkit."""

from __future__ import annotations

from collections.abc import Iterator

from neuronlint import Command, Document, Match, Rule, Severity

rule = Rule(
    "NL905",
    "nvidia-command",
    "`{program}` is there with NVIDIA's {package} only; ask `command -v {program}` first",
    __name__,
    Severity.ERROR,
    triggers=("nvidia-smi", "nvcc", "nsys", "ncu", "nvidia-cuda-mps-control", "compute-sanitizer"),
    project=True,
)

_PACKAGES = {
    "compute-sanitizer": "toolkit",
    "ncu": "profiler",
    "nsys": "profiler",
    "nvcc": "toolkit",
    "nvidia-cuda-mps-control": "driver",
    "nvidia-smi": "driver",
}


@rule.check
def nvidia_command(node: Command, document: Document) -> Iterator[Match]:
    """A command that is run without asking whether it is there."""
    if (package := _PACKAGES.get(node.program)) is not None:
        yield rule.match(node, program=node.program, package=package)
