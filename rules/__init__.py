"""The built-in rule pack. Installed as `neuronlint_rules`; never import it as `rules`."""

from neuronlint import Rule

from .backends import cuda_backend_flag, cuda_backend_only, cudnn_flag, sdp_kernel
from .device import (
    cuda_call,
    cuda_check,
    cuda_comparison,
    cuda_default,
    cuda_device,
    cuda_map_location,
    cuda_option,
    cuda_or_cpu,
    cuda_tensor_type,
    integer_device,
    is_cuda,
)
from .runtime import (
    cuda_context,
    cuda_event,
    cuda_only,
    cuda_runtime,
    cuda_seed,
    cuda_stream,
    cuda_twin,
    unknown_cuda_name,
)

RULES: tuple[Rule, ...] = (
    cuda_call.rule,
    cuda_device.rule,
    cuda_default.rule,
    cuda_or_cpu.rule,
    cuda_comparison.rule,
    is_cuda.rule,
    cuda_tensor_type.rule,
    integer_device.rule,
    cuda_map_location.rule,
    cuda_check.rule,
    cuda_option.rule,
    cuda_runtime.rule,
    cuda_twin.rule,
    cuda_only.rule,
    cuda_seed.rule,
    cuda_stream.rule,
    cuda_event.rule,
    cuda_context.rule,
    unknown_cuda_name.rule,
    cudnn_flag.rule,
    cuda_backend_flag.rule,
    sdp_kernel.rule,
    cuda_backend_only.rule,
)
