"""`torch.compile(backend="neuron")`, found through the entry point torch_dynamo_backends."""

from __future__ import annotations

from collections.abc import Callable

import torch


def backend(
    graph_module: torch.fx.GraphModule, example_inputs: list[torch.Tensor], **options: object
) -> Callable[..., object]:
    """The graph as a function that runs it operator by operator."""
    from torch._dynamo.backends.debugging import aot_eager

    return aot_eager(graph_module, example_inputs)
