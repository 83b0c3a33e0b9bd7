"""What a question for CUDA decides about, and whether that can run without CUDA."""

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import Module, Role, below, dotted, last_name, read_table

_TABLES = ("accelerator.toml", "other.toml", "none.toml")
_RUNTIME = __name__.replace(".device.", ".runtime.")
_LIBRARIES = frozenset(
    {"apex", "bitsandbytes", "cupy", "flash_attn", "numba", "pycuda", "pynvml", "tensorrt"}
    | {"torch_tensorrt", "transformer_engine", "triton", "xformers", "flashinfer", "nvidia", "cuda"}
)


_HELPER = re.compile(r"(?:\w*_)?cuda(?:_\w*)?")
_RAW = frozenset({"cuda_stream", "_as_parameter_"})
WORDS = (*sorted(_LIBRARIES), *sorted(_RAW))  # what the code has in it that needs CUDA
_CLASSES = frozenset({"torch.cuda.amp.autocast", "torch.cuda.amp.GradScaler"})
_ELSEWHERE = ("torch.cuda.is_available", "torch.cuda.amp")


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
        case cst.Index():
            yield module.parent(module.parent(parent))


def _decided_by_flag(flag: cst.BaseExpression, module: Module) -> Iterator[cst.CSTNode]:
    name = dotted(flag)
    choices: list[cst.If | cst.IfExp] = [*module.nodes(cst.If), *module.nodes(cst.IfExp)]
    for choice in choices:
        if any(dotted(node) == name for node in below(choice.test)):
            yield choice


def _is_cuda_only(node: cst.CSTNode, module: Module) -> bool:
    match node:
        case cst.Import() | cst.ImportFrom():
            return _imports_library(node)
        case cst.Attribute() | cst.Name():
            return _is_named_so(node, module)
        case cst.SimpleString():
            return _is_text_so(node, module)
        case cst.Call(func=cst.Name() | cst.Attribute() as function):
            return _is_helper(function, module)
        case _:
            return False


def _is_text_so(node: cst.SimpleString, module: Module) -> bool:
    """Whether a text is CUDA's, and no device that a fix may change."""
    if module.devices.text(node) is None:
        return str(node.evaluated_value).startswith("torch.cuda.")
    parent = module.parent(node)
    given = isinstance(parent, cst.Arg)
    chosen = isinstance(parent, cst.DictElement) and parent.value is node
    return (given or chosen) and module.devices.role(node) is Role.OTHER


def _is_named_so(node: cst.Attribute | cst.Name, module: Module) -> bool:
    """Whether a name is one that only CUDA has, or may be: no table knows a portable form."""
    if isinstance(node, cst.Attribute) and node.attr.value in _RAW:
        return True
    name = module.name(node) or ""
    if name.partition(".")[0] in _LIBRARIES or name == "torch.version.cuda":
        return True
    rows = read_table(_RUNTIME, *_TABLES)
    if (row := rows.get(name)) is not None:
        return not row.new and not row.harmless
    if name in _CLASSES:
        return not _is_called(node, module)
    if not name.startswith(("torch.cuda.", "torch._C._cuda")) or name.startswith(_ELSEWHERE):
        return False
    if name.count(".") == 2 and name.endswith("Tensor"):
        return not _is_called(node, module)
    return not any(one.startswith(f"{name}.") for one in rows)


def _is_called(node: cst.CSTNode, module: Module) -> bool:
    """Whether a class makes an object where it stands, or is what `x.type(...)` converts to."""
    parent = module.parent(node)
    match parent:
        case cst.Call(func=function):
            return function is node
        case cst.Arg():
            call = module.parent(parent)
            return isinstance(call, cst.Call) and last_name(call.func) == "type"
        case _:
            return False


def _is_helper(function: cst.Name | cst.Attribute, module: Module) -> bool:
    """Whether a function of somebody else says CUDA by its name."""
    name = last_name(function)
    if name == "cuda" or not _HELPER.fullmatch(name):
        return False
    if (module.name(function) or "").startswith("torch."):
        return False
    here = isinstance(function, cst.Name) and module.names.bindings(function)
    return not here or any(binding.imported for binding in here)


def _imports_library(node: cst.Import | cst.ImportFrom) -> bool:
    if isinstance(node, cst.ImportFrom):
        names = [dotted(node.module) or ""] if node.module else []
    else:
        names = [dotted(alias.name) or "" for alias in node.names]
    return any(name.partition(".")[0] in _LIBRARIES for name in names)
