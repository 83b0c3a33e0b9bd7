"""NL204: seeding CUDA alone, which torch.manual_seed does for every device."""

from collections.abc import Iterator, Sequence

import libcst as cst

from neuronlint import Edit, Fix, Match, Module, Rule, Severity, below, last_name

from .guarded import line_of, siblings
from .uses import OTHER, Use, renamed, trust, use_of

TABLE = {name: row for name, row in OTHER.items() if row.new in ("torch.manual_seed", "torch.seed")}
_FUNCTIONS = sorted({name.rpartition(".")[2] for name in TABLE})

rule = Rule(
    "NL204",
    "cuda-seed",
    "`{old}` seeds CUDA only; `{new}` seeds every device",
    __name__,
    Severity.WARNING,
    triggers=tuple(f"cuda with {name}" for name in _FUNCTIONS),
    context=("@property", "seed", "print(", "os.", "backends", "deterministic"),
)

# Between a seed of torch and one of CUDA these draw no random numbers.
_QUIET: tuple[str, ...] = ("random.seed", "numpy.random.seed", "torch.manual_seed", "torch.seed")
_QUIET += ("torch.cuda.",)
_QUIET += ("torch.backends.", "torch.use_deterministic_algorithms", "print", "os.", "str", "int")


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
            quiet = all(_is_quiet(one, module) and not _sets(one, call) for one in between)
            return quiet and _is_fixed(call, module)
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


def _is_fixed(call: cst.Call, module: Module) -> bool:
    """Whether a seed is the same however often it is worked out: no call, no property, no `:=`."""
    properties = {one.name.value for one in module.nodes(cst.FunctionDef) if one.decorators}
    for node in (node for arg in call.args for node in below(arg.value)):
        match node:
            case cst.Call() | cst.NamedExpr() | cst.Await() | cst.Yield():
                return False
            case cst.Attribute(attr=cst.Name(value=name)) if name in properties:
                return False
    return True


def _sets(statement: cst.CSTNode, call: cst.Call) -> bool:
    """Whether a statement may change what a seed is worked out from."""
    used = {last_name(node) for arg in call.args for node in below(arg.value)} - {""}
    targets = (
        goal.target
        for one in below(statement)
        if isinstance(one, cst.Assign)
        for goal in one.targets
    )
    return any(last_name(node) in used for target in targets for node in below(target))


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
            return _calls_quiet(part, module)
        case cst.Expr(value=cst.Call()):
            return _calls_quiet(part, module)
        case _:
            return False


def _calls_quiet(part: cst.CSTNode, module: Module) -> bool:
    """Whether all that a statement calls draws no random numbers."""
    called = (node.func for node in below(part) if isinstance(node, cst.Call))
    return all((module.name(one) or last_name(one)).startswith(_QUIET) for one in called)


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
    asked = [module.name(n.func) or "" for n in below(choice.test) if isinstance(n, cst.Call)]
    if not all(name.startswith(("torch.cuda.", "torch.accelerator.")) for name in asked):
        return False
    start, end = module.span(choice)[0], module.line_after(choice.body.body[-1])
    return b"#" not in module.source.data[start:end]


def _is_seed(line: cst.CSTNode, module: Module) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=function))]):
            return module.name(function) in TABLE
        case _:
            return False
