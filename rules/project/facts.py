"""What ties a project's files to CUDA, by name."""

from __future__ import annotations

import re

from neuronlint import Row, read_table

from ..kernels.facts import row_of

MESSAGE = "`{old}` {note}; {instead}"

# Builds for one backend say so: 2.1.0+cu118, cupy-cuda12x, pytorch:2.4.0-cuda12.1-cudnn9-runtime.
_CUDA = re.compile(r"(?<![a-z])(?:cu\d{2,3}|cuda\d*x?)(?![a-z])")
_OTHER = re.compile(r"(?<![a-z])(?:cpu|rocm|xpu|hpu|gaudi|npu|tpu|xla|neuronx?|intel|amd)(?![a-z])")
# Distributions whose name is not that of the package that is imported; those pages on PyPI say so.
_IMPORTED = {
    "autoawq": "awq",
    "flash-attention": "flash_attn",
    "flash-linear-attention": "fla",
    "flashinfer-python": "flashinfer",
    "nvidia-dali": "nvidia.dali",
    "nvidia-ml-py": "pynvml",
    "nvidia-ml-py3": "pynvml",
    "nvidia-modelopt": "modelopt",
    "transformerengine": "transformer_engine",
}
_SUFFIX = re.compile(r"-cu(?:da)?\d+x?$")


def is_for_cuda(name: str) -> bool:
    """Whether a name says that it is a build for CUDA."""
    return bool(_CUDA.search(name.lower()))


def is_for_other(name: str) -> bool:
    """Whether a name says that it is a build for something else."""
    return bool(_OTHER.search(name.lower()))


def row_of_package(name: str) -> Row | None:
    """What is known about a package that is installed."""
    bare = _SUFFIX.sub("", name)
    if row := read_table(__name__, "packages.toml").get(bare):
        return row
    libraries = __name__.replace("project.facts", "kernels.facts")
    return row_of(imported_name(name), read_table(libraries, "libraries.toml"))


def imported_name(name: str) -> str:
    """The name under which a package that is installed is imported."""
    bare = _SUFFIX.sub("", name)
    return _IMPORTED.get(bare, bare.replace("-", "_"))
