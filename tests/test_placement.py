"""How fixed code names the device, and where the name is bound."""

import pytest
from sources import asked, here, parsed

from neuronlint import edits
from neuronlint.placement import Placed
from neuronlint.rule import NOWHERE

CHOICE = (
    "torch.accelerator.current_accelerator() "
    'if torch.accelerator.is_available() else torch.device("cpu")'
)
BOUND = f"DEVICE = {CHOICE}"
TEXT_CHOICE = CHOICE.replace("accelerator()", "accelerator().type").replace(
    'torch.device("cpu")', '"cpu"'
)


def placed(source: str) -> Placed:
    module = parsed(source)
    return module.placement.object(here(module))


def bound(source: str) -> str:
    """The source with the name of the device bound in it, the choice cut short."""
    module = parsed(source)
    changes, _, _ = edits.merge([module.placement.object(here(module)).fix()])
    return module.source.edited(changes).data.decode().replace(CHOICE, "...")


def text(source: str) -> str:
    module = parsed(source)
    return module.placement.text(here(module)).text


def numbered(expression: str, before: str = "import torch") -> str:
    """How a numbered device is written, given as an argument of `here`."""
    module = parsed(f"{before}\nhere({expression})")
    value = asked(module)
    return module.placement.object(here(module), module.devices.text(value)).text


def test_the_device_is_bound_after_the_imports() -> None:
    assert bound("import torch\nimport os\n\nhere()\n") == (
        "import torch\nimport os\n\nDEVICE = ...\n\nhere()\n"
    )


def test_torch_is_imported_where_it_is_not() -> None:
    assert bound("import os\nhere()\n") == "import torch\nimport os\n\nDEVICE = ...\nhere()\n"


def test_a_file_without_imports_gets_its_first() -> None:
    assert bound("here()\n") == "import torch\n\nDEVICE = ...\nhere()\n"


@pytest.mark.parametrize(
    "head",
    [
        '"""Doc."""\n',
        "from __future__ import annotations\n",
        '"""Doc."""\n\nfrom __future__ import a\n',
        "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# Copyright\n",
        "\n\n",
    ],
)
def test_a_first_import_comes_after_what_must_be_first(head: str) -> None:
    assert bound(f"{head}here()\n") == f"{head}import torch\n\nDEVICE = ...\nhere()\n"


@pytest.mark.parametrize(
    "between",
    [
        '"""A text."""\n',
        'os.environ["X"] = "1"\n',
        'sys.path.append("..")\n',
        "warnings.filterwarnings('ignore')\n",
        "try:\n    import apex\nexcept ImportError:\n    apex = None\n",
        "if TYPE_CHECKING:\n    from a import b\n",
        "if sys.version_info > (3, 11):\n    import tomllib\nelse:\n    import tomli\n",
    ],
)
def test_what_stands_among_the_imports_does_not_end_them(between: str) -> None:
    source = f"import torch\n{between}import numpy\n"
    assert bound(f"{source}\nhere()\n") == f"{source}\nDEVICE = ...\n\nhere()\n"


@pytest.mark.parametrize("between", ["x = 1\n", "def f():\n    pass\n", "x = y.cuda()\n", "f()\n"])
def test_other_code_ends_the_imports(between: str) -> None:
    assert bound(f"import torch\n{between}import numpy\nhere()\n") == (
        f"import torch\n\nDEVICE = ...\n{between}import numpy\nhere()\n"
    )


def test_an_import_over_several_lines_is_not_split() -> None:
    source = "import torch\nfrom a import (\n    b,  # c\n    d,\n)  # e\n"
    assert bound(f"{source}here()\n") == f"{source}\nDEVICE = ...\nhere()\n"


def test_a_late_import_of_torch_comes_first() -> None:
    source = "import os\nx = 1\nimport torch\n"
    assert bound(f"{source}here()\n") == f"{source}\nDEVICE = ...\nhere()\n"


@pytest.mark.parametrize(
    "visible",
    [
        'os.environ["CUDA_VISIBLE_DEVICES"] = "0"\n',
        'os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")\n',
        'os.environ.update(CUDA_VISIBLE_DEVICES="0")\n',
        'if gpu:\n    os.environ["CUDA_VISIBLE_DEVICES"] = gpu\n',
        'x = 1\nos.environ["CUDA_VISIBLE_DEVICES"] = "0"\n',
        'os.environ["NEURON_RT_VISIBLE_CORES"] = "0"\n',
    ],
)
def test_the_device_is_bound_after_what_says_which_are_seen(visible: str) -> None:
    source = f"import os\nimport torch\n{visible}"
    assert bound(f"{source}here()\n") == f"{source}\nDEVICE = ...\nhere()\n"


def test_the_device_is_bound_for_functions_too() -> None:
    assert bound("import torch\n\ndef f():\n    here()\n") == (
        "import torch\n\nDEVICE = ...\n\ndef f():\n    here()\n"
    )


def test_the_last_line_may_lack_its_end() -> None:
    assert bound("import torch; here()") == "import torch; here()"


def test_another_name_of_torch_is_used() -> None:
    assert "DEVICE = th.accelerator.current_accelerator() if th." in bound(
        "import torch as th\nhere()"
    )


def test_a_name_that_holds_the_device_is_used() -> None:
    found = placed('import torch\ndevice = torch.device("cuda")\nhere()')
    assert found == Placed("device", since="")


def test_the_device_is_bound_once() -> None:
    found = placed(f"import torch\n{BOUND}\nhere()")
    assert found == Placed("DEVICE", since="")


@pytest.mark.parametrize(
    "source",
    [
        'import torch\nDEVICE = "Sonos"\nhere()',
        "import torch\nhere()\nDEVICE = 1",
        "import torch\nfrom config import DEVICE\nhere()",
        "import torch\nfrom config import *\nuse(DEVICE)\nhere()",
        "import torch\ndef f(DEVICE):\n    here()",
        "import torch\ndef f():\n    DEVICE = 1\n    here()",
        "import torch\nclass A:\n    DEVICE = 1\n    here()",
        "def f():\n    import torch\n    here()",
        "try:\n    import torch\nexcept ImportError:\n    torch = None\nhere()",
        "if a:\n    import torch\n    here()",
        "import torch; here()",
        'import torch\ndef main():\n    os.environ["CUDA_VISIBLE_DEVICES"] = "0"\n    here()',
        'import torch\nhere()\nos.environ["CUDA_VISIBLE_DEVICES"] = "0"',
    ],
)
def test_the_choice_is_written_out_where_no_name_can_be_bound(source: str) -> None:
    found = placed(source)
    assert (found.text, found.edits, found.is_choice) == (CHOICE, (), True)
    assert found.name == "torch.accelerator.current_accelerator()"


@pytest.mark.parametrize(
    "source", ["if a:\n    import torch\nhere()", "import a\nhere()\nimport torch"]
)
def test_no_device_is_written_before_torch_is_there(source: str) -> None:
    assert NOWHERE in placed(source).edits


def test_a_star_import_alone_takes_no_name() -> None:
    assert placed("import torch\nfrom config import *\nhere()").text == "DEVICE"


def test_a_name_is_taken_in_its_own_scope_only() -> None:
    assert placed("import torch\ndef f():\n    DEVICE = 1\ndef g():\n    here()").text == "DEVICE"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("import torch", "DEVICE.type"),
        ('import torch\ndevice = torch.device("cuda")', "device.type"),
        ('import torch\ndevice = "cuda"', "device"),
        ("import torch\nDEVICE = 1", TEXT_CHOICE),
    ],
)
def test_a_device_is_named_by_its_type_where_a_text_is_due(before: str, expected: str) -> None:
    assert text(f"{before}\nhere()") == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('"cuda:1"', 'f"{DEVICE.type}:1"'),
        ('f"cuda:{rank}"', 'f"{DEVICE.type}:{rank}"'),
        ('"cuda:%d" % (rank)', 'f"{DEVICE.type}:{rank}"'),
        ("f\"cuda:{args['gpu']}\"", "f\"{DEVICE.type}:{args['gpu']}\""),
        ('"cuda:" + args["gpu"]', "f'{DEVICE.type}:{args[\"gpu\"]}'"),
    ],
)
def test_a_number_stays_where_an_accelerator_is(expression: str, expected: str) -> None:
    assert numbered(expression) == f'{expected} if torch.accelerator.is_available() else "cpu"'


def test_number_0_is_the_device_itself_but_for_certain() -> None:
    module = parsed('import torch\nhere("cuda:0")')
    found = module.placement.object(here(module), module.devices.text(asked(module)))
    assert (found.text, found.exact) == ("DEVICE", False)


def test_a_numbered_device_is_named_without_a_variable() -> None:
    assert numbered('"cuda:1"', "import torch\nDEVICE = 1") == (
        'f"{torch.accelerator.current_accelerator().type}:1" '
        'if torch.accelerator.is_available() else "cpu"'
    )


def test_an_integer_is_a_number_of_the_accelerator() -> None:
    module = parsed("import torch\nhere()")
    found = module.placement.integer(here(module), "rank")
    assert found.text == 'rank if torch.accelerator.is_available() else "cpu"'
    assert not found.exact
