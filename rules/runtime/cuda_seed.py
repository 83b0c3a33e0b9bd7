"""NL204: seeding CUDA alone, which torch.manual_seed does for every device."""

from collections.abc import Iterator, Sequence

import libcst as cst

from neuronlint import Edit, Fix, Match, Module, Rule, Severity, below

from .guarded import line_of, siblings
from .uses import OTHER, Use, renamed, trust, use_of

rule = Rule(
    "NL204",
    "cuda-seed",
    "`{old}` seeds CUDA only; `{new}` seeds every device",
    __name__,
    Severity.WARNING,
    triggers=("cuda",),
)

TABLE = {name: row for name, row in OTHER.items() if row.new in ("torch.manual_seed", "torch.seed")}
# Between a seed of torch and one of CUDA these draw no random numbers.
_QUIET: tuple[str, ...] = ("random.seed", "numpy.random.seed", "torch.manual_seed", "torch.seed")
_QUIET += ("torch.cuda.",)
_QUIET += ("torch.backends.", "torch.use_deterministic_algorithms", "print", "os.")


@rule.check
def cuda_seed(node: cst.Attribute | cst.Name | cst.Call, module: Module) -> Iterator[Match]:
    if (use := use_of(node, module, TABLE)) is None:
        return
    fix = _fix(use, use.call, module) if use.call is not None else None
    yield rule.match(node, fix, old=module.name(node) or use.name, new=use.row.new)


def _fix(use: Use, call: cst.Call, module: Module) -> Fix | None:
    line = line_of(call, module)
    if line is None or any(arg.star for arg in call.args):
        return None if call.args and call.args[0].star else renamed(use, module, safe=False)
    near = _seeded(line, use, call, module)
    if near is None:
        return renamed(use, module, safe=False)
    edits = _removed(line, module)
    return Fix(tuple(edits), trust(near), use.row.since) if edits is not None else None


def _seeded(line: cst.SimpleStatementLine, use: Use, call: cst.Call, module: Module) -> bool | None:
    """Whether nothing is drawn between the call and the same seed of torch; None without one."""
    statement: cst.CSTNode = line
    found = _beside(statement, use, call, module)
    choice = _choice(line, module)
    if found is None and choice is not None and choice.orelse is None:
        found = _beside(choice, use, call, module)
    return found


def _choice(line: cst.SimpleStatementLine, module: Module) -> cst.If | None:
    """The `if` under which a statement directly stands."""
    block = module.parent(line)
    choice = module.parent(block) if isinstance(block, cst.IndentedBlock) else None
    return choice if isinstance(choice, cst.If) else None


def _beside(statement: cst.CSTNode, use: Use, call: cst.Call, module: Module) -> bool | None:
    """The same for the block of one statement."""
    block = siblings(statement, module)
    if statement not in block:
        return None
    here = next(i for i, other in enumerate(block) if other is statement)
    for there, other in enumerate(block):
        if _seeds_same(other, use, call, module):
            between = block[min(here, there) + 1 : max(here, there)]
            fixed_value = not any(
                isinstance(node, cst.Call) for arg in call.args for node in below(arg)
            )
            return fixed_value and all(_is_quiet(one, module) for one in between)
    return None


def _seeds_same(statement: cst.CSTNode, use: Use, call: cst.Call, module: Module) -> bool:
    match statement:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call() as seed) | cst.Assign(value=cst.Call() as seed)]
        ):
            return module.name(seed.func) == use.row.new and _given(seed, module) == _given(
                call, module
            )
        case _:
            return False


def _given(call: cst.Call, module: Module) -> list[str]:
    return [module.text(arg.value) for arg in call.args]


def _is_quiet(statement: cst.CSTNode, module: Module) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=body):
            return all(_is_quiet_part(part, module) for part in body)
        case cst.If(body=cst.IndentedBlock(body=body), orelse=None):
            return all(_is_quiet(one, module) for one in body)
        case _:
            return False


def _is_quiet_part(part: cst.CSTNode, module: Module) -> bool:
    match part:
        case cst.Import() | cst.ImportFrom() | cst.Pass() | cst.Expr(value=cst.BaseString()):
            return True
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() | cst.Subscript())]):
            return True
        case cst.Expr(value=cst.Call(func=function)):
            name = module.name(function) or (
                function.value if isinstance(function, cst.Name) else ""
            )
            return str(name).startswith(_QUIET)
        case _:
            return False


def _removed(line: cst.SimpleStatementLine, module: Module) -> Sequence[Edit] | None:
    """The edits that remove a seed, and the condition around it where nothing else is under it."""
    choice = _choice(line, module)
    lines = list(choice.body.body) if choice is not None else []
    if choice is None or not all(_is_seed(one, module) for one in lines):
        return module.remove(line.body[0])
    if not _may_go(choice, module):
        return module.remove(line.body[0]) if len(lines) == 1 else None
    start = module.span(choice)[0]
    first = module.source.line_starts[module.source.place(start)[0] - 1]
    return [Edit(first, module.line_after(lines[-1]), "")]


def _may_go(choice: cst.If, module: Module) -> bool:
    """Whether a whole `if` may be removed: with no other branch, effect or comment in it."""
    above = module.parent(choice)
    if choice.orelse is not None or isinstance(above, cst.If):
        return False
    if isinstance(above, cst.IndentedBlock) and len(above.body) == 1:
        return False
    asked = [node for node in below(choice.test) if isinstance(node, cst.Call)]
    if not all((module.name(call.func) or "").startswith("torch.") for call in asked):
        return False
    start, end = module.span(choice)[0], module.line_after(choice.body.body[-1])
    return b"#" not in module.source.data[start:end]


def _is_seed(line: cst.CSTNode, module: Module) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=function))]):
            return module.name(function) in TABLE
        case _:
            return False
