"""What the place of a device string expects of it."""

from __future__ import annotations

import re
from enum import Enum, auto

import libcst as cst

from neuronlint.names import Names
from neuronlint.nodes import below, keyword_of, last_name
from neuronlint.receivers import Receivers
from neuronlint.tree import Tree

_DEVICE_NAME = re.compile(
    r"(?:.*_)?(?:dev|devices?|accelerator|map_location|location)(?:_?(?:type|name|str|id|\d))?"
)
_DEVICE_KEYWORDS = frozenset({"device", "map_location", "devices", "storage_device"})
_ENUM = re.compile(r"\w*Enum|(?:Int)?Flag")
_REGISTERS = re.compile(r"register|impl|dispatch|custom_op|overload|define|kernel")
_TAKES_DEVICE = frozenset(
    {"device", "set_default_device", "Generator", "Stream", "Event", "load", "load_url"}
    | {"load_state_dict_from_url", "get_device_module", "init_device_mesh", "to_empty"}
)
_NO_DEVICE = frozenset(
    {"get", "pop", "setdefault", "replace", "split", "join", "count", "index", "find", "print"}
    | {"hasattr", "getattr", "setattr", "patch", "strip", "add_argument_group", "remove"}
    | {"info", "debug", "warning", "warn", "error", "endswith", "writerow", "compile", "add_option"}
    | {"import_module", "importorskip", "getLogger", "get_logger", "Path", "which", "open"}
    | {"partition", "add_parser", "find_library", "add", "discard", "search", "match", "fullmatch"}
    | {"variant", "depends_on", "KeyError", "ValueError", "RuntimeError", "environ", "add_group"}
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


class Roles:
    """The places of one module."""

    def __init__(self, tree: Tree, names: Names, receivers: Receivers) -> None:
        self._tree = tree
        self._names = names
        self._receivers = receivers

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
                return Role.DEFAULT if is_device_name(name.value) else Role.OTHER
            case cst.Assign() | cst.AnnAssign() if self._is_label(parent):
                return Role.OTHER
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
        keyword = keyword_of(argument)
        called = last_name(call.func)
        name = self._names.qualified(call.func) or ""
        if called == "startswith" or called.startswith("assert"):
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
        if (method := self._receivers.method(call)) is not None and not keyword:
            return self._given(method, call.args.index(argument))
        if called == "to" and isinstance(call.func, cst.Attribute) and method is None:
            return Role.OTHER if self._receivers.is_own_cuda(call) else Role.DEVICE
        if name.startswith("torch.") and (keyword in _DEVICE_KEYWORDS or called in _TAKES_DEVICE):
            return Role.DEVICE
        if called in ("field", "Field") and keyword == "default":
            return self.role(call)
        if keyword:
            named_so = is_device_name(keyword) or "device" in keyword
        else:
            named_so = name.startswith("torch.") or self._takes_device(call, argument)
        return Role.TYPE if named_so else Role.OTHER

    def _takes_device(self, call: cst.Call, argument: cst.Arg) -> bool:
        """Whether a function of somebody takes a device at a place, by its names."""
        called = last_name(call.func).lower()
        plain = isinstance(text := argument.value, cst.SimpleString) and ":" not in text.value
        if "device" in called or called.startswith("load") or not plain:
            return True
        position = call.args.index(argument)
        if isinstance(call.func, cst.Name):
            for binding in self._names.bindings(call.func):
                if isinstance(binding.node, cst.FunctionDef):
                    return _named_device(binding.node, position)
        maker = self._receivers.maker(call)
        if maker is not None:
            return _named_device(maker, position + 1)
        # `offload(model, "cuda")`: what is imported takes a thing, and where it goes
        moves = position > 0 and not isinstance(call.args[0].value, cst.BaseString)
        return (
            moves
            and isinstance(call.func, cst.Name)
            and self._names.qualified(call.func) is not None
        )

    def _given(self, function: cst.FunctionDef, position: int) -> Role:
        """What a method of this file's own takes at a place: its text, if it is called a device."""
        static = any(last_name(d.decorator) == "staticmethod" for d in function.decorators)
        named_so = _named_device(function, position if static else position + 1)
        return Role.TYPE if named_so else Role.OTHER

    def _is_device_option(self, call: cst.Call) -> bool:
        """Whether a command-line option is a device's, by one of its names."""
        texts = [
            a.value.evaluated_value for a in call.args if isinstance(a.value, cst.SimpleString)
        ]
        return any(is_device_name(str(t).strip("-").replace("-", "_")) for t in texts)

    def _element(self, element: cst.Element) -> Role:
        """A text in a list, tuple or set: several devices, unless other texts say otherwise."""
        holder = self._tree.parents[element]
        elements = getattr(holder, "elements", ())
        texts = [e.value.evaluated_value for e in elements if isinstance(e.value, cst.SimpleString)]
        kinds = {str(text).partition(":")[0] for text in texts}
        known = kinds <= {"cpu", "cuda", "meta", "auto"}
        place = self._tree.parents[holder]
        if known and isinstance(place, (cst.ComparisonTarget, cst.Comparison)):
            return Role.COMPARED
        joined = isinstance(place, (cst.IfExp, cst.BinaryOperation))  # to a list of others
        several = known and (joined or kinds > {"cuda"} or any(":" in str(t) for t in texts))
        if kinds and known and not several:
            several = any(map(self._is_torch_device, elements)) or self._moves_to_cuda(place)
        return Role.LISTED if several or self._lists_devices(place) else Role.OTHER

    def _is_torch_device(self, element: cst.BaseElement) -> bool:
        made = element.value
        return isinstance(made, cst.Call) and self._names.qualified(made.func) == "torch.device"

    def _moves_to_cuda(self, place: cst.CSTNode) -> bool:
        """Whether a dictionary of devices is what a function expects that moves things to CUDA."""
        if not isinstance(place, cst.DictElement):
            return False
        around = next((o for o in self._tree.above(place) if isinstance(o, cst.FunctionDef)), None)
        calls = (node for node in below(around) if isinstance(node, cst.Call)) if around else ()
        return any(last_name(call.func) == "to" and any(map(_is_cuda, call.args)) for call in calls)

    def _lists_devices(self, place: cst.CSTNode) -> bool:
        """Whether a list is gone through for devices, in a loop or by a test's parameter."""
        match place:
            case cst.For(target=target):
                return is_device_name(last_name(target))
            case cst.Assign(targets=goals):
                return any(is_device_name(last_name(goal.target)) for goal in goals)
            case cst.Arg(keyword=cst.Name(value=keyword)):
                return is_device_name(keyword)
            case cst.Return():
                return self._returns_device(place)
            case cst.Arg() if isinstance(call := self._tree.parents[place], cst.Call):
                named = call.args[0].value
                said = str(named.evaluated_value) if isinstance(named, cst.SimpleString) else ""
                return last_name(call.func) == "parametrize" and is_device_name(said)
            case _:
                return False

    def _entry(self, key: cst.BaseExpression, element: cst.DictElement) -> Role:
        """The value of a dictionary entry: a device under `"device"` or in a `device_map`."""
        if isinstance(key, cst.SimpleString) and is_device_name(str(key.evaluated_value)):
            return Role.ASSIGNED
        place = self._tree.parents[self._tree.parents[element]]
        keyword = keyword_of(place) if isinstance(place, cst.Arg) else ""
        return Role.TYPE if keyword == "device_map" else Role.OTHER

    def _is_label(self, statement: cst.CSTNode) -> bool:
        """Whether an assignment names one of several devices: in an Enum, or beside the CPU's."""
        match block := self._tree.parents[self._tree.parents[statement]]:
            case cst.IndentedBlock() if isinstance(
                owner := self._tree.parents[block], cst.ClassDef
            ):
                if any(_ENUM.fullmatch(last_name(base.value)) for base in owner.bases):
                    return True
            case cst.Module():
                pass
            case _:
                return False
        return says_cuda(_constant(statement)[0]) and any(map(_is_cpu_constant, block.body))

    def _holds_device(self, target: cst.CSTNode) -> bool:
        """Whether a variable holds a device: by its name, or by where its value goes."""
        match target:
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
                return isinstance(key, cst.SimpleString) and is_device_name(
                    str(key.evaluated_value)
                )
            case cst.Name(value=name):
                return is_device_name(name) or self._flows_to_device(target)
            case _:
                return is_device_name(last_name(target))

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
        above = self._tree.above(statement)
        names = (one.name.value for one in above if isinstance(one, cst.FunctionDef))
        name = next(names, "")
        return "device" in name or is_device_name(name)


def is_device_name(name: str) -> bool:
    """Whether a variable, parameter or option holds a device, by its name."""
    return _DEVICE_NAME.fullmatch(name.lower().lstrip("_")) is not None


def _named_device(function: cst.FunctionDef, position: int) -> bool:
    """Whether the parameter of a function at a place may be a device, by its name."""
    parameters = [*function.params.posonly_params, *function.params.params]
    if position < len(parameters):
        return is_device_name(parameters[position].name.value)
    return isinstance(function.params.star_arg, cst.Param)


def _constant(statement: cst.CSTNode) -> tuple[str, str]:
    """The name and the text of a constant, empty for anything else."""
    match statement:
        case cst.SimpleStatementLine(body=[only]):
            return _constant(only)
        case (
            cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.SimpleString() as text)
            | cst.AnnAssign(target=target, value=cst.SimpleString() as text)
        ):
            return last_name(target), str(text.evaluated_value)
        case _:
            return "", ""


def _is_cpu_constant(statement: cst.CSTNode) -> bool:
    name, text = _constant(statement)
    return text == "cpu" and "cpu" in name.lower().split("_")


def _is_cuda(argument: cst.Arg) -> bool:
    return isinstance(argument.value, cst.SimpleString) and argument.value.evaluated_value == "cuda"


def says_cuda(name: str) -> bool:
    """Whether a variable says CUDA by its name, so that it may be no other device's."""
    return any(word.startswith(("cuda", "gpu")) for word in name.lower().split("_"))


def _is_test(parent: cst.CSTNode, node: cst.CSTNode) -> bool:
    return isinstance(parent, cst.IfExp) and parent.test is node
