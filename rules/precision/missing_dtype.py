"""NL406: a dtype that a target lacks."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Receiver, Rule, Severity, keyword_of, last_name

rule = Rule(
    "NL406",
    "missing-dtype",
    "`{old}` is missing on {where}; {instead}",
    __name__,
    Severity.ERROR,
    triggers=("float64", "double", "complex128", "cdouble", "complex64", "cfloat", "complex32"),
    needs="missing_dtypes",
)

_ALIASES = {"double": "float64", "cdouble": "complex128", "cfloat": "complex64"}
_ALIASES["chalf"] = "complex32"
_NARROWER = {"torch.float64": "torch.float32", "torch.complex128": "torch.complex64"}
_SETS_DEFAULT = "torch.set_default_dtype"
_ASKS = frozenset({"torch.finfo", "torch.iinfo"})
# What they make is on the CPU where no device is named, and may have any dtype there.
_MAKERS = (
    *("tensor", "as_tensor", "asarray", "scalar_tensor", "sparse_coo_tensor", "from_numpy"),
    *("zeros", "ones", "full", "empty", "eye", "arange", "range", "linspace", "logspace"),
    *("rand", "randn", "randint", "randperm", "normal", "frombuffer", "empty_strided"),
)
_ON_CPU = frozenset(f"torch.{name}" for name in _MAKERS)
_ELSEWHERE = ("cpu", "numpy")  # words of what is made or moved off the device


@rule.check
def missing_dtype(node: cst.Arg, module: Module) -> Iterator[Match]:
    """A dtype that a tensor is given, or all tensors by default."""
    call = module.parent(node)
    dtype = _dtype(module.name(node.value))
    if dtype is None or not isinstance(call, cst.Call) or _is_elsewhere(call, module):
        return
    name = module.name(call.func) or ""
    if name == _SETS_DEFAULT:
        yield from _match(node.value, dtype, module, None)
    elif _makes(name, node) or _converts(call, module):
        named = _names_device(call)
        if named or name not in _ON_CPU:
            yield from _match(node.value, dtype, module, None if named else Severity.WARNING)


@rule.check
def widened(node: cst.Call, module: Module) -> Iterator[Match]:
    """`x.double()` of a tensor or a module."""
    dtype = _dtype(f"torch.{last_name(node.func)}")
    if dtype is None or last_name(node.func) not in _ALIASES or node.args:
        return
    if _is_tensor(node.func, module) and not _is_elsewhere(node, module):
        yield from _match(node.func, dtype, module, Severity.WARNING)


def _match(
    node: cst.BaseExpression, dtype: str, module: Module, severity: Severity | None
) -> Iterator[Match]:
    if lacking := module.settings.missing_dtypes.get(dtype):
        narrower = _NARROWER.get(dtype)
        instead = f"keep to `{narrower}` there" if narrower else "keep it on the CPU there"
        yield rule.match(
            node,
            severity=severity,
            symbol=dtype,
            targets=lacking,
            old=dtype,
            where=", ".join(lacking),
            instead=instead,
        )


def _dtype(name: str | None) -> str | None:
    """The dtype that a name of torch stands for, None for a name of anything else."""
    home, _, last = (name or "").rpartition(".")
    if home != "torch":
        return None
    return f"torch.{_ALIASES.get(last, last)}"


def _makes(name: str, arg: cst.Arg) -> bool:
    """Whether an argument is the dtype of what a function of torch makes."""
    return keyword_of(arg) == "dtype" and name.startswith("torch.") and name not in _ASKS


def _converts(call: cst.Call, module: Module) -> bool:
    return last_name(call.func) in ("to", "type") and _is_tensor(call.func, module)


def _names_device(call: cst.Call) -> bool:
    """Whether a call says where the tensor is to be; without, it may be on the CPU."""
    keywords = [keyword_of(arg) for arg in call.args]
    return "device" in keywords or (last_name(call.func) == "to" and keywords.count("") > 1)


def _is_elsewhere(call: cst.Call, module: Module) -> bool:
    """Whether the line of a call speaks of the CPU or of NumPy."""
    text = module.text(module.enclosing(call, cst.SimpleStatementLine) or call)
    return any(word in text for word in _ELSEWHERE)


def _is_tensor(function: cst.BaseExpression, module: Module) -> bool:
    return (
        isinstance(function, cst.Attribute)
        and module.receivers.kind(function.value) is Receiver.TORCH
    )
