"""The device module `torch.neuron`: what programs and torch itself look up on it."""

from __future__ import annotations

import os
import types

import torch

_NAME = "Fake Neuron"
_TOTAL_MEMORY = 16 << 30
_ON_ACCELERATOR = (
    "empty_cache",
    "memory_stats",
    "memory_allocated",
    "max_memory_allocated",
    "memory_reserved",
    "max_memory_reserved",
    "reset_peak_memory_stats",
    "reset_accumulated_memory_stats",
)


def _index(device: object = None) -> int:
    """The index a device, an index or None stands for."""
    if device is None:
        return torch.accelerator.current_device_index()
    if isinstance(device, int):
        return device if device >= 0 else torch.accelerator.current_device_index()
    device = torch.device(device)
    if device.type != "neuron":
        raise ValueError(f"Expected a neuron device, but got: {device}")
    return torch.accelerator.current_device_index() if device.index is None else device.index


class device:  # noqa: N801
    """A context in which an index, a device or None is the current device."""

    def __init__(self, device: object) -> None:
        self.index = -1 if device is None else _index(device)

    def __enter__(self) -> None:
        self.before = torch._C._accelerator_exchangeDevice(self.index) if self.index >= 0 else -1

    def __exit__(self, *exception: object) -> None:
        if self.before >= 0:
            torch._C._accelerator_exchangeDevice(self.before)


def device_of(tensor: torch.Tensor) -> device:
    """A context in which the tensor's device is the current one."""
    return device(tensor.device if tensor.device.type == "neuron" else None)


def device_count() -> int:
    """The number of devices, from FAKE_NEURON_DEVICE_COUNT."""
    return min(max(int(os.environ.get("FAKE_NEURON_DEVICE_COUNT", "2")), 0), 16)


def set_device(device: object) -> None:
    """Make a device the current one."""
    torch.accelerator.set_device_index(_index(device))


def synchronize(device: object = None) -> None:
    """Wait for a device."""
    torch.accelerator.synchronize(_index(device))


def current_stream(device: object = None) -> torch.Stream:
    """The stream in use on a device."""
    return torch.accelerator.current_stream(_index(device))


def default_stream(device: object = None) -> torch.Stream:
    """The stream a device starts with."""
    return torch.Stream(stream_id=0, device_index=_index(device), device_type=20)


def get_device_properties(device: object = None) -> types.SimpleNamespace:
    """The name, memory and index of a device."""
    return types.SimpleNamespace(name=_NAME, total_memory=_TOTAL_MEMORY, index=_index(device))


def get_device_capability(device: object = None) -> dict[str, object]:
    """What the accelerator says of a device."""
    return torch.accelerator.get_device_capability(_index(device))


def manual_seed(seed: int) -> None:
    """Seed the current device."""
    torch.ops.fake_neuron.manual_seed(_index(), _signed(seed))


def manual_seed_all(seed: int) -> None:
    """Seed every device."""
    for index in range(device_count()):
        torch.ops.fake_neuron.manual_seed(index, _signed(seed))


def _signed(seed: int) -> int:
    """The seed as the signed number of 64 bits that an operator takes."""
    seed = int(seed) & 0xFFFFFFFFFFFFFFFF
    return seed if seed < 2**63 else seed - 2**64


def initial_seed() -> int:
    """The seed of the current device."""
    return int(torch.ops.fake_neuron.initial_seed(_index()))


def get_rng_state(device: object = "neuron") -> torch.Tensor:
    """The state of a device's random numbers."""
    return torch.ops.fake_neuron.get_rng_state(_index(device))


def set_rng_state(new_state: torch.Tensor, device: object = "neuron") -> None:
    """Put back the state of a device's random numbers."""
    torch.ops.fake_neuron.set_rng_state(_index(device), new_state.cpu())


def get_rng_state_all() -> list[torch.Tensor]:
    """The state of every device's random numbers."""
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state_all(new_states: list[torch.Tensor]) -> None:
    """Put back the state of every device's random numbers."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def build() -> types.ModuleType:
    """The module to register as `torch.neuron`."""
    module = types.ModuleType("torch.neuron", "The device module of the simulated accelerator.")
    own = {name: value for name, value in globals().items() if _is_public(value)}
    module.__dict__.update(
        own,
        Event=torch.Event,
        Stream=torch.Stream,
        _is_in_bad_fork=lambda: False,
        _lazy_init=lambda: None,
        current_device=torch.accelerator.current_device_index,
        get_amp_supported_dtype=lambda: [torch.bfloat16, torch.float16, torch.float32],
        get_device_name=lambda device=None: _NAME,
        init=lambda: None,
        is_available=lambda: device_count() > 0,
        is_bf16_supported=lambda including_emulation=True: True,
        is_initialized=lambda: True,
        set_stream=torch.accelerator.set_stream,
        stream=lambda stream: stream,
    )
    # Older torch releases lack some of these.
    for name in _ON_ACCELERATOR:
        if hasattr(torch.accelerator, name):
            setattr(module, name, getattr(torch.accelerator, name))
    if hasattr(torch.accelerator, "get_memory_info"):
        module.mem_get_info = torch.accelerator.get_memory_info
    return module


def _is_public(value: object) -> bool:
    """Whether the device module gets a function or class of this file."""
    return (
        isinstance(value, (type, types.FunctionType))
        and value.__module__ == __name__
        and not value.__name__.startswith("_")
        and value is not build
    )
