"""Write which operators a device has a kernel for, as torch's dispatcher says on this machine.

    python -m neuronlint.operators --device neuron -o operators.json

It runs where torch and the device's package are installed; the linter itself needs neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from neuronlint import cli
from neuronlint.operator_file import FORMAT, TENSOR
from neuronlint.user_error import UserError

_ATEN = "aten::"
_HOMES = ("torch", "torch.nn.functional", "torch.fft", "torch.linalg", "torch.special")
# Kernels that are made of other operators, with their derivative or with one of their own.
_IMPLICIT, _EXPLICIT = "CompositeImplicitAutograd", "CompositeExplicitAutograd"
# Those that turn one form of an operator into another, as of a structured one into its `out` form.
_FORMS = "CompositeExplicitAutogradNonFunctional"
_LAYOUTS = ("Quantized", "Sparse", "SparseCsr", "NestedTensor", "Mkldnn")
# What every device has that holds tensors.
_ALLOCATES = "aten::empty.memory_format"


def operators(device: str) -> dict[str, object]:
    """What the file for a device says; raises UserError without torch or the device."""
    torch = _torch()
    keys = _keys(torch, device)
    names = [name for name in torch._C._dispatch_get_all_op_names() if name.startswith(_ATEN)]
    kinds = _kinds(torch, names, keys)
    listed = {
        kind: sorted(name for name, each in kinds.items() if each == kind)
        for kind in ("kernel", "composite", "missing")
    }
    about = {"format": FORMAT, "device": device, "torch": torch.__version__}
    return {**about, **listed, "calls": dict(sorted(_calls(torch, kinds)))}


def _torch() -> Any:
    try:
        return import_module("torch")
    except ImportError as error:
        raise UserError(f"torch cannot be imported here: {error}") from None


def _keys(torch: Any, device: str) -> tuple[str, ...]:
    """The dispatcher's key of a device, and those of its tensors that are not dense."""
    try:
        key = str(torch._C._dispatch_key_for_device(torch.device(device).type))
    except RuntimeError:
        raise UserError(
            f"torch {torch.__version__} knows no device {device!r} here; is its package installed?"
        ) from None
    if not torch._C._dispatch_has_kernel_for_dispatch_key(_ALLOCATES, key):
        raise UserError(
            f"torch {torch.__version__} has no kernels for {device!r} here; is it a build for it?"
        )
    return (key, *(f"{layout}{key}" for layout in _LAYOUTS if _is_key(torch, f"{layout}{key}")))


def _is_key(torch: Any, name: str) -> bool:
    try:
        torch._C._dispatch_has_kernel_for_dispatch_key(_ALLOCATES, name)
    except RuntimeError:
        return False
    return True


def _kinds(torch: Any, names: Iterable[str], keys: Sequence[str]) -> dict[str, str]:
    """How each operator, its overloads taken together, comes to run on a device."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    overloads: dict[str, list[str]] = {}
    for name in names:
        overloads.setdefault(name.partition(".")[0], []).append(name)
    kernels = {
        name
        for name, own in overloads.items()
        if any(has(each, key) for each in own for key in keys)
    }
    kinds = dict.fromkeys(overloads, "missing")
    for name, own in overloads.items():
        plain = name.rstrip("_")
        others = [each for each in overloads.get(plain, ()) if not _is_own(torch, each)]
        # The form that writes to `out` has the kernel of a structured operator, or is made itself.
        served = plain in kernels or any(has(each, _EXPLICIT) for each in others)
        alone = (each for each in own if _is_own(torch, each))
        made = any(has(each, key) for each in alone for key in (_IMPLICIT, _EXPLICIT))
        if name in kernels:
            kinds[name] = "kernel"
        elif made or (served and any(has(each, _FORMS) for each in own)):
            kinds[name] = "composite"
    return kinds


def _is_own(torch: Any, name: str) -> bool:
    """Whether an overload does something itself; one with `out` is often made from the others."""
    schema = torch._C._get_schema(*name.partition(".")[::2])
    return not any(argument.is_out for argument in schema.arguments)


def _calls(torch: Any, kinds: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What calls exactly one operator: torch's own bindings of it, not functions in Python."""
    for home in _HOMES:
        module = torch
        for part in home.split(".")[1:]:
            module = getattr(module, part)
        yield from _bound(home, vars(module), kinds)
    yield from _bound(TENSOR.rstrip("."), vars(torch._C.TensorBase), kinds)


def _bound(
    home: str, members: Mapping[str, object], kinds: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    for name, member in members.items():
        bound = type(member).__name__ in ("builtin_function_or_method", "method_descriptor")
        operator = _ATEN + getattr(member, "__name__", "")
        if bound and not name.startswith("_") and operator in kinds:
            yield f"{home}.{name}", operator


@click.command()
@click.option("--device", required=True, help="The device, as torch calls it: neuron, mps, cuda.")
@click.option(
    *("-o", "--output-file", "file"),
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the list; without it, to standard output.",
)
def main(device: str, file: Path | None) -> None:
    """Write which operators a device has a kernel for, as torch says on this machine."""
    text = json.dumps(operators(device), indent=1) + "\n"
    if file is None:
        click.echo(text, nl=False)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None


if __name__ == "__main__":
    cli.run(main, "python -m neuronlint.operators")
