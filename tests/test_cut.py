"""What is not parsed makes no difference to what is found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from neuronlint import Rule, cut, engine, registry

RULES = registry.installed()
WHOLE = [*RULES, Rule("NL000", "whole", "", __name__)]  # without triggers: nothing is cut
PAD = "".join(f"value_{number} = {number}\n" for number in range(200))
UNUSED = "\n\ndef unused(a, b=1):\n    '''Doc.'''\n    c = a + b\n    return c\n"


def needed(text: str) -> str:
    part = cut.needed(text.encode(), RULES)
    assert part is not None
    return part.decode()


def found(text: str, rules: list[Rule]) -> list[tuple[object, ...]]:
    findings = engine.check(text.encode(), Path("a.py"), rules)
    return [
        (f.line, f.column, f.end_column, f.code, f.message, f.severity, f.fix) for f in findings
    ]


def test_a_function_without_a_word_becomes_pass_and_blanks() -> None:
    text = f"import torch\n{PAD}{UNUSED}\n\nx.cuda()\n"
    part = needed(text)
    assert len(part) == len(text)
    assert "c = a + b" not in part
    assert "def unused(a, b=1):\n    pass  " in part
    assert part.endswith("x.cuda()\n")


@pytest.mark.parametrize(
    "function",
    [
        "def f(x):\n    return x.cuda()\n",
        "class A:\n    def f(self, x):\n        return x.cuda()\n",
        "@skip(torch.cuda.is_available())\ndef f(x):\n    return x\n",
        "def f():\n    global torch\n    torch = 1\n",
    ],
)
def test_a_function_with_a_word_stays(function: str) -> None:
    text = f"import torch\n{PAD}\n\n{function}\n\nx.cuda()\n"
    assert function in needed(text)


@pytest.mark.parametrize(
    ("line", "use"),
    [
        ("from torch.cuda.amp import autocast as ac", "with ac(): pass"),
        (
            "from torch.cuda.amp import (\n    autocast,\n    GradScaler,\n)",
            "with autocast(): pass",
        ),
        ("flag = torch.cuda.is_available()", "y = 1 if flag else 2"),
        ("d = 'cuda'", "x.to(d)"),
        ("for where in ['cpu', 'cuda']: pass", "x.to(where)"),
        ("if 1:\n    Tensor = torch.cuda.FloatTensor", "Tensor(1)"),
    ],
)
def test_a_function_that_uses_what_a_word_gives_a_meaning_stays(line: str, use: str) -> None:
    text = f"import torch\n{line}\n{PAD}\n\ndef f(x):\n    {use}\n"
    assert use in needed(text)


def test_a_file_with_words_in_comments_and_docstrings_alone_needs_nothing() -> None:
    assert cut.needed(b'"""Runs on\ncuda."""\nx = 1  # cuda\n', RULES) is None


@pytest.mark.parametrize("odd", ["x = 'unclosed\n", "f(\n", "x = 1)\n"])
def test_what_looks_odd_stays_whole(odd: str) -> None:
    text = f"import torch\nx.cuda()\n{PAD}{UNUSED}\n{odd}"
    assert needed(text) == text


def sources() -> Iterator[Path]:
    """Real code of ours that mentions CUDA, made long enough to be cut."""
    root = Path(__file__).parent
    yield from sorted((root / "programs").rglob("*.py"))
    yield from sorted((root / "fake_neuron").rglob("*.py"))
    yield from sorted((root / "torch").glob("*.py"))


@pytest.mark.parametrize("path", [*sources()], ids=lambda path: path.stem)
def test_findings_and_fixes_are_those_of_the_whole_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8") + f"\n{PAD}{UNUSED}"
    assert found(text, RULES) == found(text, WHOLE)
