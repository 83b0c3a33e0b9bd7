"""Which binding of a name counts where it is used."""

import pytest
from sources import asked, parsed


def meaning(source: str) -> str | None:
    module = parsed(source)
    return module.name(asked(module))


@pytest.mark.parametrize(
    "source",
    [
        "def f(torch):\n    here(torch.cuda)",
        "def f(*torch):\n    here(torch.cuda)",
        "def f(*, torch=None):\n    here(torch.cuda)",
        "def f(torch, /):\n    here(torch.cuda)",
        "def f(**torch):\n    here(torch.cuda)",
        "f = lambda torch: here(torch.cuda)",
        "[here(torch.cuda) for torch in found]",
        "[here(torch.cuda) for _, torch in found]",
        "{torch: here(torch.cuda) for torch in found}",
        "def f():\n    torch = make()\n    here(torch.cuda)",
    ],
)
def test_a_nearer_binding_hides_an_import(source: str) -> None:
    assert meaning(f"import torch\n{source}") is None


@pytest.mark.parametrize(
    "source",
    [
        "def f(torch): pass\nhere(torch.cuda)",
        "def f(x=here(torch.cuda), torch=None): pass",
        "@here(torch.cuda)\ndef f(torch): pass",
        "def f(x):\n    torch2 = 1\n    here(torch.cuda)",
        "[torch for torch in found]\nhere(torch.cuda)",
        "class A:\n    torch = make()\nhere(torch.cuda)",
        "class A:\n    torch = make()\n    def f(self):\n        here(torch.cuda)",
        "def f(**options):\n    g(torch=1)\n    here(torch.cuda)",
        "self.torch = make()\nhere(torch.cuda)",
        "def f():\n    def g():\n        here(torch.cuda)",
    ],
)
def test_a_binding_elsewhere_hides_nothing(source: str) -> None:
    assert meaning(f"import torch\n{source}") == "torch.cuda"


def test_the_first_iterable_of_a_comprehension_is_outside_it() -> None:
    assert meaning("import torch\n[torch for torch in here(torch.cuda)]") == "torch.cuda"


def test_a_class_body_sees_its_own_names() -> None:
    assert meaning("class A:\n    from torch import cuda\n    here(cuda)") == "torch.cuda"


def test_an_import_in_one_function_is_unknown_in_another() -> None:
    source = "def f():\n    from torch import cuda\ndef g():\n    here(cuda)"
    assert meaning(source) is None


def test_a_global_statement_binds_at_the_module() -> None:
    source = """
        def load():
            global cuda
            from torch import cuda
        def use():
            here(cuda.Event)
    """
    assert meaning(source) == "torch.cuda.Event"


def test_a_nonlocal_statement_binds_in_the_outer_function() -> None:
    source = """
        def outer():
            from torch import cuda
            def reset():
                nonlocal cuda
                cuda = make()
            here(cuda.Event)
    """
    assert meaning(source) is None


def test_a_walrus_in_a_comprehension_binds_outside_it() -> None:
    source = "from torch import cuda\n[cuda := x for x in found]\nhere(cuda.Event)"
    assert meaning(source) is None


def test_a_walrus_makes_an_alias() -> None:
    assert meaning("import torch\nif cu := torch.cuda:\n    here(cu.Event)") == "torch.cuda.Event"
