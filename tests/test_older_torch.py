"""What a project that supports an older torch is offered."""

from pathlib import Path

import pytest

from neuronlint import engine, registry
from neuronlint.settings import Settings
from neuronlint.style import style_of

RULES = registry.installed()


def fixed(line: str, settings: Settings) -> str:
    """What all fixes make of a line, and with it of the torch that it imports."""
    source = f"import torch\n\n{line}\n".encode()
    result = engine.fix(source, Path("a.py"), RULES, settings, unsafe=True)
    return result.source.decode().removeprefix("import torch\n\n").rstrip("\n")


def told(line: str, torch: str) -> str:
    """The one message about a line."""
    source = f"import torch\n\n{line}\n".encode()
    (finding,) = engine.check(source, Path("a.py"), RULES, Settings(torch))
    return finding.message


@pytest.mark.parametrize(
    ("torch", "line"),
    [
        ("2.5", "torch.cuda.empty_cache()"),
        ("2.6", "torch.get_device_module().empty_cache()"),
        ("2.8", "torch.get_device_module().empty_cache()"),
        ("2.9", "torch.accelerator.empty_cache()"),
        ("", "torch.accelerator.empty_cache()"),
    ],
)
def test_a_function_of_the_device_module_stands_in_for_a_newer_one(torch: str, line: str) -> None:
    text = line if torch == "2.5" else f"if torch.accelerator.is_available():\n    {line}"
    assert fixed("torch.cuda.empty_cache()", Settings(torch)) == text


def test_an_older_form_keeps_its_device_and_the_value_without_one() -> None:
    assert fixed('used = torch.cuda.memory_allocated("cuda:1")', Settings("2.6")) == (
        "used = torch.get_device_module().memory_allocated(1) "
        "if torch.accelerator.is_available() else 0"
    )


@pytest.mark.parametrize("torch", ["2.4", "2.5"])
@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("torch.cuda.synchronize()", "torch.get_device_module().synchronize()"),
        ("torch.cuda.set_device(1)", "torch.get_device_module().set_device(1)"),
        (
            "x = torch.zeros(2, device=torch.cuda.current_device())",
            "x = torch.zeros(2, device=torch.get_device_module().current_device())",
        ),
    ],
)
def test_before_torch_accelerator_only_what_a_cpu_has_too_is_written(
    torch: str, line: str, new: str
) -> None:
    assert fixed(line, Settings(torch)) == new
    assert "get_device_module" not in fixed(line, Settings("2.6"))


def test_a_torch_without_the_older_form_is_told_what_it_needs() -> None:
    message = told("torch.cuda.synchronize()", "2.3")
    assert "`torch.get_device_module().synchronize` does it" in message
    assert message.endswith("(fix needs torch 2.4)")


def test_an_older_form_to_be_written_by_hand_is_told() -> None:
    line = "with torch.cuda.device(1):\n    pass"
    older = "before torch 2.8: `torch.get_device_module().device(index)` where the backend has it"
    assert older in told(line, "2.6")
    assert older not in told(line, "2.8")


def test_a_stream_is_entered_through_its_module_before_it_can_enter_itself() -> None:
    line = "s = torch.cuda.Stream()\nwith torch.cuda.stream(s):\n    pass"
    assert "with torch.get_device_module(DEVICE).stream(s):" in fixed(line, Settings("2.6"))
    assert "with s:" in fixed(line, Settings("2.7"))


def test_the_words_of_a_style_are_no_older_form() -> None:
    settings = Settings("2.8", style=style_of({"style": "deepspeed"}))
    assert "get_device_module" not in fixed("torch.cuda.empty_cache()", settings)


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("torch.cuda.empty_cache()", "get_accelerator().empty_cache()"),
        ("x = y.cuda()", "x = y.to(get_accelerator().current_device_name())"),
        ("x = y.to(f'cuda:{rank}')", "get_accelerator().is_available() else"),
        ("if torch.cuda.is_available(): f()", "if get_accelerator().is_available(): f()"),
        ("with torch.autocast('cuda'): f()", "with torch.autocast(get_accelerator().device_name()"),
    ],
)
def test_the_words_of_a_style_need_no_newer_torch(line: str, new: str) -> None:
    settings = Settings("2.1", style=style_of({"style": "deepspeed"}))
    assert new in fixed(line, settings)


def test_a_style_that_asks_torch_needs_one_that_can_be_asked() -> None:
    names = {"torch.accelerator.empty_cache": "clear"}
    settings = Settings("2.5", style=style_of({"names": names}))
    assert fixed("torch.cuda.empty_cache()", settings) == "torch.cuda.empty_cache()"
    asking = Settings("2.6", style=style_of({"names": names}))
    assert "    clear()" in fixed("torch.cuda.empty_cache()", asking)


def test_a_name_that_holds_the_device_needs_no_newer_torch() -> None:
    line = "def f(x, device: torch.device):\n    return x.cuda()"
    assert fixed(line, Settings("2.0")).endswith("x.to(device)")
