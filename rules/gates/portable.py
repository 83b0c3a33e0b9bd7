"""The fix of a gate: the same question for any accelerator."""

from __future__ import annotations

import re

import libcst as cst

from neuronlint import Applicability, Fix, Module, below

from ..device.decided import WORDS as DECIDED
from ..device.decided import needs_cuda
from .gate import PORTABLE

_LIBRARIES = frozenset(
    {"apex", "bitsandbytes", "cupy", "flash_attn", "numba", "pycuda", "pynvml", "tensorrt"}
    | {"transformer_engine", "triton", "xformers", "cuda"}
)
WORDS = (*DECIDED, "cpp_extension")  # what a file has in it that asks for CUDA itself
_PROBES = re.compile(
    r".*(?:capability|is_sm_|sm\d|rocm|hip|cuda_version|version_cuda).*", re.IGNORECASE
)
_ALSO = frozenset({*PORTABLE, "torch.cuda", "torch.cuda.is_bf16_supported", "torch.version"})


def asking_any(call: cst.Call, module: Module, trust: Applicability) -> tuple[str, Fix | None]:
    """How to ask for any accelerator, and the fix if nothing around asks for CUDA itself."""
    name = module.name(call.func) or ""
    new, imports = module.use(PORTABLE[name], call)
    if _imports_cuda(module) or _probes_cuda(call, module) or needs_cuda(call.func, module):
        return new, None
    since = module.since(PORTABLE[name])
    return new, Fix((module.replace(call.func, new), *imports), trust, since)


def _imports_cuda(module: Module) -> bool:
    """Whether the file imports, at its top, what has no use without CUDA."""
    bindings = module.tree.scopes[module.tree.root].bindings.values()
    imported = {b.imported or "" for found in bindings for b in found}
    roots = {name.partition(".")[0] for name in imported}
    return not roots.isdisjoint(_LIBRARIES) or "torch.utils.cpp_extension" in imported


def _probes_cuda(call: cst.Call, module: Module) -> bool:
    """Whether the condition that holds a question asks for more of CUDA than its presence."""
    whole: cst.CSTNode = call
    while isinstance(above := module.parent(whole), cst.BaseExpression) and not isinstance(
        above, cst.Call
    ):
        whole = above
    for node in below(whole):
        if isinstance(node, (cst.Attribute, cst.Name)):
            name = module.name(node) or ""
            if name.startswith(("torch.cuda", "torch.version")) and name not in _ALSO:
                return True
            if isinstance(node, cst.Name) and _PROBES.fullmatch(node.value):
                return True
    return False
