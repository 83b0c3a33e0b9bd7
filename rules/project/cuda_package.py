"""NL901: a package for CUDA among what every machine has to install."""

from __future__ import annotations

from collections.abc import Iterator

from neuronlint import Document, Match, Requirement, Rule

from .facts import MESSAGE, imported_name, is_for_cuda, row_of_package

rule = Rule(
    "NL901",
    "cuda-package",
    MESSAGE,
    __name__,
    triggers=(
        *("+cu", "apex", "autoawq", "auto-gptq", "auto_gptq", "bitsandbytes", "causal-conv1d"),
        *("causal_conv1d", "cuda", "cudf", "cudnn", "cugraph", "cuml", "cupy", "cutlass", "cuvs"),
        *("-cu1", "deep-ep", "deep-gemm", "deep_ep", "deep_gemm", "diff-gaussian", "exllamav2"),
        *("faiss-gpu", "flash-attention", "flash-attn", "flash_attn", "flash-linear-attention"),
        *("flash-mla", "flashinfer", "gpustat", "gptqmodel", "gsplat", "liger-kernel"),
        *("liger_kernel", "mamba-ssm", "mamba_ssm", "nvdiffrast", "nvidia", "nvtx"),
        *("onnxruntime-gpu", "py3nvml", "pylibraft", "pynvml", "rmm-cu", "sageattention"),
        *("simple-knn", "tensorrt", "tilelang", "tinycudann", "torch2trt", "transformer-engine"),
        *("transformer_engine", "TransformerEngine", "unsloth", "xformers"),
    ),
    project=True,
)

_BUILD = "leave the build out, `torch` without it is one for each machine"
_PACKAGE = "take it out of what every machine installs"


@rule.check
def cuda_package(node: Requirement, document: Document) -> Iterator[Match]:
    """A package that is made for CUDA, or a build that is."""
    if is_for_cuda(node.build):
        old = f"{node.name} +{node.build}"
        yield rule.match(node, old=old, note="is a build for CUDA", instead=_BUILD)
    elif (row := row_of_package(node.name)) is not None:
        symbol = imported_name(node.name)
        yield rule.match(node, symbol=symbol, old=node.name, note=row.note, instead=row.instead)
    elif is_for_cuda(node.name):
        yield rule.match(node, old=node.name, note="is made for CUDA", instead=_PACKAGE)
