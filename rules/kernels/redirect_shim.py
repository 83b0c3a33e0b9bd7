"""NL606: CUDA calls that are redirected to another device while the program runs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Applicability, Fix, Match, Module, Rule, Severity, read_table

from .environment import setting
from .facts import MESSAGE, libraries, row_of

rule = Rule(
    "NL606",
    "redirect-shim",
    MESSAGE,
    __name__,
    Severity.WARNING,
    triggers=(
        *("cuda", "transfer_to_npu", "gpu_migration", "cuda_migrate"),
        *("transfer_to_gcu", "import mpsify", "import torchada", "TORCH_TRANSFER_TO_NPU"),
        *("PT_HPU_GPU_MIGRATION", "TORCH_SDAA_AUTOLOAD"),
    ),
)

_METHODS = frozenset(
    {"torch.Tensor.cuda", "torch.nn.Module.cuda", "torch.nn.modules.module.Module.cuda"}
)


@rule.check
def redirect_import(node: cst.Import | cst.ImportFrom, module: Module) -> Iterator[Match]:
    """A module that redirects by being imported, whether or not it may be missing."""
    for name in libraries(node, module):
        if (row := row_of(name, read_table(__name__, "shims.toml"))) is not None:
            yield rule.match(
                *(node, _without(node, module)),
                symbol=name,
                old=name,
                note=row.note,
                instead=row.instead,
            )
            return


@rule.check
def redirect_variable(node: cst.Assign | cst.Call, module: Module) -> Iterator[Match]:
    """An environment variable that has the backend redirect."""
    if (found := setting(node, module)) is None:
        return
    row = read_table(__name__, "shims.toml").get(f"{found.name}={found.value}")
    if row is not None:
        old = found.name
        yield rule.match(node, symbol=old, old=old, note=row.note, instead=row.instead)


@rule.check
def replaced_name(node: cst.Assign, module: Module) -> Iterator[Match]:
    """A name of torch.cuda, or a `cuda` method, that the program replaces."""
    for target in (one.target for one in node.targets):
        name = module.name(target) or ""
        replaced = name.startswith("torch.cuda.") or name == "torch.cuda" or name in _METHODS
        if replaced and isinstance(target, cst.Attribute):
            note = "is replaced while the program runs, which hides what depends on CUDA"
            instead = "make its callers portable"
            yield rule.match(target, old=name, note=note, instead=instead)


def _without(node: cst.Import | cst.ImportFrom, module: Module) -> Fix | None:
    """The fix that removes a module-level import of the shim alone."""
    single = not isinstance(node.names, cst.ImportStar) and len(node.names) == 1
    if not single or not isinstance(module.parent(module.parent(node)), cst.Module):
        return None
    edits = module.remove(node)
    return Fix(tuple(edits), Applicability.DISPLAY) if edits else None
