"""What a question for CUDA decides about, and whether that can run without CUDA."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Module, below, dotted, read_table

_TABLES = ("accelerator.toml", "other.toml", "none.toml")
_RUNTIME = __name__.replace(".device.", ".runtime.")
_LIBRARIES = frozenset(
    {"apex", "bitsandbytes", "cupy", "flash_attn", "numba", "pycuda", "pynvml", "tensorrt"}
    | {"torch_tensorrt", "transformer_engine", "triton", "xformers", "flashinfer", "nvidia", "cuda"}
)


def needs_cuda(question: cst.CSTNode, module: Module) -> bool:
    """Whether code that runs on the answer uses what no other accelerator has."""
    return any(
        _is_cuda_only(node, module)
        for region in _decided(question, module)
        for node in below(region)
    )


def _decided(question: cst.CSTNode, module: Module) -> Iterator[cst.CSTNode]:
    """The statements and expressions that run on the answer, as far as the file tells."""
    node, parent = question, module.parent(question)
    while isinstance(
        parent, (cst.Call, cst.BooleanOperation, cst.UnaryOperation, cst.Comparison, cst.Arg)
    ):
        node, parent = parent, module.parent(parent)
    match parent:
        case cst.If(test=test) | cst.IfExp(test=test) if test is node:
            yield parent
        case cst.BooleanOperation():
            yield parent
        case cst.Assign(targets=[cst.AssignTarget(target=flag)]) | cst.AnnAssign(target=flag):
            yield from _decided_by_flag(flag, module)
        case cst.IfExp(body=cst.Name("True"), orelse=cst.Name("False")):
            yield from _decided(parent, module)
        case cst.Decorator():
            yield module.parent(parent)


def _decided_by_flag(flag: cst.BaseExpression, module: Module) -> Iterator[cst.CSTNode]:
    name = dotted(flag)
    choices: list[cst.If | cst.IfExp] = [*module.nodes(cst.If), *module.nodes(cst.IfExp)]
    for choice in choices:
        if any(dotted(node) == name for node in below(choice.test)):
            yield choice


def _is_cuda_only(node: cst.CSTNode, module: Module) -> bool:
    if isinstance(node, (cst.Import, cst.ImportFrom)):
        return _imports_library(node)
    if not isinstance(node, (cst.Attribute, cst.Name)):
        return False
    name = module.name(node) or ""
    if name.partition(".")[0] in _LIBRARIES or name == "torch.version.cuda":
        return True
    row = read_table(_RUNTIME, *_TABLES).get(name)
    return row is not None and not row.new and not row.harmless


def _imports_library(node: cst.Import | cst.ImportFrom) -> bool:
    if isinstance(node, cst.ImportFrom):
        names = [dotted(node.module) or ""] if node.module else []
    else:
        names = [dotted(alias.name) or "" for alias in node.names]
    return any(name.partition(".")[0] in _LIBRARIES for name in names)
