"""The built-in rule pack. Installed as `neuronlint_rules`; never import it as `rules`."""

from neuronlint import Rule

from .device import cuda_call

RULES: tuple[Rule, ...] = (
    cuda_call.rule,
)
