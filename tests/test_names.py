"""Which imported thing a name stands for."""

import libcst as cst
import pytest
from sources import asked, parsed


def meaning(source: str) -> str | None:
    module = parsed(source)
    return module.name(asked(module))


def local(qualified: str, source: str) -> str | None:
    """How a dotted name is written where `here` is called."""
    module = parsed(source)
    return module.names.local(qualified, asked(module))


@pytest.mark.parametrize(
    "source",
    [
        "import torch\nhere(torch.cuda.synchronize)",
        "import torch.cuda\nhere(torch.cuda.synchronize)",
        "import torch as th\nhere(th.cuda.synchronize)",
        "import torch.cuda as tc\nhere(tc.synchronize)",
        "from torch import cuda\nhere(cuda.synchronize)",
        "from torch import cuda as gpu\nhere(gpu.synchronize)",
        "from torch.cuda import synchronize\nhere(synchronize)",
        "from torch.cuda import synchronize as wait\nhere(wait)",
        "import os, torch\nhere(torch.cuda.synchronize)",
        "import torch; here(torch.cuda.synchronize)",
    ],
)
def test_every_spelling_of_an_import_means_the_same(source: str) -> None:
    assert meaning(source) == "torch.cuda.synchronize"


def test_a_dotted_import_binds_its_first_part_only() -> None:
    assert meaning("import torch.cuda.amp\nhere(torch.nn)") == "torch.nn"


def test_an_import_below_a_use_counts() -> None:
    assert meaning("def f():\n    here(torch.cuda)\nimport torch") == "torch.cuda"


def test_a_relative_import_is_not_torch() -> None:
    assert meaning("from .torch import cuda\nhere(cuda)") == ".torch.cuda"


def test_a_name_of_the_standard_library_has_its_own_meaning() -> None:
    assert meaning("import os.path as p\nhere(p.join)") == "os.path.join"


def test_an_unbound_name_means_nothing() -> None:
    assert meaning("here(cuda.synchronize)") is None


def test_torch_is_known_where_nothing_binds_it() -> None:
    assert meaning("from common import *\nhere(torch.cuda)") == "torch.cuda"


def test_a_star_import_gives_its_names_no_meaning() -> None:
    assert meaning("from torch.cuda import *\nhere(synchronize)") is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("from numba import cuda", "numba.cuda.jit"),
        ("import cupy as cuda", "cupy.jit"),
        ("from cuda import cudart as cuda", "cuda.cudart.jit"),
        ("import cuda.bindings.driver as cuda", "cuda.bindings.driver.jit"),
        ("from triton.language.extra import cuda", "triton.language.extra.cuda.jit"),
        ("import pycuda.driver as cuda", "pycuda.driver.jit"),
    ],
)
def test_a_cuda_of_another_library_is_not_torchs(line: str, expected: str) -> None:
    assert meaning(f"import torch\n{line}\nhere(cuda.jit)") == expected


def test_a_name_imported_twice_has_no_meaning() -> None:
    source = """
        try:
            from torch.amp import autocast
        except ImportError:
            from torch.cuda.amp import autocast
        here(autocast)
    """
    assert meaning(source) is None


def test_the_same_import_twice_has_its_meaning() -> None:
    assert meaning("import torch\nimport torch\nhere(torch.cuda)") == "torch.cuda"


def test_none_for_a_missing_torch_is_no_other_meaning() -> None:
    source = """
        try:
            import torch
        except ImportError:
            torch = None
        here(torch.cuda)
    """
    assert meaning(source) == "torch.cuda"


def test_a_name_bound_to_something_else_has_no_meaning() -> None:
    assert meaning("import torch\ntorch = make()\nhere(torch.cuda)") is None


@pytest.mark.parametrize(
    "binding",
    [
        "for cuda in found: pass",
        "with opened() as cuda: pass",
        "cuda, rest = pair()",
        "cuda += 1",
        "def cuda(): pass",
        "class cuda: pass",
        "[cuda := 1]",
        "try: pass\nexcept Error as cuda: pass",
        "match found:\n    case [cuda]: pass",
        "match found:\n    case {**cuda}: pass",
    ],
)
def test_whatever_else_binds_a_name_takes_its_meaning(binding: str) -> None:
    assert meaning(f"from torch import cuda\n{binding}\nhere(cuda.synchronize)") is None


def test_a_bare_annotation_binds_nothing() -> None:
    assert meaning("from torch import cuda\ncuda: object\nhere(cuda)") == "torch.cuda"


def test_an_alias_is_followed() -> None:
    assert (
        meaning("import torch\ncu = torch.cuda\nhere(cu.empty_cache)") == "torch.cuda.empty_cache"
    )


def test_an_alias_of_an_alias_is_followed() -> None:
    assert meaning("import torch\na = torch\nb = a.cuda\nhere(b.Event)") == "torch.cuda.Event"


def test_an_annotated_alias_is_followed() -> None:
    assert meaning("import torch\ncu: Any = torch.cuda\nhere(cu.Event)") == "torch.cuda.Event"


def test_an_alias_of_itself_means_nothing() -> None:
    assert meaning("a = b\nb = a\nhere(a.cuda)") is None


def test_a_called_value_is_no_alias() -> None:
    assert meaning("import torch\nevent = torch.cuda.Event()\nhere(event.record)") is None


def test_an_attribute_of_a_call_means_nothing() -> None:
    assert meaning("import torch\nhere(torch.cuda.Event().record)") is None


def test_getattr_with_a_text_is_an_attribute() -> None:
    assert meaning('import torch\nhere(getattr(torch, "cuda").Event)') == "torch.cuda.Event"


def test_getattr_with_a_default_means_nothing() -> None:
    assert meaning('import torch\nhere(getattr(torch, "cuda", None))') is None


def test_getattr_with_a_variable_means_nothing() -> None:
    assert meaning("import torch\nhere(getattr(torch, kind))") is None


def test_an_attribute_name_is_no_reference() -> None:
    module = parsed("from torch import cuda\nx.cuda()\nf(cuda=1)")
    assert "cuda" not in [node.value for node in module.nodes(cst.Name)]


def test_an_assigned_name_is_no_reference() -> None:
    module = parsed("device = 1\ndevice: int = 2")
    assert [node.value for node in module.nodes(cst.Name)] == ["int"]


def test_names_in_an_import_are_no_references() -> None:
    assert parsed("from torch.cuda import amp as cuda").nodes(cst.Name) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import torch\nhere(1)", "torch.accelerator.synchronize"),
        ("import torch as th\nhere(1)", "th.accelerator.synchronize"),
        ("import torch.accelerator as acc\nhere(1)", "acc.synchronize"),
        ("import torch\nfrom torch.accelerator import synchronize\nhere(1)", "synchronize"),
        ("def f():\n    import torch\n    here(1)", "torch.accelerator.synchronize"),
        ("import os\nhere(1)", None),
        ("def f():\n    import torch\nhere(1)", None),
        ("import torch\ndef f(torch):\n    here(1)", None),
        ("import torch\ntorch = make()\nhere(1)", None),
        ("from torch import cuda\nhere(1)", None),
    ],
)
def test_a_name_is_written_with_the_imports_there_are(source: str, expected: str | None) -> None:
    assert local("torch.accelerator.synchronize", source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if ready:\n    import torch as th\nhere(1)", None),
        ("if ready:\n    import torch as th\n    here(1)", "th.device"),
        ("if ready:\n    import torch as th\ndef f():\n    here(1)", None),
        ("if ready:\n    import torch as t\nimport torch\nhere(1)", "torch.device"),
        ("def f():\n    here(1)\n    import torch as t\nimport torch", "torch.device"),
        ("def f():\n    here(1)\nimport torch", "torch.device"),
        ("def f(x=here(1)):\n    pass\nimport torch", None),
        (
            "def f():\n    if x:\n        import torch as t\n    here(1)\nimport torch",
            "torch.device",
        ),
        ("here(1)\nimport torch", None),
        ("if ready:\n    import torch as t\nhere(t.cuda)", "t.device"),
        ("try:\n    import torch\nexcept ImportError:\n    raise\nhere(1)", "torch.device"),
        ("try:\n    import torch\nexcept ImportError:\n    sys.exit(1)\nhere(1)", "torch.device"),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None\nhere(1)", "torch.device"),
        ("import torch\nt = torch\nhere(1)", "torch.device"),
    ],
)
def test_a_name_is_written_with_what_is_surely_bound(source: str, expected: str | None) -> None:
    module = parsed(source)
    assert module.names.local("torch.device", asked(module)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import torch", True),
        ("from torch import nn", True),
        ("from common import *", True),
        ("try:\n    import torch\nexcept ImportError:\n    raise SystemExit", True),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None", False),
        ("try:\n    import torch\nexcept ImportError:\n    HAS = False", False),
        ("if found:\n    import torch", False),
        ("def f():\n    import torch", False),
        ("with suppress(ImportError):\n    import torch", False),
        ("try:\n    import torch\nexcept ImportError:\n    pass\nimport torch.nn", True),
    ],
)
def test_a_file_loads_torch_or_may_do_without(source: str, expected: bool) -> None:
    assert parsed(source).names.loads_torch is expected


def test_a_name_is_not_written_with_an_alias_that_is_set_later() -> None:
    source = "import torch\nhere(1)\nready = torch.accelerator.is_available"
    assert local("torch.accelerator.is_available", source) == "torch.accelerator.is_available"


def test_a_name_is_not_written_with_an_import_for_type_checkers() -> None:
    source = """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            import torch
        here(1)
    """
    assert local("torch.device", source) is None


def test_a_name_bound_once_has_its_value() -> None:
    module = parsed("device = 1\nhere(device)")
    value = module.names.value(asked(module))
    assert isinstance(value, cst.Integer)


@pytest.mark.parametrize("source", ["device = 1\ndevice = 2", "device, b = 1, 2", "device += 1"])
def test_a_name_bound_otherwise_has_no_value(source: str) -> None:
    module = parsed(f"{source}\nhere(device)")
    assert module.names.value(asked(module)) is None


def test_only_module_level_imports_are_listed() -> None:
    module = parsed("from torch import cuda\ndef f():\n    from torch import cuda")
    assert len(module.names.imports("torch.cuda")) == 1
