"""NL404: an import of `torch.cuda` names that nothing uses."""

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from neuronlint import Edit, Fix, Match, Module, Rule, Severity

rule = Rule(
    "NL404",
    "cuda-amp-import",
    "the import of `{name}` brings CUDA names that nothing uses; remove it",
    __name__,
    Severity.INFO,
    triggers=("cuda",),
)

_WORDS = re.compile(r"\W+")


@rule.check
def cuda_amp_import(node: cst.Import | cst.ImportFrom, module: Module) -> Iterator[Match]:
    if isinstance(node.names, cst.ImportStar) or module.path.name == "__init__.py":
        return
    unused = [alias for alias in node.names if _is_unused(alias, node, module)]
    if not unused or module.guards.optional(node) or "noqa" in _line(node, module):
        return
    if len(unused) == len(node.names):
        edits = module.remove(node) or []
    else:
        edits = _without(node.names, unused, module)
    names = ", ".join(_local(alias) for alias in unused)
    yield rule.match(node, Fix(tuple(edits)) if edits else None, name=names)


def _is_unused(alias: cst.ImportAlias, node: cst.Import | cst.ImportFrom, module: Module) -> bool:
    local = _local(alias)
    bound = [b for b in module.tree.scope(node).bindings.get(local, []) if b.node is node]
    meant = bound[0].imported if len(bound) == 1 else None
    if isinstance(node, cst.Import) and alias.asname is None:
        return _is_needless(alias, node, module)
    if meant is None or not (meant == "torch.cuda" or meant.startswith("torch.cuda.")):
        return False
    if alias.asname is not None and alias.evaluated_alias == alias.evaluated_name:
        return False  # how a name is exported
    names = (name for name in module.nodes(cst.Name) if name.value == local)
    used = any(bound[0] in module.names.bindings(name) for name in names)
    return not used and not _spelled(local, module)


def _is_needless(alias: cst.ImportAlias, node: cst.Import, module: Module) -> bool:
    """Whether `import torch.cuda.amp` brings nothing: no use, and torch stays bound without it."""
    full = alias.evaluated_name
    if not full.startswith("torch.cuda."):
        return False
    bindings = module.tree.scope(node).bindings["torch"]
    elsewhere = [b.node for b in bindings if b.node is not node]
    rooted = any(
        isinstance(other, cst.Import) and _comes_first(other, node, module) for other in elsewhere
    )
    asked = (module.name(attribute) or "" for attribute in module.nodes(cst.Attribute))
    return rooted and not any(name == full or name.startswith(f"{full}.") for name in asked)


def _comes_first(other: cst.CSTNode, node: cst.CSTNode, module: Module) -> bool:
    """Whether a statement has run before another, or right behind it among other imports."""
    line, end = module.parent(node), module.parent(other)
    block = module.parent(line)
    if block is not module.parent(end) or not isinstance(block, (cst.Module, cst.IndentedBlock)):
        return False
    body: list[cst.CSTNode] = [*block.body]
    between = body[body.index(line) : body.index(end)]
    return all(_imports(one) for one in between)


def _imports(line: cst.CSTNode) -> bool:
    body = line.body if isinstance(line, cst.SimpleStatementLine) else [line]
    return all(isinstance(one, (cst.Import, cst.ImportFrom)) for one in body)


def _spelled(local: str, module: Module) -> bool:
    """Whether a string may mean a name, as in `__all__` or an annotation; docstrings do not."""
    return any(
        local in _WORDS.split(text.value) and not isinstance(module.parent(text), cst.Expr)
        for text in module.nodes(cst.SimpleString)
    )


def _local(alias: cst.ImportAlias) -> str:
    return alias.evaluated_alias or alias.evaluated_name


def _line(node: cst.CSTNode, module: Module) -> str:
    """The source from a statement to the end of its last line."""
    start, _ = module.span(node)
    return module.source.data[start : module.line_after(node)].decode()


def _without(
    aliases: Sequence[cst.ImportAlias], unused: list[cst.ImportAlias], module: Module
) -> list[Edit]:
    """The edits that take some of the names out of a list of imports."""
    last = max(position for position, alias in enumerate(aliases) if alias not in unused)
    edits = [
        Edit(module.span(alias)[0], module.span(aliases[position + 1])[0], "")
        for position, alias in enumerate(aliases[:last])
        if alias in unused
    ]
    if last + 1 < len(aliases):
        edits.append(Edit(module.span(aliases[last])[1], module.span(aliases[-1])[1], ""))
    return edits
