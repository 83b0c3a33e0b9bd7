"""Fixes in a project's own words."""

from pathlib import Path

import pytest

from neuronlint import engine, registry
from neuronlint.settings import Settings
from neuronlint.style import StyleError, style_of

BEFORE = """\
import torch

model = Net().cuda()
torch.cuda.empty_cache()
x = torch.zeros(2, device="cuda")
with torch.autocast("cuda", dtype=torch.float16):
    y = model(x)
"""


def fixed(source: str, **table: object) -> str:
    settings = Settings(style=style_of(table))
    rules = registry.installed()
    result = engine.fix(source.encode(), Path("a.py"), rules, settings, unsafe=True)
    again = engine.fix(result.source, Path("a.py"), rules, settings, unsafe=True)
    assert again.source == result.source
    return result.source.decode()


def test_torch_is_the_default() -> None:
    assert fixed(BEFORE) == fixed(BEFORE, style="torch")
    assert "DEVICE = torch.accelerator" in fixed(BEFORE)


def test_deepspeed_needs_no_question() -> None:
    text = fixed(BEFORE, style="deepspeed")
    assert text.startswith(
        "from deepspeed.accelerator import get_accelerator\nimport torch\n\n"
        "model = Net().to(get_accelerator().current_device_name())\n"
        "get_accelerator().empty_cache()\n"
    )


def test_accelerate_asks_its_state() -> None:
    text = fixed(BEFORE, style="accelerate")
    assert "from accelerate import PartialState\n" in text
    assert "x = torch.zeros(2, device=PartialState().device)" in text
    assert "torch.autocast(PartialState().device.type, " in text


def test_a_project_states_its_own_expression() -> None:
    text = fixed(
        "import torch\n\nx = torch.zeros(2).cuda()\n",
        device="get_device()",
        imports={"get_device": "from mylib import get_device"},
    )
    assert text == (
        "from mylib import get_device\nimport torch\n\nx = torch.zeros(2).to(get_device())\n"
    )


def test_what_is_imported_already_is_not_imported_again() -> None:
    text = fixed(
        "from mylib import get_device\nimport torch\n\nx = torch.zeros(2).cuda()\n",
        device="get_device()",
        imports={"get_device": "from mylib import get_device"},
    )
    assert text.count("import get_device") == 1


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"style": "tensorflow"}, "device.style: no style 'tensorflow'; there are accelerate, "),
        ({"devise": "x"}, "device.devise: unknown key"),
        ({"guarded": "yes"}, "device.guarded: not a bool"),
        ({"names": {"torch.accelerator.synchronize": 1}}, "device.names: every value is a string"),
    ],
)
def test_a_wrong_style_is_told(table: dict[str, object], message: str) -> None:
    with pytest.raises(StyleError) as error:
        style_of(table)
    assert str(error.value).startswith(message)
