"""The index over a syntax tree."""

import libcst as cst
import pytest
from sources import asked, here, parsed

from neuronlint.module import Module
from neuronlint.nodes import below, children, dotted, targets


def bound(source: str) -> set[str]:
    """The names bound in the scope in which `here` is called."""
    module = parsed(source)
    return set(module.tree.scope(here(module)).bindings)


def expression(source: str) -> cst.BaseExpression:
    return cst.parse_expression(source)


def test_nodes_come_in_source_order() -> None:
    module = parsed("a(b, c)\nif d:\n    e")
    assert [name.value for name in module.nodes(cst.Name)] == ["a", "b", "c", "d", "e"]


def test_a_node_is_listed_under_its_own_type_alone() -> None:
    module = parsed("a")
    assert module.nodes(cst.BaseExpression) == []


def test_a_type_that_the_file_lacks_has_no_nodes() -> None:
    assert parsed("a").nodes(cst.Lambda) == []


def test_white_space_and_punctuation_are_left_out() -> None:
    module = parsed("a = (b)  # c\n\nd, e\n")
    kinds = set(module.tree.nodes)
    assert not kinds & {cst.SimpleWhitespace, cst.Comment, cst.LeftParen, cst.Comma, cst.Newline}


@pytest.mark.parametrize(
    "text", ["f'{a}'", "'x' f'{a:{b}}'", "lambda c=a: c", "[a for _ in x if a]"]
)
def test_nodes_inside_other_nodes_are_listed(text: str) -> None:
    assert "a" in [name.value for name in parsed(text).nodes(cst.Name)]


def test_annotations_decorators_and_defaults_are_listed() -> None:
    module = parsed("@a\ndef f(x: b = c, *y: d, z=e) -> g: pass")
    assert sorted(name.value for name in module.nodes(cst.Name)) == list("abcdeg")


def test_every_listed_node_has_a_parent() -> None:
    module = parsed("@a\nclass B(c, k=d):\n    x: int = 1\n    def f(self, *, y=2): return x\n")
    for nodes in module.tree.nodes.values():
        for node in nodes:
            top = node
            while top is not module.tree.root:
                top = module.parent(top)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("a = b = 1\nhere()", {"a", "b"}),
        ("a, (b, *c) = d\nhere()", {"a", "b", "c"}),
        ("a.b = c[0] = 1\nhere()", set()),
        ("import a.b, c as d\nfrom e import f as g\nhere()", {"a", "d", "g"}),
        ("with a as b, c as (d, e):\n    here()", {"b", "d", "e"}),
        ("for a, b in c:\n    here()", {"a", "b"}),
        ("try:\n    here()\nexcept A as b: pass", {"b"}),
        ("try:\n    here()\nexcept* A as b: pass", {"b"}),
        ("class A: pass\ndef f(): pass\nhere()", {"A", "f"}),
        ("match a:\n    case [b, *c] | {'k': d, **e}: here()", {"b", "c", "d", "e"}),
        ("match a:\n    case B(c, k=d) as e: here()", {"c", "d", "e"}),
        ("def f(a, /, b, *c, d, **e):\n    here()", {"a", "b", "c", "d", "e"}),
        ("f = lambda a, *b: here()", {"a", "b"}),
        ("[here() for a, b in c for d in e]", {"a", "b", "d"}),
        ("a += 1\nb: int = 2\nc: int\nhere()", {"a", "b"}),
        ("print(a := here())", {"a"}),
        ("async def f():\n    async with a as b:\n        here()", {"b"}),
    ],
)
def test_a_scope_knows_what_is_bound_in_it(source: str, names: set[str]) -> None:
    assert bound(source) == names


def lookup(source: str) -> list[str]:
    """The kinds of nodes that bind the name `here` is given."""
    module: Module = parsed(source)
    return [type(binding.node).__name__ for binding in module.names.bindings(asked(module))]


def test_a_comprehension_binds_for_itself_alone() -> None:
    assert lookup("[x for x in y]\nhere(x)") == []


def test_a_function_sees_what_is_around_it() -> None:
    assert lookup("x = 1\ndef f():\n    here(x)") == ["Assign"]


def test_a_method_does_not_see_its_class() -> None:
    assert lookup("class A:\n    x = 1\n    def f(self):\n        here(x)") == []


def test_a_global_name_is_the_modules() -> None:
    source = "x = 1\ndef f():\n    x = 2\n    def g():\n        global x\n        here(x)"
    assert len(lookup(source)) == 1
    assert lookup("def f():\n    global x\n    x = 2\nhere(x)") == ["Assign"]


def test_a_nonlocal_name_is_the_outer_functions() -> None:
    source = "def f(x):\n    def g():\n        nonlocal x\n        x = 2\n    here(x)"
    assert lookup(source) == ["Param", "Assign"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", "a"), ("a.b.c", "a.b.c"), ("a().b", None), ("a[0].b", None), ("1", None)],
)
def test_a_plain_chain_of_names_is_its_text(text: str, expected: str | None) -> None:
    assert dotted(expression(text)) == expected


def test_single_targets_are_taken_apart() -> None:
    found = [dotted(target) for target in targets(expression("a, (b.c, [d, *e])"))]
    assert found == ["a", "b.c", "d", "e"]


def test_what_is_below_a_node_includes_it() -> None:
    whole = expression("f(a, b=1)")
    assert next(below(whole)) is whole
    assert {type(node) for node in below(whole)} >= {cst.Call, cst.Arg, cst.Name, cst.Integer}


def test_children_lie_directly_below() -> None:
    assert [type(node) for node in children(expression("a + b"))] == [cst.Name, cst.Name]
