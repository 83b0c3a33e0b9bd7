"""How far a fix is trusted where a small difference decides."""

from pathlib import Path

import pytest

from neuronlint import Applicability, engine, registry

SAFE, UNSAFE, NONE = Applicability.SAFE, Applicability.UNSAFE, None
RULES = registry.installed()


def trusts(source: str) -> dict[str, Applicability | None]:
    """How far the fixes in a source are trusted, by line and code."""
    findings = engine.check(f"import torch\n{source}\n".encode(), Path("a.py"), RULES)
    return {
        f"{one.line - 1} {one.code}": one.fix.applicability if one.fix else None for one in findings
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('device = "cuda"', {"1 NL103": SAFE}),
        ('cuda_device = "cuda"', {"1 NL103": UNSAFE}),
        ('GPU_DEVICE: str = "cuda"', {"1 NL103": UNSAFE}),
        ('gpu0_device = torch.device("cuda")', {"1 NL102": UNSAFE}),
        ('class Kind(Enum):\n    DEVICE = "cuda"', {}),
        ('class Kind(str, enum.StrEnum):\n    device = "cuda"', {}),
        ('CUDA_DEVICE = "cuda"\nCPU_DEVICE = "cpu"', {}),
        ('class Names:\n    CPU = "cpu"\n    CUDA_DEVICE = "cuda"', {}),
        ('class Names:\n    OTHER = "cpu"\n    DEVICE = "cuda"', {"3 NL103": SAFE}),
    ],
)
def test_a_label_is_no_device(source: str, expected: dict[str, Applicability | None]) -> None:
    assert trusts(source) == expected


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ("with context():", SAFE),
        ('with torch.autocast("cpu", dtype=torch.bfloat16):', UNSAFE),
        ("with torch.cpu.amp.autocast():", UNSAFE),
        ("with torch.autocast(device.type):", UNSAFE),
        ('with torch.autocast(device.type, enabled=device.type != "cpu"):', SAFE),
    ],
)
@pytest.mark.parametrize("inner", ["torch.cuda.amp.autocast()", 'torch.autocast("cuda")'])
def test_an_autocast_that_is_off_ends_one_of_a_cpu(
    around: str, expected: Applicability, inner: str
) -> None:
    found = trusts(f"{around}\n    with {inner}:\n        pass")
    assert found["2 NL401"] is expected


def test_functions_that_follow_autocast_may_follow_that_of_a_cpu() -> None:
    source = "class F:\n    @torch.cuda.amp.custom_fwd\n    def forward(ctx): pass"
    assert trusts(source) == {"2 NL403": UNSAFE}


def test_isinstance_of_a_class_is_true_of_more_then() -> None:
    assert trusts("isinstance(s, torch.cuda.amp.GradScaler)") == {"1 NL402": UNSAFE}
    assert trusts("s: torch.cuda.amp.GradScaler") == {"1 NL402": SAFE}


@pytest.mark.parametrize(
    ("methods", "expected"),
    [
        ("def to(self, device): pass", {"3 NL102": UNSAFE}),
        ("def to(self, *args): pass", {"3 NL102": UNSAFE}),
        ("def to(self, address): pass", {}),
        ("def to(self): pass", {}),
        ("def other(self): pass", {"3 NL102": SAFE}),
    ],
)
@pytest.mark.parametrize("receiver", ["Own()", "self", "own"])
def test_a_method_of_ones_own_may_take_what_it_likes(
    methods: str, expected: dict[str, Applicability | None], receiver: str
) -> None:
    use = {
        "Own()": "Own().to('cuda')",
        "self": "    def f(self): self.to('cuda')",
        "own": "def f(own: Own): own.to('cuda')",
    }
    assert trusts(f"class Own:\n    {methods}\n{use[receiver]}") == expected


def test_a_method_of_ones_own_is_found_in_a_class_above() -> None:
    source = "class A:\n    def cuda(self): pass\nclass B(A): pass\nclass C(B): pass\nC().cuda()"
    assert trusts(source) == {}


def test_what_moves_to_cuda_by_its_name_does() -> None:
    assert trusts("class A:\n    def cuda(self):\n        return self.x.to('cuda')") == {}


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("print('seeded')", SAFE),
        ("print('seeded', int(n))", SAFE),
        ("random.seed(n)", SAFE),
        ("os.environ['SEED'] = str(n)", SAFE),
        ("print(torch.rand(2))", UNSAFE),
        ("print(describe())", UNSAFE),
        ("os.environ['SEED'] = str(make())", UNSAFE),
        ("self.x = torch.rand(2)", UNSAFE),
        ("n.n = 3", UNSAFE),
        ("n[0] = 3", UNSAFE),
        ("n += 1", UNSAFE),
        ("n = 1", UNSAFE),
        ("random.seed(torch.rand(1).item())", UNSAFE),
    ],
)
def test_between_two_seeds_nothing_may_be_drawn(
    between: str, expected: Applicability | None
) -> None:
    source = f"import os, random\ntorch.manual_seed(n)\n{between}\ntorch.cuda.manual_seed(n)"
    assert trusts(source)["4 NL204"] is expected


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        ("7", SAFE),
        ("self.seed + 1", SAFE),
        ("args['seed']", SAFE),
        ("self.drawn", UNSAFE),
        ("(n := 7)", UNSAFE),
        ("next(seeds)", UNSAFE),
    ],
)
def test_a_seed_is_worked_out_twice_to_the_same(seed: str, expected: Applicability) -> None:
    source = "@property\ndef drawn(self): return random.random()\n"
    source += f"torch.manual_seed({seed})\ntorch.cuda.manual_seed({seed})"
    assert trusts(source)["4 NL204"] is expected


def test_a_condition_that_draws_a_number_stays() -> None:
    source = "torch.manual_seed(1)\nif torch.rand(1) > 0.5:\n    torch.cuda.manual_seed(1)"
    after = engine.fix(f"import torch\n{source}\n".encode(), Path("a.py"), RULES).source
    assert b"torch.rand(1)" in after


def test_a_number_that_is_asked_for_stays() -> None:
    source = 'device = torch.device("cuda:0")\nprint(device.index)'
    assert trusts(source) == {"1 NL102": NONE}


@pytest.mark.parametrize(
    "patch",
    [
        'patch("torch.cuda.synchronize")',
        'mock.patch.object(torch.cuda, "synchronize")',
        'monkeypatch.setattr(torch.cuda, "synchronize", print)',
        'monkeypatch.setattr("torch.cuda.synchronize", print)',
        "torch.cuda.synchronize = print",
        'setattr(torch.cuda, "synchronize", print)',
    ],
)
def test_what_a_file_patches_stays_and_all_else_is_doubted(patch: str) -> None:
    found = trusts(f"{patch}\ntorch.cuda.synchronize()\ntorch.cuda.empty_cache()")
    assert (found["2 NL201"], found["3 NL201"]) == (NONE, UNSAFE)


def test_a_question_that_is_patched_stays() -> None:
    source = '@patch("torch.cuda.is_available")\ndef f(m):\n    print(torch.cuda.is_available())'
    assert trusts(source)["3 NL110"] is NONE


@pytest.mark.parametrize(
    "asserted",
    ['assert f() == "cuda"', 'self.assertEqual(f(), "cuda")', 'assert_equal(x.device, "cuda")'],
)
def test_a_default_that_is_asserted_to_be_cuda_is_doubted(asserted: str) -> None:
    assert trusts(f'device = "cuda"\n{asserted}')["1 NL103"] is UNSAFE


def test_what_is_asserted_is_not_changed() -> None:
    assert trusts('self.assertEqual(x.device, torch.device("cuda"))') == {}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('torch.distributed.init_process_group("nccl")', {"1 NL501": SAFE}),
        ('def f():\n    backend = "nccl"', {"2 NL501": SAFE}),
        ('backend = "nccl"', {"1 NL501": UNSAFE}),
        ('@dataclass\nclass C:\n    backend: str = "nccl"', {"3 NL501": NONE}),
        ('def f(backend="nccl"): pass', {"1 NL501": NONE}),
    ],
)
def test_no_file_asks_for_a_backend_unasked_as_it_is_imported(
    source: str, expected: dict[str, Applicability | None]
) -> None:
    assert trusts(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('x = torch.zeros(1, device=torch.device("cuda"))', SAFE),
        ('device = torch.device("cuda")', SAFE),
        ('gpu = torch.device("cuda")', UNSAFE),
        ('pools = [torch.device("cuda")]', UNSAFE),
    ],
)
def test_a_device_object_may_be_a_label(source: str, expected: Applicability) -> None:
    assert trusts(source)["1 NL102"] is expected


def test_a_device_under_its_own_name_is_one() -> None:
    assert trusts('KINDS = {"cpu": torch.device("cpu"), "cuda": torch.device("cuda")}') == {}


def test_a_default_that_may_be_looked_up_is_doubted() -> None:
    source = 'device = "cuda"\nnames = {"cuda": "GPU", "cpu": "CPU"}'
    assert trusts(source)["1 NL103"] is UNSAFE


def test_a_number_where_an_accelerator_is_stays() -> None:
    source = "if torch.cuda.is_available():\n    x.to(rank)"
    assert trusts(source)["2 NL108"] is NONE


def test_a_scaler_that_is_told_by_its_class_is_not_replaced_unasked() -> None:
    made = "s = torch.cuda.amp.GradScaler(enabled=False)"
    assert trusts(made)["1 NL402"] is SAFE
    assert trusts(f"{made}\nisinstance(s, torch.cuda.amp.GradScaler)")["1 NL402"] is UNSAFE
