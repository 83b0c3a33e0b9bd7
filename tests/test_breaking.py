"""Code that once came to harm by a safe fix, and what is right for it."""

from pathlib import Path

import pytest

from neuronlint import Applicability, engine, registry

RULES = registry.installed()


def fixed(source: str, name: str = "a.py") -> str:
    return engine.fix(source.encode(), Path(name), RULES).source.decode()


@pytest.mark.parametrize(
    "source",
    [
        # A stub runs nothing.
        'import torch\ndef f(device: str = "cuda") -> torch.Tensor: ...\n',
    ],
)
def test_a_stub_is_left_alone(source: str) -> None:
    assert fixed(source, "a.pyi") == source


@pytest.mark.parametrize(
    "source",
    [
        # The CPU may be what the user chose.
        "import torch\ndevice = 'cuda' if args.gpu else 'cpu'\nm = torch.zeros(1).cuda()\n",
        # A subclass may set another device, and a method may run before it is set.
        "import torch\nclass A:\n    def __init__(self):\n        self.device = 'cuda'\n"
        "    def f(self):\n        return torch.zeros(1).cuda()\n",
        # Whether it raises is what is asked.
        "import torch\ntry:\n    torch.zeros(1).cuda()\n    ok = True\nexcept Exception:\n"
        "    ok = False\n",
        # The number is lost.
        "import torch\ndevice = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')\n"
        "m = torch.zeros(1).cuda()\n",
        # A CPU's own autocast around it would end.
        "import torch\nwith torch.autocast('cuda', enabled=False):\n    pass\n",
    ],
    ids=["flag", "field", "try", "number", "autocast"],
)
def test_a_fix_that_may_change_something_is_not_safe(source: str) -> None:
    findings = engine.check(source.encode(), Path("a.py"), RULES)
    doubtful = {"NL101", "NL401"}
    fixes = [f.fix for f in findings if f.code in doubtful and f.fix]
    assert fixes
    assert all(fix.applicability is Applicability.UNSAFE for fix in fixes)


@pytest.mark.parametrize(
    "guard",
    [
        "if torch.cuda.device_count() < want:\n    raise SystemExit\n",
        "if torch.cuda.is_available:\n    pass\nelse:\n    raise SystemExit\n",
        "if not torch.backends.cudnn.is_available():\n    raise SystemExit\n",
    ],
)
def test_what_is_not_certain_needs_a_question(guard: str) -> None:
    source = f"import torch\nwant = int(input())\n{guard}torch.cuda.empty_cache()\n"
    assert "if torch.accelerator.is_available():\n    torch.accelerator.empty_cache()" in fixed(
        source
    )


def test_a_neighbour_that_is_no_stream_stays_outside_the_question() -> None:
    source = "import torch\ntorch.cuda.empty_cache()\nlog.record_event('end')\n"
    assert fixed(source).endswith("\nlog.record_event('end')\n")


def test_a_star_import_does_not_name_torch() -> None:
    assert "*." not in fixed("from torch import *\n\ny = zeros(2).cuda()\n")


@pytest.mark.parametrize(
    "source",
    [
        "parser.add_parser('cuda')\n",
        "find_library('cuda')\n",
        "seen.add('cuda')\n",
        "raise KeyError('cuda')\n",
        "re.search('cuda', text)\n",
        "run_DDP('cuda.txt', [32, 64])\n",
        "class Kind(str, Enum):\n    CPU = 'cpu'\n    GPU = 'cuda'\n",
    ],
)
def test_a_word_that_is_no_device_is_not_found(source: str) -> None:
    assert engine.check(f"import torch\n{source}".encode(), Path("a.py"), RULES) == []


def test_a_number_with_an_operator_keeps_its_meaning() -> None:
    source = b"import torch\nx = torch.zeros(1).cuda(0 if a else 1)\n"
    after = engine.fix(source, Path("a.py"), RULES, unsafe=True).source.decode()
    assert '.to((0 if a else 1) if torch.accelerator.is_available() else "cpu")' in after


@pytest.mark.parametrize(
    ("source", "after"),
    [
        (
            "import torch\n\fclass A: pass\ny = torch.cuda.device_count()\n",
            "import torch\n\fclass A: pass\ny = torch.accelerator.device_count()\n",
        ),
        (
            "import torch\n\\\nx = 1\ny = torch.cuda.device_count()\n",
            "import torch\n\\\nx = 1\ny = torch.accelerator.device_count()\n",
        ),
        (
            "import torch\ntry:\n    f()\nexcept Error :\n    g()\ny = torch.cuda.device_count()\n",
            "import torch\ntry:\n    f()\nexcept Error :\n    g()\n"
            "y = torch.accelerator.device_count()\n",
        ),
    ],
    ids=["form feed", "continued line", "blank before a colon"],
)
def test_blanks_that_the_parser_drops_shift_nothing(source: str, after: str) -> None:
    assert fixed(source) == after
