"""The built-in rule pack. Installed as `neuronlint_rules`; never import it as `rules`."""

from neuronlint import Rule

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
)
