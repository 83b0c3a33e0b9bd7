"""What a condition says about CUDA."""

import pytest
from sources import known

from neuronlint.conditions import Known


def inside(condition: str) -> Known:
    return known(f"if {condition}:\n    here()")


def beside(condition: str) -> Known:
    return known(f"if {condition}:\n    pass\nelse:\n    here()")


@pytest.mark.parametrize(
    "condition",
    [
        "torch.cuda.is_available()",
        "torch.cuda.device_count() > 1",
        "torch.cuda.device_count() >= 1",
        "torch.cuda.device_count() != 0",
        "torch.cuda.device_count()",
        "torch.cuda.get_device_capability() >= (8, 0)",
        "not not torch.cuda.is_available()",
        "bool(torch.cuda.is_available())",
        "(ok := torch.cuda.is_available())",
        "(True if torch.cuda.is_available() else False)",
        "torch.cuda.is_available() is True",
        "torch.cuda.is_initialized()",
        "torch.cuda.is_bf16_supported()",
        "torch.cuda.is_available() and verbose",
        "verbose and torch.cuda.is_available()",
        "not (verbose or not torch.cuda.is_available())",
    ],
)
def test_cuda_was_asked_for(condition: str) -> None:
    assert inside(condition) is Known.AVAILABLE


@pytest.mark.parametrize(
    "condition",
    [
        "not torch.cuda.is_available()",
        "torch.cuda.device_count() == 0",
        "torch.cuda.device_count() < 2",
        "not torch.cuda.is_available() or verbose",
        "torch.cuda.device_count() == -1",
    ],
)
def test_cuda_was_ruled_out_in_the_other_branch(condition: str) -> None:
    assert inside(condition) is Known.NOTHING
    assert beside(condition) is Known.AVAILABLE


@pytest.mark.parametrize(
    "condition",
    [
        "args.cuda",
        "use_cuda",
        "self.use_gpu",
        "USE_CUDA",
        "CUDA",
        "has_cuda",
        "is_cuda_available()",
        "opt.cuda is not None",
        "args.gpu is not None",
        "args.gpu >= 0",
        "args.gpu != -1",
        "n_gpu > 1",
        "num_gpus",
        "gpu_available",
        "not args.no_cuda",
        "not opt.disable_cuda",
        "not args.cpu",
        'hasattr(torch, "cuda")',
        "torch.backends.cuda.is_built()",
    ],
)
def test_a_flag_says_cuda_by_its_name(condition: str) -> None:
    assert inside(condition) is Known.NAMED


@pytest.mark.parametrize(
    "condition",
    [
        "x.is_cuda",
        "self.weight.is_cuda",
        "current_platform.is_cuda()",
        'device.type == "cuda"',
        'device == "cuda"',
        '"cuda" == device',
        'device == torch.device("cuda")',
        'device == "cuda:0"',
        '"cuda" in str(device)',
        'device.startswith("cuda")',
        'not device.type != "cuda"',
        'kind is "cuda"',
    ],
)
def test_the_device_at_hand_is_cudas(condition: str) -> None:
    assert inside(condition) is Known.DEVICE


@pytest.mark.parametrize(
    "condition",
    [
        'device != "cuda"',
        '"cuda" != device',
        'kind is not "cuda"',
        '"cuda" not in str(device)',
        "not x.is_cuda",
    ],
)
def test_the_device_is_cudas_in_the_other_branch(condition: str) -> None:
    assert inside(condition) is Known.NOTHING
    assert beside(condition) is Known.DEVICE


@pytest.mark.parametrize("condition", ["args.gpu is None", "args.gpu == -1", "not use_cuda"])
def test_a_flag_says_cuda_in_the_other_branch(condition: str) -> None:
    assert beside(condition) is Known.NAMED


@pytest.mark.parametrize(
    "condition",
    ["args.gpu == -2", "args.gpu == +1", "torch.cuda.device_count() == 2", "~use_cuda", "use_cuda"],
)
def test_a_condition_says_nothing_in_the_other_branch(condition: str) -> None:
    assert beside(condition) is Known.NOTHING


def test_where_extensions_are_built_a_toolkit_says_cuda() -> None:
    source = "from torch.utils.cpp_extension import CUDA_HOME as home\nif home:\n    here()"
    assert known(source) is Known.NAMED


@pytest.mark.parametrize(
    "condition",
    [
        "verbose",
        "torch.cuda.is_available() or verbose",
        "verbose or torch.cuda.is_available()",
        "torch.cuda.device_count() != 2",
        "torch.cuda",
        "(y if torch.cuda.is_available() else False)",
        "(True if torch.cuda.is_available() else y)",
        '"cpu" in str(device)',
        'device.endswith("cuda")',
        'pick("cuda")',
        "x.is_cuda or y",
        'device.type == "cpu"',
        'device.type != "cpu"',
        'device.type != "cuda"',
        '"cuda" not in str(device)',
        'not device.startswith("cuda")',
        "not x.is_cuda",
        "args.no_cuda",
        "not use_cuda",
        "cuda_version >= 11",
        "scuda",
        "args.gpu is None",
        "torch.version.cuda is None",
        'hasattr(torch, "compile")',
        'hasattr(x, "cuda_graph")',
        'name == "cudagraph"',
        "config.cuda.enabled",
        "torch.is_tensor(x)",
        "numba.cuda.is_ready()",
    ],
)
def test_a_condition_says_nothing_about_cuda(condition: str) -> None:
    assert inside(condition) is Known.NOTHING


def test_any_accelerator_was_asked_for() -> None:
    found = inside("torch.accelerator.is_available()")
    assert found is Known.ACCELERATOR
    assert found.accelerated
    assert not found.cuda


@pytest.mark.parametrize(
    "flag",
    [
        "ready = torch.cuda.is_available()",
        "ready: bool = torch.cuda.is_available()",
        "ready = not args.no_gpu and torch.cuda.is_available()",
        "ready = torch.cuda.device_count() > 0",
        "found = torch.cuda.is_available()\nready = found",
        "ready = True if torch.cuda.is_available() else False",
    ],
)
def test_a_flag_holds_what_it_was_set_from(flag: str) -> None:
    assert Known.AVAILABLE in known(f"{flag}\nif ready:\n    here()")


def test_a_flag_that_is_set_twice_says_nothing() -> None:
    source = "ready = torch.cuda.is_available()\nready = True\nif ready:\n    here()"
    assert known(source) is Known.NOTHING


def test_a_flag_is_followed_through_functions() -> None:
    source = """
        ready = torch.cuda.is_available()
        def f():
            if ready:
                here()
    """
    assert known(source) is Known.AVAILABLE


def test_a_parameter_hides_a_flag() -> None:
    source = """
        ready = torch.cuda.is_available()
        def f(ready):
            if ready:
                here()
    """
    assert known(source) is Known.NOTHING


def test_flags_set_from_each_other_end_somewhere() -> None:
    assert known("a = b\nb = a\nif a:\n    here()") is Known.NOTHING


@pytest.mark.parametrize(
    "condition",
    [
        "torch.backends.cudnn.is_available()",
        "torch.version.cuda",
        "torch.version.cuda is not None",
        "torch.cuda.device_count() >= want",
    ],
)
def test_a_build_or_an_unknown_number_makes_no_accelerator_certain(condition: str) -> None:
    found = inside(condition)
    assert Known.NAMED in found
    assert not found.accelerated


@pytest.mark.parametrize(
    "condition", ["torch.cuda.is_available", "torch.cuda.is_available() is not True"]
)
def test_what_asks_nothing_tells_nothing_certain(condition: str) -> None:
    assert not inside(condition).accelerated
