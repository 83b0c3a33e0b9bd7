"""Where code runs in every step: loops that train, what a module computes, compiled functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import libcst as cst

from neuronlint.names import Names
from neuronlint.nodes import below, dotted, last_name
from neuronlint.tree import Tree

# Every hot place lies in a function, or in a module's own code, with one of these words: what the
# rules that look for hot places have as triggers.
HOT = ("*forward*", ".backward(", ".step(", "training_step", "train_step", "compile")

_FORWARD = re.compile(r"_?forward(?:_\w+)?")
_STEPS = frozenset({"training_step", "train_step"})
_OPTIMIZER = re.compile(r"(?:.*_)?(?:opt|optim|optimi[sz]er|scaler|sgd|adamw?)(?:_?\w{1,2})?")
_MODULE = re.compile(r".*(?:Module|Model|Layer|Block|Backbone|Head|Attention|Encoder|Decoder)")
_PREPARES = re.compile(r"(?:Transforms?|Augment\w*|Tokenizer|Processor)$")  # of data, on the CPU
# Words in the name of a flag: what it switches on is asked for, or is not part of the graph.
_RARE = re.compile(
    r"(?:.*_)?(?:debug|verbose|log|logs|logging|print|report|save|eval|evaluate|val|validate|plot"
    r"|profile|profiler|sample|dump|tensorboard|wandb|tracking|tracker|writer|vis|visualize|summary|first|last|checkpoint|onnx|export|exporting|is_compiling|is_tracing"
    r"|is_scripting|is_dynamo_compiling|is_in_onnx_export)(?:_.*)?"
)
_COMPILES = "torch.compile"
_WARNS = frozenset({"warn", "warning", "warn_once", "error", "exception"})
_DISABLED = frozenset({"torch.compiler.disable", "torch._dynamo.disable", "torch.jit.ignore"})


class Hot:
    """The hot places of one module; a file of tests has none."""

    def __init__(self, tree: Tree, names: Names, path: Path) -> None:
        self._tree = tree
        self._names = names
        self.is_test = re.fullmatch(r"test_.*|.*_test|conftest", path.stem) is not None
        self._loops = self._training_loops()

    def at(self, node: cst.CSTNode) -> str:
        """What runs again and again and this node with it, in words; empty for none."""
        if self.is_test:
            return ""
        for above in self._tree.above(node):
            inside = node
            node = above
            match above:
                case cst.If(test=test) | cst.IfExp(test=test) if inside is not test:
                    if self._is_rare(test):
                        return ""
                case cst.BooleanOperation(left=left, operator=cst.And()) if inside is not left:
                    if self._is_rare(left):
                        return ""
                case cst.Call(func=function) if last_name(function) in _WARNS:
                    return ""
                case cst.ExceptHandler() | cst.Raise() | cst.Lambda() | cst.ClassDef():
                    return ""
                case cst.IndentedBlock(body=body) if self._is_skipped(body, inside):
                    return ""
                case cst.For() | cst.While() if above in self._loops and inside is above.body:
                    return "each step of the loop"
                case cst.FunctionDef(body=body):
                    return self._function(above) if inside is body else ""
        return ""

    def _function(self, function: cst.FunctionDef) -> str:
        name = function.name.value
        applied = [self._applied(one.decorator) for one in function.decorators]
        if not _DISABLED.isdisjoint(applied):
            return ""
        if _COMPILES in applied:
            return f"each call of the compiled `{name}`"
        owner = self._owner(function)
        if owner is None or not function.params.params:
            return ""
        if _PREPARES.search(owner.name.value):
            return ""
        if name in _STEPS or (_FORWARD.fullmatch(name) and self._is_module(owner, set())):
            return f"each `{name}`"
        return ""

    def _applied(self, decorator: cst.BaseExpression) -> str | None:
        """The dotted name of a decorator, arguments or not."""
        if isinstance(decorator, cst.Call):
            name = self._names.qualified(decorator.func)
            partial = name == "functools.partial" and decorator.args
            return self._names.qualified(decorator.args[0].value) if partial else name
        return self._names.qualified(decorator)

    def _owner(self, function: cst.FunctionDef) -> cst.ClassDef | None:
        """The class of which a function is a method."""
        block = self._tree.parents[function]
        owner = self._tree.parents.get(block)
        return owner if isinstance(owner, cst.ClassDef) else None

    def _is_module(self, owner: cst.ClassDef, seen: set[cst.CSTNode]) -> bool:
        """Whether a class is a torch module, by its bases."""
        seen.add(owner)
        for base in (one.value for one in owner.bases):
            name = self._names.qualified(base) or ""
            if name.startswith("torch.nn.") or (name and _MODULE.fullmatch(last_name(base))):
                return True
            if isinstance(base, cst.Name):
                parents = {binding.node for binding in self._names.bindings(base)} - seen
                classes = (one for one in parents if isinstance(one, cst.ClassDef))
                if any(self._is_module(parent, seen) for parent in classes):
                    return True
        return False

    def _training_loops(self) -> set[cst.CSTNode]:
        """The loops in which, not counting loops in them, gradients are computed or applied."""
        found: set[cst.CSTNode] = set()
        for call in self._tree.nodes.get(cst.Call, []):
            if isinstance(call, cst.Call) and _trains(call):
                for above in self._tree.above(call):
                    if isinstance(above, (cst.For, cst.While)):
                        found.add(above)
                    if isinstance(above, (cst.For, cst.While, cst.FunctionDef)):
                        break
        return found

    def _is_rare(self, test: cst.BaseExpression) -> bool:
        """Whether a branch is taken once in a while, or for somebody who asked for it."""
        for node in below(test):
            match node:
                case cst.BinaryOperation(operator=cst.Modulo()):
                    return True
                case cst.Comparison(
                    comparisons=[
                        cst.ComparisonTarget(operator=cst.Equal(), comparator=cst.Integer())
                    ]
                ):
                    return True
                case cst.UnaryOperation(
                    operator=cst.Not(), expression=cst.Attribute(attr=cst.Name("training"))
                ):
                    return True
                case cst.Name(value=name) if _RARE.fullmatch(name.lower()):
                    return True
                case cst.Name() if (value := self._names.value(node)) is not None:
                    if any(isinstance(one, cst.Modulo) for one in _operators(value)):
                        return True
        return False

    def _is_skipped(self, body: Sequence[cst.CSTNode], child: cst.CSTNode) -> bool:
        """Whether an earlier statement of a block leaves it in all but some steps."""
        for statement in body:
            if statement is child:
                return False
            match statement:
                case cst.If(
                    test=test,
                    body=cst.IndentedBlock(
                        body=[
                            *_,
                            cst.SimpleStatementLine(
                                body=[cst.Continue() | cst.Return() | cst.Break()]
                            ),
                        ]
                    ),
                ) if self._is_rare(test):
                    return True
        return False


def _trains(call: cst.Call) -> bool:
    """Whether a call computes gradients, or is an optimizer's step."""
    if not isinstance(call.func, cst.Attribute):
        return False
    name = call.func.attr.value
    receiver = call.func.value
    if name == "step":
        return _OPTIMIZER.fullmatch(last_name(receiver).lower()) is not None
    return name == "backward" and dotted(receiver) != "super"


def _operators(value: cst.BaseExpression) -> list[cst.BaseBinaryOp]:
    return [one.operator for one in below(value) if isinstance(one, cst.BinaryOperation)]
