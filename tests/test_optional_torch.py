"""What is fixed in a file that may be loaded without torch."""

from pathlib import Path

import pytest

from neuronlint import Applicability, Finding, engine, registry

RULES = registry.installed()
OPTIONAL = "try:\n    import torch\nexcept ImportError:\n    torch = None\n\n\n"


def found(source: str) -> Finding:
    (one,) = engine.check(source.encode(), Path("a.py"), RULES)
    return one


def trust(source: str) -> Applicability | None:
    """How far the fix of the one finding is trusted."""
    one = found(source)
    return one.fix.applicability if one.fix else None


def fixed(source: str) -> str:
    return engine.fix(source.encode(), Path("a.py"), RULES, unsafe=True).source.decode()


@pytest.mark.parametrize(
    "statement",
    [
        'def move(x, device="cuda"):\n    pass',
        'device = "cuda"',
        'class Config:\n    device: str = "cuda"',
        'parser.add_argument("--device", default="cuda")',
    ],
)
def test_what_runs_as_the_file_is_loaded_stays(statement: str) -> None:
    assert trust(OPTIONAL + statement) is None
    assert trust("import torch\n" + statement) is Applicability.SAFE


@pytest.mark.parametrize(
    "optional",
    [
        OPTIONAL,
        "try:\n    import torch\nexcept ImportError:\n    HAS_TORCH = False\n",
        "with suppress(ImportError):\n    import torch\n",
        "if find_spec('torch'):\n    import torch\n",
        "try:\n    from torch import nn\nexcept ImportError:\n    nn = None\n",
        "def lazy():\n    import torch\n",
    ],
)
def test_no_way_to_lack_torch_lets_it_in(optional: str) -> None:
    assert fixed(f'{optional}device = "cuda"\n') == f'{optional}device = "cuda"\n'


def test_a_function_that_may_be_called_without_torch_is_fixed_on_demand() -> None:
    assert trust(f"{OPTIONAL}def f(x):\n    return x.cuda()") is Applicability.UNSAFE


def test_code_that_goes_by_torch_has_it() -> None:
    source = f"{OPTIONAL}def f():\n    torch.cuda.synchronize()"
    assert trust(source) is Applicability.SAFE


def test_a_condition_may_ask_for_torch() -> None:
    source = f'{OPTIONAL}if torch is not None:\n    device = "cuda"'
    assert trust(source) is Applicability.UNSAFE


@pytest.mark.parametrize(
    "source",
    [
        "from torch import cuda\n\n\ndef f(torch):\n    cuda.synchronize()\n",
        "from torch import cuda\n\n\ndef f():\n    torch = 3\n    cuda.synchronize()\n",
        "from torch import cuda\n\ntorch = make()\ncuda.synchronize()\n",
        "from torch import cuda\n\n\ndef f():\n    cuda.synchronize()\n    import torch\n",
    ],
)
def test_torch_is_not_written_where_the_name_means_something_else(source: str) -> None:
    assert fixed(source) == source


def test_torch_is_imported_where_only_a_part_of_it_is() -> None:
    source = "from torch import cuda\n\ncuda.empty_cache()\n"
    assert fixed(source).startswith("import torch\n")
