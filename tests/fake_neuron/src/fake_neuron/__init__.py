"""A simulated `neuron` accelerator for PyTorch, for running ported programs where there is none.

`import fake_neuron; fake_neuron.enable()`, or `FAKE_NEURON=1` in the environment before
`import torch`, gives this process a device type `neuron`.
"""

import os
from pathlib import Path

__all__ = ["enable"]


def _library() -> Path:
    """The compiled half of this package."""
    for built in Path(__file__).parent.glob("_C*.so"):
        return built
    raise ImportError(
        "fake_neuron is not built: pip install --no-build-isolation tests/fake_neuron"
    )


def enable() -> None:
    """Register the device, once."""
    # Importing torch imports this package in turn, to autoload it.
    import torch

    if hasattr(torch, "neuron"):
        return
    torch.utils.rename_privateuse1_backend("neuron")
    torch.ops.load_library(str(_library()))
    # They use the operators and the device name registered above.
    from fake_neuron import _cells, _module

    torch._register_device_module("neuron", _module.build())
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)
    _cells.register()
    if torch.distributed.is_available():
        from fake_neuron import _dist

        _dist.register()


def _autoload() -> None:
    """What `import torch` calls; nothing happens unless FAKE_NEURON=1."""
    if os.environ.get("FAKE_NEURON") == "1":
        enable()
