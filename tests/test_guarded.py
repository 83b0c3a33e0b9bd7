"""Where a condition holds: in which code, behind which exits, under which decorators."""

import pytest
from sources import known

from neuronlint.conditions import Known


def test_nothing_is_known_behind_a_guarded_block() -> None:
    assert known("if torch.cuda.is_available():\n    pass\nhere()") is Known.NOTHING


def test_nothing_is_known_in_the_condition_itself() -> None:
    assert known("if here() and torch.cuda.is_available():\n    pass") is Known.NOTHING


@pytest.mark.parametrize(
    "source",
    [
        "x = here() if torch.cuda.is_available() else None",
        "x = None if not torch.cuda.is_available() else here()",
        "torch.cuda.is_available() and here()",
        "not torch.cuda.is_available() or here()",
        "while torch.cuda.is_available():\n    here()",
        "if torch.cuda.is_available():\n    for x in y:\n        with z:\n            here()",
        "if torch.cuda.is_available():\n    def f():\n        here()",
        "if a:\n    pass\nelif torch.cuda.is_available():\n    here()",
        "if not torch.cuda.is_available():\n    pass\nelif a:\n    here()",
        "f = lambda: here() if torch.cuda.is_available() else None",
    ],
)
def test_code_runs_only_where_cuda_is(source: str) -> None:
    assert known(source) is Known.AVAILABLE


@pytest.mark.parametrize(
    "source",
    [
        "x = here() if not torch.cuda.is_available() else None",
        "torch.cuda.is_available() or here()",
        "while not torch.cuda.is_available():\n    here()",
        "while torch.cuda.is_available():\n    pass\nelse:\n    here()",
        "x = [torch.cuda.is_available(), here()]",
        "f(torch.cuda.is_available(), here())",
        "if torch.cuda.is_available():\n    pass\nelif a:\n    here()",
        "has_cuda(here()) and x",
        "has_cuda(here()) or x",
    ],
)
def test_code_runs_without_cuda_too(source: str) -> None:
    assert known(source) is Known.NOTHING


@pytest.mark.parametrize(
    "leaves",
    [
        *("return", "return 1", "print(1); return", 'raise unittest.SkipTest("no GPU")'),
        *('pytest.skip("no GPU")', 'self.skipTest("no GPU")'),
    ],
)
def test_a_function_is_left_without_cuda(leaves: str) -> None:
    source = f"def f(self):\n    if not torch.cuda.is_available():\n        {leaves}\n    here()"
    assert known(source) is Known.AVAILABLE


@pytest.mark.parametrize("leaves", ["continue", "break"])
def test_a_turn_of_a_loop_is_left_without_cuda(leaves: str) -> None:
    source = f"for x in y:\n    if not torch.cuda.is_available():\n        {leaves}\n    here()"
    assert known(source) is Known.AVAILABLE


@pytest.mark.parametrize(
    "leaves",
    ["raise RuntimeError('CUDA is required')", "sys.exit()", "exit(1)", "quit()", "os._exit(1)"],
)
def test_a_program_that_stops_without_cuda_leaves_an_accelerator_known(leaves: str) -> None:
    found = known(f"if not torch.cuda.is_available():\n    {leaves}\nhere()")
    assert found is Known.ACCELERATOR


def test_a_program_that_stops_under_another_name_leaves_an_accelerator_known() -> None:
    source = "from sys import exit as leave\nif not torch.cuda.is_available():\n    leave()\nhere()"
    assert known(source) is Known.ACCELERATOR


@pytest.mark.parametrize(
    ("exits", "left"),
    [
        (["if not torch.cuda.is_available():\n    sys.exit()", "assert verbose"], "ACCELERATOR"),
        (["assert torch.cuda.is_available()", "assert verbose"], "ACCELERATOR"),
        (["assert torch.cuda.is_available()", "if x:\n    sys.exit()"], "ACCELERATOR"),
        (["while not torch.cuda.is_available():\n    pass", "if x:\n    sys.exit()"], "NOTHING"),
    ],
)
def test_a_later_exit_takes_back_nothing_of_what_an_earlier_one_left(
    exits: list[str], left: str
) -> None:
    assert known("\n".join([*exits, "here()"])) is Known[left]


def test_what_several_returns_leave_adds_up() -> None:
    source = """
        def f(x):
            if not torch.cuda.is_available():
                return
            if kind == "xpu":
                return
            if not x.is_cuda:
                return
            here()
    """
    assert known(source) is Known.AVAILABLE | Known.BRANCH | Known.DEVICE


def test_an_assert_leaves_an_accelerator_known() -> None:
    assert known("assert torch.cuda.is_available(), 'no GPU'\nhere()") is Known.ACCELERATOR


@pytest.mark.parametrize(
    "source",
    [
        "if not torch.cuda.is_available():\n    print(1)\nhere()",
        "if torch.cuda.is_available():\n    sys.exit()\nhere()",
        "here()\nif not torch.cuda.is_available():\n    sys.exit()",
        "def f():\n    if not torch.cuda.is_available():\n        return\nhere()",
        "if not torch.cuda.is_available():\n    if verbose:\n        sys.exit()\nhere()",
        "if not torch.cuda.is_available():\n    sys.exit\nhere()",
        "if not torch.cuda.is_available() and fast:\n    sys.exit()\nhere()",
    ],
)
def test_nothing_was_left(source: str) -> None:
    assert known(source) is Known.NOTHING


def test_a_function_is_left_when_the_tensor_is_elsewhere() -> None:
    assert known("def f(x):\n    if not x.is_cuda:\n        return x\n    here()") is Known.DEVICE


@pytest.mark.parametrize(
    "decorator",
    [
        "@pytest.mark.skipif(not torch.cuda.is_available(), reason='no GPU')",
        "@unittest.skipIf(not torch.cuda.is_available(), 'no GPU')",
        "@unittest.skipUnless(torch.cuda.is_available(), 'no GPU')",
        "@pytest.mark.skipif(torch.cuda.device_count() < 2, reason='one GPU')",
        "@skip_if(not torch.cuda.is_available())",
        "@skip_unless(torch.cuda.is_available())",
    ],
)
def test_a_test_is_skipped_without_cuda(decorator: str) -> None:
    assert known(f"{decorator}\ndef test_f():\n    here()") is Known.AVAILABLE


@pytest.mark.parametrize(
    "decorators",
    [
        "@pytest.mark.skipif(not torch.cuda.is_available(), reason='')\n@require_gpu",
        "@require_gpu\n@pytest.mark.skipif(not torch.cuda.is_available(), reason='')",
    ],
)
def test_what_several_decorators_leave_adds_up(decorators: str) -> None:
    assert known(f"{decorators}\ndef test_f():\n    here()") is Known.AVAILABLE | Known.NAMED


def test_a_class_of_tests_is_skipped_without_cuda() -> None:
    source = """
        @unittest.skipUnless(torch.cuda.is_available(), "no GPU")
        class Tests:
            def test_f(self):
                here()
    """
    assert known(source) is Known.AVAILABLE


def test_a_decorator_is_named_once_for_many() -> None:
    source = """
        on_card = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")

        @on_card
        def test_f():
            here()
    """
    assert known(source) is Known.AVAILABLE


@pytest.mark.parametrize(
    "decorator",
    ["@require_cuda", "@require_torch_gpu", "@requires_cuda()", "@cuda_only", "@gpu_required"],
)
def test_a_decorator_says_cuda_by_its_name(decorator: str) -> None:
    assert known(f"{decorator}\ndef test_f():\n    here()") is Known.NAMED


@pytest.mark.parametrize(
    "source",
    [
        "@pytest.mark.skipif(torch.cuda.is_available(), reason='x')\ndef f():\n    here()",
        "@unittest.skipIf(here(), 'x')\ndef f():\n    pass",
        "@functools.cache\ndef f():\n    here()",
        "@pytest.mark.parametrize('x', [1])\ndef f():\n    here()",
        "@require_torch\ndef f():\n    here()",
    ],
)
def test_a_decorator_says_nothing(source: str) -> None:
    assert known(source) is Known.NOTHING


@pytest.mark.parametrize(
    "source",
    [
        "{gate}\nclass Test:\n    x = here()",
        "{gate}\nclass Test:\n    def test(self, x=here()):\n        pass",
        "{gate}\ndef test(x=here()):\n    pass",
        "{gate}\ndef test(x: here()):\n    pass",
    ],
)
def test_what_a_skipped_definition_runs_on_import_may_lack_an_accelerator(source: str) -> None:
    found = known(source.format(gate="@unittest.skipIf(not torch.cuda.is_available(), '')"))
    assert not found.accelerated


def test_a_method_of_a_skipped_class_has_its_device() -> None:
    gate = "@pytest.mark.skipif(not torch.cuda.is_available(), reason='')"
    assert known(f"{gate}\nclass Test:\n    def test(self):\n        here()") is Known.AVAILABLE
