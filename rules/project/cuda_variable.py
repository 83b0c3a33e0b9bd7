"""NL906: an environment variable that only CUDA's own libraries read."""

from __future__ import annotations

from collections.abc import Iterator

from neuronlint import Document, Match, Rule, Severity, Variable

from ..distributed.variables import row_of_variable

rule = Rule(
    "NL906",
    "cuda-variable",
    "`{name}` is read by CUDA's own libraries only; {instead}",
    __name__,
    Severity.INFO,
    triggers=("CUDA_", "NCCL_", "CUBLAS_", "CUDNN_", "NVIDIA_"),
    project=True,
)


@rule.check
def cuda_variable(node: Variable, document: Document) -> Iterator[Match]:
    """A variable that is set for a program, a container or a job."""
    if (row := row_of_variable(node.name, node.value)) is not None:
        yield rule.match(node, symbol=node.name, name=node.name, instead=row.instead)
