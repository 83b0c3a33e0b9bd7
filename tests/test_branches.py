"""Code that handles other backends beside CUDA, or only patches it."""

import libcst as cst
import pytest
from sources import known

from neuronlint.conditions import Known, is_cuda_string, names_backend

PATCHED = [
    'patch("torch.cuda.is_available", here())',
    "mock.patch.object(torch.cuda, here())",
    "monkeypatch.setattr(torch.cuda, 'is_available', here())",
    "setattr(torch.cuda, 'synchronize', here())",
    "monkeypatch.delattr(here(), 'is_available')",
    "mock.patch.multiple(torch.cuda, is_available=here())",
]


def expression(source: str) -> cst.BaseExpression:
    return cst.parse_expression(source)


@pytest.mark.parametrize(
    "source",
    [
        'if kind == "cuda":\n    here()\nelif kind == "xpu":\n    pass',
        'if kind == "xpu":\n    pass\nelif kind == "cuda":\n    here()',
        'if kind == "npu":\n    pass\nelse:\n    here()',
        "if torch.cuda.is_available():\n    here()\nelif torch.mps.is_available():\n    pass",
        'if kind in ("cuda", "xpu", "npu"):\n    here()',
        "if is_torch_xpu_available():\n    pass\nelif x:\n    here()",
        'if hasattr(torch, "xpu"):\n    pass\nelse:\n    here()',
        'x = here() if torch.cuda.is_available() else "mps" if has_mps() else "cpu"',
        'x = "mps" if has_mps() else here() if torch.cuda.is_available() else "cpu"',
        'def f():\n    if kind == "xpu":\n        return 1\n    here()',
        "def f():\n    if torch.xpu.is_available():\n        return 1\n    return here()",
    ],
)
def test_other_backends_have_branches_of_their_own(source: str) -> None:
    assert Known.BRANCH in known(source)


@pytest.mark.parametrize(
    "source",
    [
        'table = {"cuda": here(), "xpu": f}',
        'table = {"xpu": f, "mps": g, "cuda": lambda: here()}',
        'f({"cuda": here(), "npu": 1}[kind])',
    ],
)
def test_other_backends_have_entries_of_their_own(source: str) -> None:
    assert Known.BRANCH in known(source)


@pytest.mark.parametrize(
    "source",
    [
        'if kind == "cuda":\n    here()\nelif kind == "cpu":\n    pass',
        "if torch.cuda.is_available():\n    here()\nelse:\n    pass",
        'if kind == "xpu":\n    pass\nhere()',
        'if kind == "xpu":\n    raise ValueError\nhere()',
        'table = {"cuda": here(), "cpu": f}',
        'x = here() if torch.cuda.is_available() else "cpu"',
        "if torch.cuda.is_available():\n    here()\nif torch.xpu.is_available():\n    pass",
    ],
)
def test_no_other_backend_is_handled_beside_it(source: str) -> None:
    assert Known.BRANCH not in known(source)


@pytest.mark.parametrize("source", PATCHED)
def test_what_is_patched_is_no_use_of_it(source: str) -> None:
    assert Known.BRANCH in known(source)


def test_what_is_patched_is_patched_in_a_with_too() -> None:
    assert Known.BRANCH in known(f"with {PATCHED[0]}:\n    pass")


def test_the_body_of_a_patch_runs_as_ever() -> None:
    assert known('with patch("torch.cuda.is_available"):\n    here()') is Known.NOTHING


@pytest.mark.parametrize(
    "text",
    ["torch.xpu.is_available()", '"mps:0"', "is_npu", "USE_HPU", '"neuron"', "xla", "is_rocm"],
)
def test_an_expression_names_a_backend(text: str) -> None:
    assert names_backend(expression(text))


@pytest.mark.parametrize("text", ["torch.cuda", '"cuda"', '"cpu"', "xpusher", "comps", '"temps"'])
def test_an_expression_names_no_backend(text: str) -> None:
    assert not names_backend(expression(text))


@pytest.mark.parametrize(
    "text", ['"cuda"', "'cuda:1'", 'torch.device("cuda")', 'device("cuda", 0)']
)
def test_an_expression_is_cudas_name(text: str) -> None:
    assert is_cuda_string(expression(text))


@pytest.mark.parametrize(
    "text",
    ['"cpu"', '"cudagraph"', "cuda", 'torch.zeros("cuda")', 'b"cuda"', 'torch.device("cpu")'],
)
def test_an_expression_is_not_cudas_name(text: str) -> None:
    assert not is_cuda_string(expression(text))


def test_what_is_patched_is_no_part_of_what_patches() -> None:
    assert known("here().patch(torch.cuda)") is Known.NOTHING


@pytest.mark.parametrize("caught", ["AttributeError", "(AttributeError, TypeError)", "ImportError"])
def test_what_is_for_an_older_torch_has_a_newer_form_beside_it(caught: str) -> None:
    source = f"try:\n    torch.amp.GradScaler(device)\nexcept {caught}:\n    here()"
    assert known(source) is Known.OLDER


@pytest.mark.parametrize(
    "source",
    [
        'if hasattr(torch, "accelerator"):\n    pass\nelse:\n    here()',
        'x = accelerator() if hasattr(torch, "accelerator") else here()',
        'x = here() if not hasattr(torch, "accelerator") else accelerator()',
    ],
)
def test_what_torch_is_asked_for_has_a_newer_form_beside_it(source: str) -> None:
    assert known(source) is Known.OLDER


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    torch.amp.GradScaler(device)\nexcept RuntimeError:\n    here()",
        "try:\n    torch.amp.GradScaler(device)\nexcept:\n    here()",
        "try:\n    torch.amp.GradScaler(here())\nexcept AttributeError:\n    pass",
        "try:\n    torch.compile(model)\nexcept AttributeError:\n    here()",
    ],
)
def test_what_another_failure_leads_to_has_no_form_beside_it(source: str) -> None:
    assert known(source) is Known.NOTHING
