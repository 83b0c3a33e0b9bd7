"""What is not parsed makes no difference to what is found."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import generated
import pytest

from neuronlint import Rule, answers, choice, conditions, cut, engine, own, parsing, registry

RULES = registry.installed()
# A rule that looks at whole files would hide what the others miss.
LINE_RULES = [rule for rule in RULES if not rule.whole]
PAD = "".join(f"value_{number} = {number}\n" for number in range(200))
UNUSED = "\n\ndef unused(a, b=1):\n    '''Doc.'''\n    c = a + b\n    return c\n"


def needed(text: str) -> str:
    part = cut.needed(text.encode(), LINE_RULES)
    assert part is not None
    return part.text.decode()


def found(text: str, rules: list[Rule]) -> list[tuple[object, ...]]:
    findings = engine.check(text.encode(), Path("a.py"), rules)
    return [
        (f.line, f.column, f.end_column, f.code, f.message, f.severity, f.fix) for f in findings
    ]


def test_what_has_no_word_becomes_dots_and_blanks() -> None:
    text = f"import torch\n{PAD}{UNUSED}\n\nx.cuda()\n"
    part = needed(text)
    assert len(part) == len(text)
    assert [line for line in part.split("\n") if line.strip()] == [
        "import torch",
        "...".ljust(len(text) - len("import torch\n\nx.cuda()\n")),
        "x.cuda()",
    ]


@pytest.mark.parametrize(
    ("function", "kept"),
    [
        ("def f(x):\n    y = 1\n    return x.cuda()\n", "return x.cuda()"),
        ("class A:\n    def f(self, x):\n        return x.cuda()\n", "class A:\n    def f("),
        ("@skip(torch.cuda.is_available())\ndef f(x):\n    cuda_f(x)\n", "    cuda_f(x)"),
        ("if torch.cuda.is_available():\n    a()\nelse:\n    cuda_b()\n", "else:\n    cuda_b()"),
        ("def f(x):\n    if cpu:\n        return 1\n    x.cuda()\n", "if cpu:\n        return 1"),
        ("def f(x):\n    x = g()\n    z(x)\n    return x.cuda()\n", "x = g()"),
        ("def f(x):\n    try:\n        x.cuda()\n    except E:\n        pass\n", "except E:"),
    ],
)
def test_what_surrounds_a_word_stays(function: str, kept: str) -> None:
    assert kept in needed(f"import torch\n{PAD}\n\n{function}\n\nx.cuda()\n")


@pytest.mark.parametrize(
    ("line", "use"),
    [
        ("from torch.cuda.amp import autocast as ac", "with ac(): pass"),
        (
            "from torch.cuda.amp import (\n    autocast,\n    GradScaler,\n)",
            "with autocast(): pass",
        ),
        ("flag = torch.cuda.is_available()", "y = 1 if flag else 2"),
        ("d = 'cuda'", "x.to(d)"),
        ("for where in ['cpu', 'cuda']: pass", "x.to(where)"),
        ("if 1:\n    Tensor = torch.cuda.FloatTensor", "Tensor(1)"),
        ("class A:\n    def s(self):\n        self.a, self.b = 'cuda', 1", "x.to(self.a)"),
        ("model.where = 'cuda'", "x.to(model.where)"),
    ],
)
def test_what_uses_a_name_that_a_word_gives_a_meaning_stays(line: str, use: str) -> None:
    text = f"import torch\n{line}\n{PAD}\n\ndef f(x):\n    {use}\n"
    assert use in needed(text)


def test_of_lists_only_the_names_stay_that_something_uses() -> None:
    function = "def f(x, y=1, z=2, *, k=3):\n    c(z.cuda())\n"
    part = needed(f"from a import b, c, d\nfrom e import g, h, i\n{PAD}\n\n{function}")
    assert part.startswith("from a import b, c, d\nfrom e import g      \n")
    assert "def f(x     , z=2, *, k=3):\n" in part


@pytest.mark.parametrize(
    "line", ["use_cuda = 1", "x = 'runs on cuda'", "print('cuda is there')", "a.cudax()"]
)
def test_a_longer_word_and_prose_are_none(line: str) -> None:
    cuda = [rule for rule in RULES if rule.code == "NL101"]
    assert cut.needed(f"{line}\n".encode(), cuda) is None


def test_a_word_in_a_comment_before_the_first_line_keeps_nothing() -> None:
    text = f"import torch\ntorch.cuda.synchronize()\n{PAD}{UNUSED}"
    assert needed(f"# CUDA_VISIBLE_DEVICES=0\n{text}").strip() == needed(text).strip()


def test_a_file_with_words_in_comments_and_docstrings_alone_needs_nothing() -> None:
    assert cut.needed(b'"""Runs on\ncuda."""\nx = 1  # cuda\n', RULES) is None


@pytest.mark.parametrize("odd", ["x = 'unclosed\n", "f(\n", "x = 1)\n"])
def test_what_looks_odd_stays_whole(odd: str) -> None:
    text = f"import torch\nx.cuda()\n{PAD}{UNUSED}\n{odd}"
    assert needed(text) == text


def sources() -> Iterator[Path]:
    """Real code of ours that mentions CUDA, made long enough to be cut."""
    root = Path(__file__).parent
    yield from sorted((root / "programs").rglob("*.py"))
    yield from sorted((root / "fake_neuron").rglob("*.py"))
    yield from sorted((root / "torch").glob("*.py"))


def test_what_fixes_guard_elsewhere_is_what_the_rule_looks_at() -> None:
    streams = registry.find(RULES, "NL205")
    assert {word.decode() for word in choice._GUARDED} == {*streams.context}


def test_every_backend_is_told_in_a_condition() -> None:
    assert all(answers.TELLS.search(word.encode()) for word in conditions.BACKENDS)


@pytest.mark.parametrize("seed", range(40))
def test_findings_and_fixes_in_generated_code_are_those_of_the_whole(seed: int) -> None:
    text = generated.module(Random(seed)).decode("latin-1") + f"\n{PAD}{UNUSED}"
    assert found(text, LINE_RULES) == found(text, [*LINE_RULES, own.WHOLE])


@pytest.mark.parametrize("path", [*sources()], ids=lambda path: path.stem)
def test_what_is_left_is_as_long_and_valid(path: Path) -> None:
    source = path.read_bytes() + f"\n{PAD}{UNUSED}".encode()
    part = cut.needed(source, LINE_RULES)
    if part is not None:
        assert len(part.text) == len(source)
        assert parsing.fault(part.text.decode()) is None


@pytest.mark.parametrize("path", [*sources()], ids=lambda path: path.stem)
def test_findings_and_fixes_are_those_of_the_whole_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8") + f"\n{PAD}{UNUSED}"
    assert found(text, LINE_RULES) == found(text, [*LINE_RULES, own.WHOLE])


LONG = f"\n{PAD}{UNUSED}\n\n"


@pytest.mark.parametrize(
    "source",
    [
        "def lazy():\n    import torch\n    return torch.zeros(1)\n{pad}x.cuda()\n",
        "import torch\nclass Own:\n    def to(self, where):\n        return where\n{pad}"
        "def f(own: Own):\n    return own.to('cuda')\n",
        "import torch\nif 1:\n    a = 1\n    from apex import amp\n{pad}def main():\n"
        "    if not torch.cuda.is_available():\n        raise SystemExit\n",
        "import torch\n{pad}def f(x):\n    try:\n        torch.accelerator.synchronize()\n"
        "    except AttributeError:\n        torch.cuda.synchronize()\n",
        "import torch\n{pad}def g(n, DEVICE=None):\n    return torch.zeros(n).cuda()\n",
        "import torch\n{pad}def f():\n    global DEVICE\n    DEVICE = 1\n\n\n"
        "def g(n):\n    return torch.zeros(n).cuda()\n",
        "import torch\nG = None\n{pad}def f():\n    global G\n    G = torch.cuda\n\n\n"
        "def g():\n    G.synchronize()\n",
        "import torch\nmod = torch.cuda\n{pad}def f():\n    one = mod\n    two = one\n"
        "    two.empty_cache()\n",
        "import torch\n{pad}def f(x):\n    ok = torch.cuda.is_available()\n    fine = ok\n"
        "    if not fine:\n        return x\n    return x.cuda()\n",
        "import torch, unittest\n{pad}@unittest.skipUnless(A, 'a')\n"
        "@unittest.skipUnless(HAS_GPU, 'b')\ndef test():\n    pass\n",
        "import torch\nclass Net:\n    def __init__(self, seed):\n        self.seed = seed\n{pad}"
        "def f():\n    seed = 3 if torch.cuda.is_available() else 4\n    x = seed\n"
        "    torch.manual_seed(x)\n    torch.cuda.manual_seed(x)\n",
        "import torch\ndef make(n, device):\n    return n\n{pad}def f():\n    make(1, 'cuda')\n",
        "import torch\nclass Net:\n    def __init__(self, n, device):\n        self.n = n\n{pad}"
        "Net(1, 'cuda')\n",
        "import torch\nclass A:\n    @property\n    def seed(self):\n        return draw()\n{pad}"
        "def f(a):\n    torch.manual_seed(a.seed)\n    torch.cuda.manual_seed(a.seed)\n",
        "import torch\n{pad}def f():\n    d = torch.device('cuda:0')\n    return d\n\n\n"
        "def g():\n    print(d.index)\n",
        "import torch\n{pad}device = 'cuda'\ndef test():\n    assert device == 'cuda'\n",
        "import torch\n{pad}def test(m):\n    m.setattr(torch.cuda, 'synchronize', print)\n\n\n"
        "torch.cuda.synchronize()\n",
        "import torch\n{pad}def f():\n    with torch.autocast('cpu'):\n        g()\n\n\n"
        "def g():\n    with torch.cuda.amp.autocast():\n        pass\n",
        "import torch\n{pad}class C:\n    def f(self):\n        self.d = 'cuda'\n\n"
        "    def g(self):\n        x.to(self.d)\n",
        "import torch\nclass C:\n    def move(self, x, device):\n        return x\n{pad}"
        "def f():\n    c = C()\n    return c.move(1, 'cuda')\n",
        "import torch\nclass C:\n    def load(self, x, where):\n        return x\n\n"
        "    def f(self):\n        return self.load(1, 'cuda')\n{pad}",
        "import torch\nfrom torch import device as Dev\n{pad}def f(x):\n    where = Dev('cuda')\n"
        "    return x.to(where)\n",
        "import torch\nDev = torch.device\n{pad}def f():\n    spot = Dev('cuda:0')\n"
        "    return spot.index\n",
        "import torch\n{pad}def f():\n    a = 1\n    b = 2\n    c = 3\n    n = c * (a + b)\n"
        "    torch.cuda.set_device(n)\n",
        "import torch\n{pad}def f():\n    y = g(a=1); x = torch.zeros(3)\n    return x.cuda()\n",
        "import torch\n{pad}def f():\n    x = torch.zeros(3)\n    x >>= 1\n    return x.cuda()\n",
        "import torch\nasked: object = torch.cuda.is_available\n{pad}def f(x):\n"
        "    if asked():\n        import apex\n    return x\n",
        "import torch\nHAS = torch.cuda.is_available()\n{pad}def f(x):\n    if HAS:\n"
        "        import apex\n    return x\n",
        "import torch\n{pad}def f(x):\n    fast = torch.cuda.is_available()\n    g(x, fast)\n\n\n"
        "def g(x, fast):\n    if fast:\n        import apex\n",
        "import torch\nfrom torch.cuda import is_available\nHAS = is_available()\n{pad}"
        "def f(x):\n    if not HAS:\n        return x\n    return x.cuda()\n",
        "import torch\nHAS = torch.cuda.is_available()\n{pad}def f(x, args):\n"
        "    fine = HAS and args.fine\n    if not fine:\n        return x\n    return x.cuda()\n",
        "import torch\nHAS = torch.cuda.is_available()\n{pad}def f(x, args):\n"
        "    fine = HAS and args.fine\n    assert fine\n    torch.cuda.synchronize()\n",
        "import sys, torch\n{pad}def setup(x):\n    if torch.cuda.is_available():\n        x = 1\n"
        "    else:\n        x = 2\n        sys.exit(1)\n    return x\n",
        "import sys, torch\n{pad}def setup(x):\n    if not torch.cuda.is_available():\n"
        "        log(1); sys.exit(1)\n    return x\n",
        "import sys\ntry:\n    import torch\nexcept ImportError:\n    log(1)\n    sys.exit(1)\n"
        "{pad}x = m.cuda()\n",
        "import torch\ntry:\n    import a\n    from b import *\nexcept ImportError:\n    pass\n"
        "{pad}def f(x):\n    return x.cuda()\n\n\ndef g():\n    return DEVICE\n",
        "import os, torch, torch.distributed as dist\n{pad}def f():\n    backend = 'nccl'\n",
        "import torch\nfrom torch import Tensor, distributed as dist\n{pad}backend = 'nccl'\n",
        "import torch\n{pad}def f(x, n, device: torch.device):\n    return x.cuda()\n",
        "import torch\n{pad}def f(x, n, torch):\n    return x.cuda()\n",
        "import torch\nfrom torch.cuda.amp import GradScaler\n{pad}"
        "def f(a: 'Dict[str, GradScaler]'):\n    return a\n",
        "import torch\n{pad}def f(seed):\n    torch.manual_seed(seed)\n    import random\n"
        "    torch.cuda.manual_seed(seed)\n",
        "import torch\n{pad}def f(self, seed):\n    torch.manual_seed(seed)\n    self.rank = 0\n"
        "    torch.cuda.manual_seed(seed)\n",
        "import torch\nn = 1\ndef f(x):\n  return x\n{pad}torch.cuda.synchronize()\n",
        "import torch\nn = 1\ndef f(x):\n\treturn x\n{pad}torch.cuda.synchronize()\n",
        "import torch\nfrom torch.nn.attention import bias, sdpa_kernel, SDPBackend\n{pad}"
        "with torch.backends.cuda.sdp_kernel(enable_flash=True):\n    pass\n",
        "import torch\ntry:\n    import cupy\nexcept ImportError:\n    cupy = None\n"
        "{pad}xp = cupy\ndef f(x):\n"
        "    if torch.cuda.is_available():\n        y = xp.asarray(x)\n        return y\n",
        "import torch\n{pad}def f(x):\n    g(x)\n\n\ndef has():\n    return HAS_FLASH_ATTN\n\n\n"
        "def g(x):\n    from flash_attn import a\n    return a\n",
        "import os, torch\nn = 1\nif n:\n    os.environ['CUDA_VISIBLE_DEVICES'] = '0'\n    a = 1\n"
        "    b = 2\n{pad}def f(x):\n    return x.cuda()\n",
        "import torch\nHAS = torch.cuda.is_available()\ns = torch.cuda.Stream()\n{pad}def f(x):\n"
        "    fine = HAS and x\n    if not fine:\n        return\n    x.record_stream(s)\n",
        "import torch\n{pad}CUDA_DEVICE = 'cuda'\nCPU_DEVICE = 'cpu'\n",
        "import argparse\n{pad}p.add_argument('--load-in-8bit', default=True)\n",
        "import torch\nDEVICE_ID = 0\n{pad}x.to(DEVICE_ID)\n",
        "import torch\ndevice: int = 0\n{pad}x.to(device)\n",
        "import torch\n{pad}flag = x.is_cuda\n(a, b) = g()\n",
        "from torch import nn, neuron\n{pad}neuron.trace(1)\n",
    ],
)
def test_what_decides_elsewhere_in_a_file_is_not_cut(source: str) -> None:
    text = source.format(pad=LONG)
    assert found(text, LINE_RULES) == found(text, [*LINE_RULES, own.WHOLE])


@pytest.mark.parametrize(
    ("bound", "use"),
    [
        ("self.a, self.b = torch.cuda.Event(), 1", "self.a.record()"),
        ("other.a = torch.cuda.Event(enable_timing=True)", "other.a.elapsed_time(other.b)"),
        ("other.a = torch.device('cuda:0')", "return other.a.index"),
        ("other.a, other.b = torch.cuda.FloatTensor, 1", "return other.a(3)"),
        ("other.a = torch.cuda.FloatTensor", "return other.a(3)"),
        ("other.place = 'cuda'", "y.to(other.place)"),
        ("(self.a, self.b) = torch.cuda.Stream(), 1", "self.a.wait_stream(self.b)"),
        ("self.a: object = torch.cuda.is_available()", "if self.a:\n            x.to(0)"),
        ("self.x.a = torch.cuda.is_available()", "if self.x.a:\n            pin_memory(x)"),
        ("(self.a) = 'cuda'", "y.to(self.a)"),
        ("self.a = self.b = torch.cuda.Stream()", "with_stream(self.b)"),
        ("with torch.cuda.stream(s) as self.a:\n            pass", "self.a.wait()"),
        ("for self.a in ['cuda']:\n            pass", "y.to(self.a)"),
    ],
)
def test_a_field_that_a_word_gives_a_meaning_means_the_same(bound: str, use: str) -> None:
    method = f"    def g(self, x, y, other):\n        {use}\n"
    text = f"import torch\n{LONG}class C:\n    def f(self, s):\n        {bound}\n\n{method}"
    assert found(text, LINE_RULES) == found(text, [*LINE_RULES, own.WHOLE])


@pytest.mark.parametrize(
    "function",
    [
        "    from torch.a import b, unused_one\n    b(x)\n    c = 1\n    d = 2\n",
        "    from torch.a import (\n        b,\n        unused_one,\n    )\n    b(x)\n    c = 1\n",
    ],
)
def test_what_is_left_has_every_line_where_it_was(function: str) -> None:
    text = f"import torch\n{PAD}\n\ndef f(x):\n{function}\n\nx.cuda()\n"
    part = needed(text)
    assert len(part) == len(text)
    assert "unused_one" not in part
    compile(part, "part", "exec")


@pytest.mark.parametrize("clock", ["from time import sleep, time\n", "time = 3\n", ""])
def test_the_clock_that_fixes_read_is_looked_up(clock: str) -> None:
    head = f"import torch\n{clock}{LONG}def f(x, y, {'' if clock else 'time, '}z):\n"
    pair = "".join(f"    {name} = torch.cuda.Event(enable_timing=True)\n" for name in "se")
    text = f"{head}{pair}    s.record()\n    g(x)\n    e.record()\n    return s.elapsed_time(e)\n"
    assert found(text, LINE_RULES) == found(text, [*LINE_RULES, own.WHOLE])
