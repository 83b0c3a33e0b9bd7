"""NL811: a field moved to the device in every step."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, keyword_of, last_name

rule = Rule(
    "NL811",
    "moved-in-forward",
    "`{field}` is no buffer and is copied to the device in {hot}; "
    '`self.register_buffer("{name}", ..., persistent=False)` moves it with the module',
    __name__,
    triggers=(".to(",),
    whole=True,
    optional=True,
)


@rule.check
def moved_in_forward(node: cst.Call, module: Module) -> Iterator[Match]:
    match node:
        case cst.Call(
            func=cst.Attribute(
                value=cst.Attribute(value=cst.Name("self"), attr=cst.Name(value=name)) as field,
                attr=cst.Name("to"),
            ),
            args=[given, *_],
        ):
            pass
        case _:
            return
    if not _is_device(given) or not _is_plain(field, module):
        return
    if "forward" in (hot := module.hot.at(node)) and not _is_kept(node, field, module):
        yield rule.match(node, field=module.text(field), hot=hot, name=name)


def _is_device(given: cst.Arg) -> bool:
    return keyword_of(given) == "device" or (
        not keyword_of(given) and last_name(given.value) == "device"
    )


def _is_plain(field: cst.Attribute, module: Module) -> bool:
    """Whether a field is given plain tensors, and no parameter."""
    values = module.fields.values(field)
    return bool(values) and all(
        module.tensors.holds(value)
        and not (isinstance(value, cst.Call) and last_name(value.func) == "Parameter")
        for value in values
    )


def _is_kept(node: cst.Call, field: cst.Attribute, module: Module) -> bool:
    """Whether the field holds the moved tensor from then on."""
    parent = module.parent(node)
    return isinstance(parent, cst.Assign) and any(
        module.text(one.target) == module.text(field) for one in parent.targets
    )
