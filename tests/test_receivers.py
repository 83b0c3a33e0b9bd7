"""Whose `cuda` method a call is."""

import libcst as cst
import pytest
from sources import parsed

from neuronlint.receivers import Receiver


def moved(source: str) -> Receiver:
    """What the one call of a `cuda` method moves."""
    module = parsed(f"import torch\nimport torch.nn as nn\n{source}")
    calls = [
        call
        for call in module.nodes(cst.Call)
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "cuda"
    ]
    assert len(calls) == 1
    return module.receivers.moved(calls[0])


@pytest.mark.parametrize(
    "source",
    [
        "torch.zeros(1).cuda()",
        "torch.zeros(1).float()[0].long().cuda()",
        "nn.Linear(2, 2).cuda()",
        "x = torch.zeros(1)\nx.cuda()",
        "x = y = torch.zeros(1)\ny.cuda()",
        "x = torch.zeros(1)\nx = x.float()\nx.cuda()",
        "a = torch.zeros(1)\nb = a\nc = a\nx = b\nx = c\nx.cuda()",
        "x = torch.zeros(1)\ny = x\ny.float().cuda(non_blocking=True)",
        "def f(x: torch.Tensor):\n    x.cuda()",
        "def f(model: nn.Module):\n    model.cuda()",
        "class Net(nn.Module):\n    pass\nNet().cuda()",
        "class Net(nn.Module):\n    pass\nmodel = Net()\nmodel.cuda()",
        "class Net(nn.Module):\n    def move(self):\n        self.cuda()",
        "class Net(nn.Module):\n    pass\ndef f(model: Net):\n    model.cuda()",
    ],
)
def test_a_tensor_or_module_is_moved(source: str) -> None:
    assert moved(source) is Receiver.TORCH


@pytest.mark.parametrize(
    "source",
    [
        "x.cuda()",
        "batch['x'].cuda()",
        "self.model.cuda()",
        "make().cuda()",
        "def f(x):\n    x.cuda()",
        "def f(x: Batch):\n    x.cuda()",
        "for x in loader:\n    x.cuda()",
        "from models import net\nnet.cuda()",
        "from models import Net\nNet().cuda()",
        "x = torch.zeros(1)\nx = other()\nx.cuda()",
        "class Net(Base):\n    pass\nNet().cuda()",
        "x.cuda(0)",
        "x.cuda(device)",
        "x.cuda(args.gpu, non_blocking=True)",
        "x.cuda(device=0, non_blocking=True)",
    ],
)
def test_what_is_moved_is_not_certain(source: str) -> None:
    assert moved(source) is Receiver.UNKNOWN


@pytest.mark.parametrize(
    "source",
    [
        "class Box:\n    def cuda(self):\n        pass\nBox().cuda()",
        "class Box(nn.Module):\n    def cuda(self):\n        pass\nbox = Box()\nbox.cuda()",
        "class Box:\n    def cuda(self):\n        pass\ndef f(box: Box):\n    box.cuda()",
        "class Box:\n    def cuda(self):\n        pass\nclass Big(Box):\n    pass\nBig().cuda()",
        "class Box:\n    def cuda(self):\n        return Box(self.x.cuda())",
        "class Box:\n    def cuda(self, *args):\n        return super().cuda(*args)",
        "def cuda(x):\n    return x.cuda()",
    ],
)
def test_a_class_keeps_its_own_method(source: str) -> None:
    assert moved(source) is Receiver.FOREIGN


@pytest.mark.parametrize(
    "source",
    [
        "torch.cuda()",
        "import platform\nplatform.cuda()",
        "import a.b\na.b.cuda()",
        "from requirements import Requirement\nRequirement.cuda(min_sm=(9, 0))",
        "from requirements import Requirement\nRequirement.cuda()",
        "class Need:\n    pass\nNeed.cuda()",
        "requirement.cuda(min_sm=(9, 0))",
        "x.cuda(*args)",
        "x.cuda(**options)",
        "x.cuda(1, 2, 3, 4)",
        "def f(self):\n    super().cuda()",
    ],
)
def test_a_call_moves_nothing(source: str) -> None:
    assert moved(source) is Receiver.FOREIGN


def test_a_function_that_is_no_attribute_has_no_receiver() -> None:
    module = parsed("cuda()")
    assert module.receivers.moved(module.nodes(cst.Call)[0]) is Receiver.FOREIGN


def test_names_assigned_from_each_other_end_somewhere() -> None:
    assert moved("a = b\nb = a\na.cuda()") is Receiver.UNKNOWN


def test_a_name_assigned_from_itself_many_times_is_followed_once() -> None:
    assert moved("x = x.float()\n" * 40 + "x.cuda()") is Receiver.UNKNOWN
