"""Which text means a CUDA device, what its place expects, and which name already holds one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

import libcst as cst

from neuronlint.guards import BACKENDS, last_name
from neuronlint.names import Names
from neuronlint.tree import Binding, Tree, dotted

_CUDA = re.compile(r"cuda(?::(\d+))?")
_DEVICE_NAME = re.compile(
    r"(?:.*_)?(?:dev|devices?|accelerator|gpu|map_location|location)(?:_?(?:type|name|str|id|\d))?"
)
_DEVICE_KEYWORDS = frozenset({"device", "map_location", "devices", "storage_device"})
_REGISTERS = re.compile(r"register|impl|dispatch|custom_op|overload|define|kernel")
_OTHERS = BACKENDS | {"cpu"}
_NO_DEVICE = frozenset(
    {"get", "pop", "setdefault", "replace", "split", "join", "count", "index", "find", "print"}
    | {
        "hasattr",
        "getattr",
        "setattr",
        "patch",
        "strip",
        "add_argument_group",
        "remove",
        "partition",
    }
    | {"info", "debug", "warning", "warn", "error", "endswith", "writerow", "compile", "add_option"}
    | {"import_module", "importorskip", "getLogger", "get_logger", "Path", "which", "open"}
)


class Role(Enum):
    """What the place of a device string expects of it."""

    DEVICE = auto()  # a torch call that takes a device or its name
    TYPE = auto()  # an argument of which only the text is known to be good
    DEFAULT = auto()  # the default of a parameter
    ASSIGNED = auto()  # the value of a variable, a field, a dictionary entry
    RETURNED = auto()
    LISTED = auto()  # one of several devices
    COMPARED = auto()
    OPTION = auto()  # the default of a command-line option
    REGISTERED = auto()  # a kernel is registered for it: another text breaks the kernel
    AUTOCAST = auto()  # torch.autocast and GradScaler, which have rules of their own
    OTHER = auto()  # no device


@dataclass(frozen=True)
class CudaText:
    """A text that names CUDA: `"cuda"`, `"cuda:0"`, `f"cuda:{rank}"`, `"cuda:%d" % rank`."""

    node: cst.BaseExpression
    index: cst.BaseExpression | str | None = None  # the device's number: an expression, or digits


@dataclass(frozen=True)
class Held:
    """A name that holds the device at some place, and whether it holds it as text."""

    text: str
    is_text: bool
    certain: bool = True  # False where a caller decides what it holds


class Devices:
    """The devices of one module."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names

    def text(self, node: cst.CSTNode) -> CudaText | None:
        """The CUDA device that an expression spells as text, if it does."""
        match node:
            case cst.SimpleString():
                value = node.evaluated_value
                found = _CUDA.fullmatch(value) if isinstance(value, str) else None
                return CudaText(node, found[1]) if found else None
            case cst.FormattedString(
                parts=[
                    cst.FormattedStringText(value="cuda:"),
                    cst.FormattedStringExpression(
                        expression=index, conversion=None, format_spec=None
                    ),
                ]
            ):
                return CudaText(node, _number(index))
            case cst.BinaryOperation(
                left=cst.SimpleString() as text, operator=cst.Add(), right=right
            ):
                return self._added(node, text, right)
            case cst.BinaryOperation(
                left=cst.SimpleString() as text, operator=cst.Modulo(), right=index
            ) if text.evaluated_value in ("cuda:%d", "cuda:%s", "cuda:%i"):
                return None if isinstance(index, cst.Tuple) else CudaText(node, _number(index))
            case cst.Call(
                func=cst.Attribute(value=cst.SimpleString() as text, attr=cst.Name("format")),
                args=[cst.Arg(value=index, keyword=None, star="")],
            ) if text.evaluated_value in ("cuda:{}", "cuda:{0}"):
                return CudaText(node, _number(index))
            case _:
                return None

    def _added(
        self, node: cst.BinaryOperation, text: cst.SimpleString, right: cst.BaseExpression
    ) -> CudaText | None:
        if text.evaluated_value != "cuda:":
            return None
        match right:
            case cst.Call(func=cst.Name("str"), args=[cst.Arg(value=index)]):
                return CudaText(node, _number(index))
            case _:
                return CudaText(node, right)

    def object(self, node: cst.CSTNode) -> CudaText | None:
        """The CUDA device that a call of torch.device makes, if it does."""
        if not isinstance(node, cst.Call) or self._names.qualified(node.func) != "torch.device":
            return None
        match node.args:
            case [cst.Arg(value=first)]:
                return self.text(first)
            case [cst.Arg(value=first), cst.Arg(value=index)] if found := self.text(first):
                return CudaText(first, _number(index)) if found.index is None else None
            case _:
                return None

    def role(self, node: cst.CSTNode) -> Role:
        """What the place of a text expects, seen through conditional expressions and the like."""
        parent = self._tree.parents[node]
        match parent:
            case cst.Arg():
                return self._argument(parent)
            case cst.IfExp() | cst.BooleanOperation():
                return Role.OTHER if _is_test(parent, node) else self.role(parent)
            case cst.ComparisonTarget() | cst.Comparison():
                return Role.COMPARED
            case cst.Param(name=name):
                return Role.DEFAULT if self._is_device_name(name.value) else Role.OTHER
            case cst.Assign(targets=goals):
                held = any(self._holds_device(goal.target) for goal in goals)
                return Role.ASSIGNED if held else Role.OTHER
            case cst.AnnAssign(target=target) | cst.NamedExpr(target=target):
                return Role.ASSIGNED if self._holds_device(target) else Role.OTHER
            case cst.Return():
                return Role.RETURNED if self._returns_device(parent) else Role.OTHER
            case cst.DictElement(key=key, value=value) if value is node:
                return self._entry(key, parent)
            case cst.Element():
                return self._element(parent)
            case _:
                return Role.OTHER

    def _argument(self, argument: cst.Arg) -> Role:
        call = self._tree.parents[argument]
        if not isinstance(call, cst.Call):
            return Role.OTHER
        keyword = argument.keyword.value if argument.keyword else ""
        called = last_name(call.func)
        name = self._names.qualified(call.func) or ""
        if called == "startswith":
            return Role.COMPARED
        if called in ("autocast", "GradScaler") and (not name or name.startswith("torch.")):
            return Role.AUTOCAST
        if called in ("add_argument", "add_option", "option", "Option", "Argument"):
            is_default = keyword == "default" and self._is_device_option(call)
            return Role.OPTION if is_default else Role.OTHER
        if _REGISTERS.search(called):
            return Role.REGISTERED
        if keyword == "name" or (called in _NO_DEVICE and not keyword):
            return Role.OTHER
        if called in ("pin_memory", "is_pinned") or keyword == "pin_memory_device":
            return Role.OTHER  # it is the current accelerator, whatever is named
        if called == "to" and isinstance(call.func, cst.Attribute):
            return Role.DEVICE
        if name.startswith("torch.") and (keyword in _DEVICE_KEYWORDS or called in _TAKES_DEVICE):
            return Role.DEVICE
        if called in ("field", "Field") and keyword == "default":
            return self.role(call)
        if keyword and not self._is_device_name(keyword) and "device" not in keyword:
            return Role.OTHER
        return Role.TYPE

    def _is_device_option(self, call: cst.Call) -> bool:
        """Whether a command-line option is a device's, by one of its names."""
        texts = [
            a.value.evaluated_value for a in call.args if isinstance(a.value, cst.SimpleString)
        ]
        return any(self._is_device_name(str(t).strip("-").replace("-", "_")) for t in texts)

    def _element(self, element: cst.Element) -> Role:
        """A text in a list, tuple or set: several devices, unless other texts say otherwise."""
        holder = self._tree.parents[element]
        elements = getattr(holder, "elements", ())
        texts = [e.value.evaluated_value for e in elements if isinstance(e.value, cst.SimpleString)]
        known = all(str(t).partition(":")[0] in ("cpu", "cuda", "meta", "auto") for t in texts)
        place = self._tree.parents[holder]
        if known and isinstance(place, (cst.ComparisonTarget, cst.Comparison)):
            return Role.COMPARED
        return Role.LISTED if known or self._lists_devices(place) else Role.OTHER

    def _lists_devices(self, place: cst.CSTNode) -> bool:
        """Whether a list is gone through for devices, in a loop or by a test's parameter."""
        match place:
            case cst.For(target=target):
                return self._is_device_name(last_name(target))
            case cst.Arg() if isinstance(call := self._tree.parents[place], cst.Call):
                named = call.args[0].value
                said = str(named.evaluated_value) if isinstance(named, cst.SimpleString) else ""
                return last_name(call.func) == "parametrize" and self._is_device_name(said)
            case _:
                return False

    def _entry(self, key: cst.BaseExpression, element: cst.DictElement) -> Role:
        """The value of a dictionary entry: a device under `"device"` or in a `device_map`."""
        if isinstance(key, cst.SimpleString) and self._is_device_name(str(key.evaluated_value)):
            return Role.ASSIGNED
        place = self._tree.parents[self._tree.parents[element]]
        keyword = place.keyword.value if isinstance(place, cst.Arg) and place.keyword else ""
        return Role.TYPE if keyword == "device_map" else Role.OTHER

    def _holds_device(self, target: cst.CSTNode) -> bool:
        """Whether a variable holds a device: by its name, or by where its value goes."""
        match target:
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
                return isinstance(key, cst.SimpleString) and self._is_device_name(
                    str(key.evaluated_value)
                )
            case cst.Name(value=name):
                return self._is_device_name(name) or self._flows_to_device(target)
            case _:
                return self._is_device_name(last_name(target))

    def _flows_to_device(self, target: cst.Name) -> bool:
        """Whether a variable is handed to `.to(...)` or to a `device=` of torch in this file."""
        home = self._tree.scope(target).lookup(target.value)
        for use in self._tree.nodes.get(cst.Name, []):
            if isinstance(use, cst.Name) and use.value == target.value:
                parent = self._tree.parents[use]
                given = isinstance(parent, cst.Arg) and self._argument(parent) is Role.DEVICE
                if given and self._names.bindings(use) == home:
                    return True
        return False

    def _returns_device(self, statement: cst.Return) -> bool:
        node: cst.CSTNode = statement
        while node is not self._tree.root:
            node = self._tree.parents[node]
            if isinstance(node, cst.FunctionDef):
                return "device" in node.name.value or self._is_device_name(node.name.value)
        return False

    def _is_device_name(self, name: str) -> bool:
        return _DEVICE_NAME.fullmatch(name.lower().lstrip("_")) is not None

    def is_device(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a device, its type or its text, by how it is written."""
        match node:
            case cst.Attribute(attr=cst.Name("type")):
                return True
            case cst.Call(func=cst.Name("str" | "repr"), args=[cst.Arg(value=inner)]):
                return self.is_device(inner)
            case cst.Call(func=cst.Attribute(attr=cst.Name("lower" | "strip")) as method):
                return self.is_device(method.value)
            case cst.Call(func=function):
                return "device" in last_name(function)
            case cst.Subscript(
                value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]
            ):
                named = isinstance(key, cst.SimpleString) and str(key.evaluated_value)
                return self._is_device_name(named) if named else self.is_device(value)
            case _:
                return self._is_device_name(last_name(node))

    # -- the names that hold the device --

    def held(self, at: cst.CSTNode) -> Held | None:
        """The name that holds the program's device at a place: a variable, `self.device`."""
        for name in ("device", "DEVICE", "dev", "_device", "torch_device"):
            found = self._tree.scope(at).lookup(name)
            if len(found) == 1 and (held := self._bound(name, found[0], at)):
                return held
        return self._own(at)

    def _bound(self, name: str, binding: Binding, at: cst.CSTNode) -> Held | None:
        if isinstance(binding.node, cst.Param):
            return self._parameter(name, binding.node, at)
        if binding.value is None or not self._always_runs(binding.node, at):
            return None
        kind = self._chosen(binding.value)
        return None if kind is None else Held(name, kind == "text")

    def _parameter(self, name: str, parameter: cst.Param, at: cst.CSTNode) -> Held | None:
        if isinstance(parameter.annotation, cst.Annotation) and parameter.default is None:
            annotated = self._names.qualified(parameter.annotation.annotation)
            return Held(name, False, certain=False) if annotated == "torch.device" else None
        kind = parameter.default and self._chosen(parameter.default)
        return Held(name, kind == "text", certain=False) if kind else None

    def _chosen(self, value: cst.BaseExpression) -> str | None:
        """Whether an expression is the program's choice of a device: as `text`, as an `object`."""
        match value:
            case cst.IfExp(body=body, orelse=orelse):
                chosen = [self._chosen(body), self._chosen(orelse)]
                kinds = {chosen[0] or self._other(body), chosen[1] or self._other(orelse)}
                return kinds.pop() if len(kinds) == 1 and any(chosen) else None
            case cst.Call(func=function, args=[cst.Arg(value=inner)]) if (
                self._names.qualified(function) == "torch.device"
            ):
                return "object" if self._chosen(inner) == "text" else None
            case _:
                return self._choice(value)

    def _choice(self, value: cst.BaseExpression) -> str | None:
        found = self.text(value)
        if found:
            return "text" if found.index in (None, "0") else None
        found = self.object(value)
        if found:
            return "object" if found.index in (None, "0") else None
        match value:
            case cst.Call(func=function):
                name = self._names.qualified(function)
                return "object" if name == "torch.accelerator.current_accelerator" else None
            case cst.Attribute(value=call, attr=cst.Name("type")):
                return "text" if self._choice(call) == "object" else None
            case cst.Name(value="DEVICE"):
                inner = self._names.value(value)
                return self._chosen(inner) if inner is not None else None
            case _:
                return None

    def _other(self, value: cst.BaseExpression) -> str | None:
        """Whether an expression is the CPU or an accelerator other than CUDA, in the same terms."""
        match value:
            case cst.SimpleString():
                return "text" if value.evaluated_value in _OTHERS else None
            case cst.IfExp(body=body, orelse=orelse):
                kinds = {self._other(body), self._other(orelse)}
                return kinds.pop() if len(kinds) == 1 else None
            case cst.Call(func=function, args=[cst.Arg(value=inner)]):
                is_device = self._names.qualified(function) == "torch.device"
                return "object" if is_device and self._other(inner) else None
            case _:
                return None

    def _always_runs(self, node: cst.CSTNode, at: cst.CSTNode) -> bool:
        """Whether a statement stands directly in a module or function body, and before a use."""
        line = self._tree.parents[node]
        block = self._tree.parents.get(line)
        owner = block if isinstance(block, cst.Module) else self._tree.parents.get(block)  # type: ignore[arg-type]
        if not isinstance(owner, (cst.Module, cst.FunctionDef)):
            return False
        user = at
        while user is not self._tree.root and self._tree.parents[user] is not block:
            user = self._tree.parents[user]
        body = list(getattr(block, "body", ()))
        return user in body and body.index(line) < body.index(user)

    def _own(self, at: cst.CSTNode) -> Held | None:
        """`self.device`, where `__init__` sets it and the use is in another method."""
        method, owner = self._method(at)
        if method is None or owner is None or method.name.value == "__init__":
            return None
        if not any(p.name.value == "self" for p in method.params.params):
            return None
        values = [v for t, v in self._fields(owner) if dotted(t) == "self.device"]
        kinds = {self._chosen(value) for value in values}
        if len(values) != 1 or None in kinds:
            return None
        return Held("self.device", kinds == {"text"})

    def _method(self, at: cst.CSTNode) -> tuple[cst.FunctionDef | None, cst.ClassDef | None]:
        method = None
        while at is not self._tree.root:
            inside, at = at, self._tree.parents[at]
            if isinstance(at, cst.FunctionDef):
                method = at if inside is at.body else None  # a decorator knows no `self`
            elif isinstance(at, cst.ClassDef):
                return method, at
        return None, None

    def _fields(self, owner: cst.ClassDef) -> list[tuple[cst.BaseExpression, cst.BaseExpression]]:
        return [
            (goal.target, assign.value)
            for assign in self._tree.nodes.get(cst.Assign, [])
            if isinstance(assign, cst.Assign) and self._method(assign)[1] is owner
            for goal in assign.targets
        ]


_TAKES_DEVICE = frozenset(
    {
        "device",
        "set_default_device",
        "Generator",
        "Stream",
        "Event",
        "load",
        "load_state_dict_from_url",
    }
    | {"get_device_module", "init_device_mesh", "load_url", "to_empty"}
)


def _number(index: cst.BaseExpression) -> cst.BaseExpression | str:
    """A device's number, as digits where it is written so."""
    return index.value if isinstance(index, cst.Integer) else index


def _is_test(parent: cst.CSTNode, node: cst.CSTNode) -> bool:
    return isinstance(parent, cst.IfExp) and parent.test is node
