"""The process group `neuron`: gloo, working on the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import ProcessGroupGloo, _create_work_from_future
from torch.futures import Future
from torch.utils._pytree import tree_map

# Under both the newer and the older names that torch looks for.
COLLECTIVES = (
    "allreduce",
    "allreduce_coalesced",
    "broadcast",
    "reduce",
    "allgather",
    "all_gather_single",
    "_allgather_base",
    "allgather_coalesced",
    "all_gather_single_coalesced",
    "allgather_into_tensor_coalesced",
    "gather",
    "scatter",
    "reduce_scatter",
    "reduce_scatter_single",
    "_reduce_scatter_base",
    "reduce_scatter_single_coalesced",
    "reduce_scatter_tensor_coalesced",
    "all_to_all_single",
    "alltoall_base",
    "alltoall",
    "send",
    "recv",
    "recv_anysource",
    "barrier",
)


def _host(value: object) -> object:
    """The same bytes, labelled as a CPU tensor."""
    if isinstance(value, torch.Tensor) and value.device.type == "neuron":
        return torch.ops.fake_neuron.host_view(value.detach())
    return value


class NeuronGroup(dist.ProcessGroup):
    """A process group for `neuron` and CPU tensors."""

    def __init__(self, store: dist.Store, rank: int, size: int, timeout: Any) -> None:
        super().__init__(rank, size)
        self.gloo = ProcessGroupGloo(store, rank, size, timeout)
        for kind in ("neuron", "cpu"):
            custom = dist.ProcessGroup.BackendType.CUSTOM
            self._register_backend(torch.device(kind), custom, self.gloo)

    def getBackendName(self) -> str:  # noqa: N802
        """The name that torch.distributed reports."""
        return "neuron"


def _collective(name: str) -> Callable[..., dist.Work]:
    """Gloo's collective of that name, as a method of NeuronGroup."""

    def call(self: NeuronGroup, *args: object, **kwargs: object) -> dist.Work:
        # gloo would have to run in the background to be asynchronous: wait, and hand out done work
        work = getattr(self.gloo, name)(*tree_map(_host, args), **tree_map(_host, kwargs))
        work.wait()
        done: Future[object] = Future()
        done.set_result(args[0] if args else None)
        return _create_work_from_future(done)

    call.__name__ = name
    return call


for _name in COLLECTIVES:
    if hasattr(ProcessGroupGloo, _name) and hasattr(dist.ProcessGroup, _name):
        setattr(NeuronGroup, _name, _collective(_name))


def register() -> None:
    """Make `neuron` the default process-group backend of the device."""
    dist.Backend.register_backend("neuron", NeuronGroup, devices=["neuron", "cpu"])
