"""NL106: a tensor asked whether it is on CUDA."""

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule

rule = Rule(
    "NL106",
    "is-cuda",
    "`{tensor}.is_cuda` is false on every other accelerator; "
    '`{tensor}.device.type != "cpu"` holds for all of them',
    __name__,
    triggers=("is_cuda!(",),
)


@rule.check
def is_cuda(node: cst.Attribute, module: Module) -> Iterator[Match]:
    if node.attr.value != "is_cuda" or module.name(node) is not None:
        return
    parent = module.parent(node)
    if isinstance(parent, cst.Call) and parent.func is node:  # a platform's `is_cuda()`
        return
    if isinstance(parent, cst.AssignTarget):
        return
    yield rule.match(node.attr, tensor=module.text(node.value).split("\n")[-1])
