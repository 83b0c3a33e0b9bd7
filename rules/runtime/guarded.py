"""Code that runs only where an accelerator is: `if torch.accelerator.is_available():` around it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from neuronlint import Edit, Module

from .uses import ACCELERATOR, OTHER

_STREAMS = frozenset({"torch.cuda.current_stream", "torch.cuda.default_stream"})
_STREAM_METHODS = frozenset(
    {"wait_stream", "wait_event", "record_event", "record_stream", "synchronize", "record", "wait"}
)
# What a stream of a CPU raises at, in words that only streams have.
ON_ACCELERATOR = frozenset({"wait_stream", "record_stream"})


def guarded(
    node: cst.BaseExpression, text: str, module: Module, without: str = "None"
) -> list[Edit]:
    """The edits that put `text` where a node stands, and run it only where an accelerator is."""
    if module.accelerated(node):
        return [module.replace(node, text)]
    line = line_of(node, module)
    if line is not None:
        return [module.replace(node, text), *guard(line, module)]
    asked, edits = module.asked(node)
    return [module.replace_choice(node, f"{text} if {asked}() else {without}"), *edits]


def guard(line: cst.SimpleStatementLine, module: Module) -> list[Edit]:
    """The insertions that put a statement, and those like it next to it, under one question."""
    if module.accelerated(line):
        return []
    lines = _run(line, module)
    asked, edits = module.asked(line)
    indent = module.tree.root.default_indent
    start = module.span(lines[0].body[0])[0]
    edits.append(module.insert(start, f"if {asked}():\n{_margin(start, module)}{indent}"))
    return edits + [module.insert(module.span(one.body[0])[0], indent) for one in lines[1:]]


def line_of(node: cst.BaseExpression, module: Module) -> cst.SimpleStatementLine | None:
    """The line on which an expression, without parentheses, is the only statement."""
    return None if getattr(node, "lpar", ()) else module.line_of(node)


def stream_line(node: cst.CSTNode, module: Module) -> cst.SimpleStatementLine | None:
    """The line of a statement that is a stream's method, around a stream that it is about."""
    line = module.enclosing(node, cst.SimpleStatementLine)
    return line if line is not None and _is_stream_method(line, module) else None


def stream_lines(module: Module) -> Iterator[cst.SimpleStatementLine]:
    """The statements that streams of a CPU raise at."""
    for line in module.nodes(cst.SimpleStatementLine):
        if _method(line) in ON_ACCELERATOR:
            yield line


def _run(line: cst.SimpleStatementLine, module: Module) -> list[cst.SimpleStatementLine]:
    """A statement with its neighbours that are to be guarded too; a comment ends the run."""
    if not _joins(line, module):
        return [line]
    lines = siblings(line, module)
    first = last = lines.index(line)
    while first > 0 and _follows(lines[first], module) and _joins(lines[first - 1], module):
        first -= 1
    while last + 1 < len(lines) and _follows(lines[last + 1], module):
        last += 1
    return [one for one in lines[first : last + 1] if isinstance(one, cst.SimpleStatementLine)]


def siblings(statement: cst.CSTNode, module: Module) -> list[cst.BaseStatement]:
    """The statements of the block that a statement stands in, itself among them."""
    match module.parent(statement):
        case cst.IndentedBlock(body=body) | cst.Module(body=body):
            return [one for one in body if isinstance(one, cst.BaseStatement)]
        case _:
            return []


def _follows(line: cst.BaseStatement, module: Module) -> bool:
    """Whether a statement is to be guarded, and stands right below another one."""
    return not getattr(line, "leading_lines", ()) and _joins(line, module)


def _joins(line: cst.CSTNode, module: Module) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=function, lpar=[]))]):
            name = module.name(function) or ""
            row = ACCELERATOR.get(name) or OTHER.get(name)
            if row is not None and row.guard:
                return not module.accelerated(line)
            return _method(line) in ON_ACCELERATOR or _is_stream_method(line, module)
        case _:
            return False


def _is_stream_method(line: cst.SimpleStatementLine, module: Module) -> bool:
    match line.body:
        case [cst.Expr(value=cst.Call(func=cst.Attribute(value=value), args=args, lpar=[]))]:
            about = (value, *(arg.value for arg in args))
            named = {module.name(a.func) for a in about if isinstance(a, cst.Call)}
            return _method(line) in _STREAM_METHODS and not _STREAMS.isdisjoint(named)
        case _:
            return False


def _method(line: cst.SimpleStatementLine) -> str:
    """The method that a statement calls, and does nothing else."""
    match line.body:
        case [cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name(value=name)), lpar=[]))]:
            return name
        case _:
            return ""


def _margin(offset: int, module: Module) -> str:
    """The white space at the start of the line that holds an offset."""
    start = module.source.line_starts[module.source.place(offset)[0] - 1]
    return module.source.data[start:offset].decode()
