"""References to a class or function that is not called where it stands."""

from __future__ import annotations

import libcst as cst

from neuronlint import Module


def is_whole(node: cst.Attribute | cst.Name, module: Module) -> bool:
    """Whether a reference is not called here, and names the thing rather than a variable."""
    match module.parent(node):
        case cst.Call(func=function) if function is node:
            return False
        case cst.Attribute():
            return False
    if isinstance(node, cst.Attribute):
        return True
    return any(binding.imported for binding in module.names.bindings(node))
