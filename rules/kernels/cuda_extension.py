"""NL603: an extension that is compiled from CUDA sources."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity, below, keyword_of, last_name

from .facts import reference

rule = Rule(
    "NL603",
    "cuda-extension",
    "`{old}` {note}; {instead}",
    __name__,
    Severity.ERROR,
    guarded=None,
    triggers=("cpp_extension",),
)

_PACKAGE = "torch.utils.cpp_extension"
_HOMES = frozenset({f"{_PACKAGE}.CUDA_HOME", f"{_PACKAGE}.CUDNN_HOME"})
_CPP = "build it with `CppExtension` from C++ sources where CUDA is not"
_TORCH = "write the operator in torch, or its kernel for each device"


@rule.check
def cuda_extension(node: cst.Attribute | cst.Name, module: Module) -> Iterator[Match]:
    """CUDAExtension, called or handed on, and paths made from CUDA_HOME."""
    name = reference(node, module)
    if name == f"{_PACKAGE}.CUDAExtension" and not _behind_home(node, module):
        yield rule.match(
            node, old="CUDAExtension", note="raises without a CUDA toolkit", instead=_CPP
        )
    elif name in _HOMES and _makes_path(node, module) and not _behind_home(node, module):
        old = name.rpartition(".")[2]
        note, instead = "is None without a CUDA toolkit", f"ask `{old} is not None` first"
        yield rule.match(node, old=old, note=note, instead=instead)


@rule.check
def cuda_sources(node: cst.Call, module: Module) -> Iterator[Match]:
    """CUDA sources that are compiled when the program runs."""
    name = module.name(node.func)
    if name not in (f"{_PACKAGE}.load", f"{_PACKAGE}.load_inline") or _behind_home(node, module):
        return
    for arg in node.args:
        keyword = keyword_of(arg)
        if _is_cuda(keyword, arg.value) or (
            keyword in ("", "sources") and _names_cuda(arg, module)
        ):
            old = f"{last_name(node.func)}({keyword}{'=' if keyword else ''}...)"
            yield rule.match(node, old=old, note="compiles CUDA sources", instead=_TORCH)
            return


def _is_cuda(keyword: str, value: cst.BaseExpression) -> bool:
    """Whether an argument says by its keyword that sources are CUDA's."""
    match value:
        case cst.Name("None" | "False"):
            return False
        case cst.Name("True"):
            return keyword == "with_cuda"
        case _:
            return keyword == "cuda_sources"


def _names_cuda(arg: cst.Arg, module: Module) -> bool:
    """Whether a list of sources, or the name that holds it, has a file for the CUDA compiler."""
    value = module.names.value(arg.value) or arg.value
    texts = (node.value for node in below(value) if isinstance(node, cst.SimpleString))
    return any(text.strip("\"'").endswith(".cu") for text in texts)


def _makes_path(node: cst.CSTNode, module: Module) -> bool:
    """Whether a path is made from a name, which fails where it is None."""
    match module.parent(node):
        case cst.BinaryOperation():
            return True
        case cst.Arg() as arg if isinstance(call := module.parent(arg), cst.Call):
            return last_name(call.func) in ("join", "Path")
        case _:
            return False


def _behind_home(node: cst.CSTNode, module: Module) -> bool:
    """Whether a condition asks for the toolkit first, or its absence is handled."""
    while node is not module.tree.root:
        above = module.parent(node)
        match above:
            case cst.If(test=test) | cst.IfExp(test=test) if node is not test:
                if any(_is_home(one, module) for one in below(test)):
                    return True
            case cst.Try():
                return True
        node = above
    return False


def _is_home(node: cst.CSTNode, module: Module) -> bool:
    match node:
        case cst.Name() | cst.Attribute():
            return (module.name(node) or "").endswith((".CUDA_HOME", ".CUDNN_HOME"))
        case _:
            return False
