"""What libcst must not be given is refused, and what it can take is checked."""

from pathlib import Path

import pytest

from neuronlint import engine, registry
from neuronlint.limits import refused

RULES = registry.installed()
CALL = b"tensor.cuda()\n"


def codes(source: bytes) -> list[str]:
    return [finding.code for finding in engine.check(source, Path("a.py"), RULES)]


@pytest.mark.parametrize(
    "source",
    [
        b"y = " + b"(" * 3000 + b"1" + b")" * 3000,
        b"y = " + b"[" * 201 + b"]" * 201,
        b"y = " + b"+".join([b"a"] * 10_000),
        b"y = a" + b".b()" * 5000,
        b"y = " + b"-" * 5000 + b"1",
        b"y = " + b"lambda: " * 2000 + b"1",
        b"y = f'{" + b"(" * 3000 + b"1" + b")" * 3000 + b"}'",
        b'y = rf"""{{ ( {' + b"a+" * 10_000 + b'1}"""',
        b"match y:\n  case " + b"{1: " * 9 + b"a" + b"}" * 9 + b": pass",
        b"y = [" + b"f(1), " * 100_000 + b"]",
        b"y = 1;" * 400_000,
        b"y = '\0'",
        b"y = " * 5000 + b"1",
    ],
    ids=[
        *("brackets", "lists", "sum", "calls", "signs", "lambdas", "braces", "sum in braces"),
        *("pattern", "literal", "line", "null", "assignments"),
    ],
)
def test_what_would_end_the_process_is_a_finding(source: bytes) -> None:
    assert codes(source + b"\n" + CALL) == ["NL001"]


@pytest.mark.parametrize(
    "source",
    [
        b"y = " + b"(" * 199 + b"1" + b")" * 199,
        b"y = " + b"+".join([b"a"] * 700),
        b"y = a" + b".b()" * 350,
        b"if a: pass\n" + b"elif a: pass\n" * 1000,
        b"y = (" + b"'a' " * 2000 + b")",
        b"y = [" + b"-1, " * 2000 + b"]",
        b"y = f'" + b"(" * 300 + b"{a}{{'",
        b"y = f'{a}" + b" and - {{ in" * 900 + b"'",
        b"y = [" + b"f'{a[' + ']}', " * 300 + b"]",
        b"match y:\n  case " + b"[" * 8 + b"a" + b"]" * 8 + b":\n    y = " + b"[" * 9 + b"]" * 9,
        b"y = '" + b"a b " * 500_000 + b"'",
    ],
    ids=[
        *("brackets", "sum", "calls", "elif", "texts", "literal", "text in f-string"),
        *("words in f-string", "quotes in f-string", "pattern", "text"),
    ],
)
def test_what_is_only_long_is_checked(source: bytes) -> None:
    assert codes(source + b"\n" + CALL) == ["NL101"]


@pytest.mark.parametrize("source", [b"x = '" + b"(" * 300 + b"'", b"# " + b"(" * 300])
def test_brackets_in_texts_and_comments_do_not_count(source: bytes) -> None:
    assert refused(source) is None
