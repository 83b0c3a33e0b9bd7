"""The names that hold the device at a place."""

import pytest
from sources import here, parsed

from neuronlint.held import Held

CHOICE = 'torch.device("cuda" if torch.cuda.is_available() else "cpu")'


def held(source: str) -> Held | None:
    module = parsed(f"import torch\n{source}")
    return module.devices.held(here(module))


@pytest.mark.parametrize(
    ("value", "is_text"),
    [
        ('"cuda"', True),
        ('"cuda:0"', True),
        ('"cuda" if torch.cuda.is_available() else "cpu"', True),
        ('"cpu" if not torch.cuda.is_available() else "cuda"', True),
        ('torch.device("cuda")', False),
        ('torch.device("cuda", 0)', False),
        (CHOICE, False),
        ('torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")', False),
        ("torch.accelerator.current_accelerator()", False),
        ("torch.accelerator.current_accelerator().type", True),
        ('"cuda" if a else "mps" if b else "cpu"', True),
        ('"mps" if a else "cuda" if b else "cpu"', True),
        ('torch.device("xpu") if a else torch.device("cuda")', False),
        ('torch.accelerator.current_accelerator().type if a else "cpu"', True),
    ],
)
def test_a_variable_holds_the_chosen_device(value: str, is_text: bool) -> None:
    # A fix that drops a number is not safe, nor is a choice by a user's flag every accelerator's.
    settled = "0" not in value and " if a else" not in value
    assert held(f"device = {value}\nhere()") == Held("device", is_text, settled=settled)


@pytest.mark.parametrize("name", ["device", "DEVICE", "dev", "_device", "torch_device"])
def test_a_device_goes_by_a_few_names(name: str) -> None:
    assert held(f'{name} = torch.device("cuda")\nhere()') == Held(name, False)


def test_a_device_of_the_module_is_seen_in_functions() -> None:
    assert held('device = torch.device("cuda")\ndef f():\n    here()') == Held("device", False)


def test_a_variable_holds_what_a_constant_holds() -> None:
    source = 'DEVICE = torch.device("cuda")\ndef f():\n    device = DEVICE\n    here()'
    assert held(source) == Held("device", False)


@pytest.mark.parametrize(
    ("test", "settled"),
    [
        ("torch.cuda.is_available()", True),
        ("torch.accelerator.is_available()", True),
        ("ready", True),
        ("wanted", False),
    ],
)
def test_a_choice_is_settled_where_it_is_torchs_own(test: str, settled: bool) -> None:
    flags = "ready = torch.cuda.is_available()\nwanted = args.fast"
    source = f'{flags}\ndevice = "cuda" if {test} else "cpu"\nhere()'
    assert held(source) == Held("device", True, settled=settled)


def test_a_device_with_a_number_of_its_own_is_chosen_too() -> None:
    source = 'device = torch.device("cuda", 0) if a else torch.device("cpu")\nhere()'
    assert held(source) == Held("device", False, settled=False)


def test_a_device_of_the_function_comes_first() -> None:
    source = 'device = torch.device("cuda")\ndef f():\n    device = "cuda"\n    here()'
    assert held(source) == Held("device", True)


@pytest.mark.parametrize(
    "source",
    [
        "here()",
        'here()\ndevice = "cuda"',
        'device = "cuda"\ndevice = "cpu"\nhere()',
        'if a:\n    device = "cuda"\nhere()',
        'def f():\n    device = "cuda"\nhere()',
        'class A:\n    device = "cuda"\n    def f(self):\n        here()',
        'device = "cuda:1"\nhere()',
        'device = "cpu"\nhere()',
        "device = choose()\nhere()",
        "device = args.device\nhere()",
        'device = "cuda" if a else other\nhere()',
        'device = torch.device("cuda") if a else pick("cpu")\nhere()',
        'device = torch.device("cuda") if a else torch.device(kind)\nhere()',
        'device = pick("cuda" if torch.cuda.is_available() else "cpu")\nhere()',
        "device = torch.accelerator.current_accelerator().index\nhere()",
        'kind = "cuda"\ndevice = kind\nhere()',
        'device = "cuda" if here() else "cpu"',
        'def f(): device = "cuda"; here()',
        'def f():\n    global device\n    device = "cuda"\ndef g():\n    here()',
        'class A:\n    def __init__(self):\n        self.device = "cuda"\n    x = here()',
        'device = "cuda" if a else torch.device("cpu")\nhere()',
        'device = "mps" if a else "cpu"\nhere()',
        'device = "cpu" if a else "cpu"\nhere()',
        'device, x = "cuda", 1\nhere()',
        'for device in ("cuda", "cpu"):\n    here()',
        'place = "cuda"\nhere()',
        "def f(device):\n    here()",
        "def f(device=None):\n    here()",
        "def f(device: str):\n    here()",
        "def f():\n    global device\n    here()\ndevice = 'cuda'",
    ],
)
def test_no_name_holds_the_device(source: str) -> None:
    assert held(source) is None


@pytest.mark.parametrize(
    ("parameter", "is_text"),
    [
        ("device: torch.device", False),
        ('device: torch.device = "cuda"', True),
        ('device="cuda"', True),
        (f"device={CHOICE}", False),
    ],
)
def test_what_a_parameter_holds_is_for_the_caller_to_say(parameter: str, is_text: bool) -> None:
    assert held(f"def f(x, {parameter}):\n    here()") == Held("device", is_text, certain=False)


def test_a_field_that_init_sets_holds_the_device() -> None:
    source = f"""
class Trainer:
    def __init__(self):
        self.device = {CHOICE}
    def step(self):
        here()
"""
    assert held(source) == Held("self.device", False, settled=False)  # a subclass may differ


def test_a_field_may_hold_the_device_as_text() -> None:
    source = 'class A:\n    def __init__(self):\n        self.device = "cuda"\n'
    assert held(f"{source}    def f(self):\n        here()") == Held(
        "self.device", True, settled=False
    )


@pytest.mark.parametrize(
    "body",
    [
        'def __init__(self):\n        here()\n        self.device = "cuda"',
        "def __init__(self, device):\n        self.device = device\n    def f(self): here()",
        'def __init__(self):\n        self.device = "cuda"\n    @staticmethod\n    def f(): here()',
        'def __init__(self):\n        self.device = "cuda"\n        self.device = x\n'
        "    def f(self): here()",
    ],
)
def test_a_field_does_not_hold_the_device(body: str) -> None:
    assert held(f"class Trainer:\n    {body}") is None


def test_a_field_of_another_class_does_not_hold_the_device() -> None:
    source = (
        'class A:\n    def __init__(self):\n        self.device = "cuda"\n'
        "class B:\n    def f(self):\n        here()"
    )
    assert held(source) is None
