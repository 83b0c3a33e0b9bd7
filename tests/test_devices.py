"""Which text means a CUDA device, and what its place expects of it."""

import libcst as cst
import pytest
from sources import asked, parsed

from neuronlint.module import Module
from neuronlint.roles import Role
from neuronlint.spelled import CudaText


def number(found: CudaText | None, module: Module) -> str | None:
    """The device's number as code, empty for none."""
    assert found is not None
    index = found.index
    return module.text(index) if isinstance(index, cst.CSTNode) else index


def text(expression: str) -> str | None:
    module = parsed(f"here({expression})")
    return number(module.devices.text(asked(module)), module)


def role(source: str) -> Role:
    """What the place of the text "cuda" expects."""
    module = parsed(f"import torch\n{source}")
    texts = [n for n in module.nodes(cst.SimpleString) if n.evaluated_value == "cuda"]
    assert len(texts) == 1
    return module.devices.role(texts[0])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('"cuda"', None),
        ("'cuda'", None),
        ('r"cuda"', None),
        ('"cuda:0"', "0"),
        ('"cuda:12"', "12"),
        ('f"cuda:{rank}"', "rank"),
        ('f"cuda:{args.gpu + 1}"', "args.gpu + 1"),
        ('"cuda:" + str(k)', "k"),
        ('"cuda:" + gpu', "gpu"),
        ('"cuda:%d" % rank', "rank"),
        ('"cuda:%s" % rank', "rank"),
        ('"cuda:{}".format(i)', "i"),
        ('"cuda:{0}".format(i)', "i"),
    ],
)
def test_a_text_names_a_cuda_device(expression: str, expected: str | None) -> None:
    assert text(expression) == expected


@pytest.mark.parametrize(
    "expression",
    [
        '"cpu"',
        '"CUDA"',
        '"cuda:"',
        '"cudagraph"',
        '"my cuda"',
        'b"cuda"',
        'f"cuda{rank}"',
        'f"cuda:{rank}:{x}"',
        'f"cuda:{rank:02d}"',
        'f"cuda:{rank!r}"',
        'f"{x}:cuda"',
        '"cuda:%d" % (a, b)',
        '"cuda:%d,%d" % a',
        '"cuda:{}".format(a, b)',
        '"cuda:{}".format(*a)',
        '"cuda:{i}".format(i=1)',
        '"cuda" + x',
        'x + "cuda:"',
        '"cu" "da"',
        "cuda",
    ],
)
def test_a_text_names_no_cuda_device(expression: str) -> None:
    module = parsed(f"here({expression})")
    assert module.devices.text(asked(module)) is None


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('torch.device("cuda")', None),
        ('torch.device("cuda:1")', "1"),
        ('torch.device("cuda", 1)', "1"),
        ('torch.device("cuda", rank)', "rank"),
        ('torch.device(type="cuda")', None),
        ('torch.device(f"cuda:{rank}")', "rank"),
    ],
)
def test_a_call_makes_a_cuda_device(expression: str, expected: str | None) -> None:
    module = parsed(f"import torch\nhere({expression})")
    assert number(module.devices.object(asked(module)), module) == expected


@pytest.mark.parametrize(
    "expression",
    [
        'torch.device("cpu")',
        "torch.device(kind)",
        'torch.device("cuda:0", 1)',
        'device("cuda")',
        'torch.Generator("cuda")',
        "torch.device",
    ],
)
def test_a_call_makes_no_cuda_device(expression: str) -> None:
    module = parsed(f"import torch\nhere({expression})")
    assert module.devices.object(asked(module)) is None


def test_a_device_class_is_known_by_its_import() -> None:
    module = parsed('from torch import device as dev\nhere(dev("cuda"))')
    assert module.devices.object(asked(module)) is not None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('x.to("cuda")', Role.DEVICE),
        ('x.to(device="cuda")', Role.DEVICE),
        ('x.to("cuda" if a else "cpu")', Role.DEVICE),
        ('x.to(kind or "cuda")', Role.DEVICE),
        ('torch.zeros(1, device="cuda")', Role.DEVICE),
        ('torch.Generator("cuda")', Role.DEVICE),
        ('torch.set_default_device("cuda")', Role.DEVICE),
        ('torch.load(p, "cuda")', Role.DEVICE),
        ('torch.load(p, map_location="cuda")', Role.DEVICE),
        ('torch.device("cuda")', Role.DEVICE),
        ('Net(device="cuda")', Role.TYPE),
        ('Net(target_device="cuda")', Role.TYPE),
        ('run("cuda")', Role.OTHER),
        ('run("cuda" if a else "cpu")', Role.TYPE),
        ('load_model(name, "cuda")', Role.TYPE),
        ('to_device(x, "cuda")', Role.TYPE),
        ('def run(device): pass\nrun("cuda")', Role.TYPE),
        ('def run(name): pass\nrun("cuda")', Role.OTHER),
        ('class Net:\n    def __init__(self, n, device): pass\nNet(1, "cuda")', Role.TYPE),
        ('class Net:\n    def __init__(self, name): pass\nNet("cuda")', Role.OTHER),
        ('names = ["cuda"]', Role.OTHER),
        ('def devices(): return ["cuda"]', Role.LISTED),
        ('def names(): return ["cuda"]', Role.OTHER),
        ('run(["cuda", "cpu"])', Role.LISTED),
        ('run(devices=["cuda"])', Role.LISTED),
        ('subprocess.run(["cuda"])', Role.OTHER),
        ('load(device_map={"": "cuda"})', Role.TYPE),
        ('def f(device="cuda"): pass', Role.DEFAULT),
        ('def f(*, dev: str = "cuda"): pass', Role.DEFAULT),
        ('f = lambda device="cuda": device', Role.DEFAULT),
        ('device = "cuda"', Role.ASSIGNED),
        ('device: str = "cuda"', Role.ASSIGNED),
        ('self.device = "cuda"', Role.ASSIGNED),
        ('DEVICE = "cuda"', Role.ASSIGNED),
        ('config["device"] = "cuda"', Role.ASSIGNED),
        ('config = {"device": "cuda"}', Role.ASSIGNED),
        ('if device := "cuda": pass', Role.ASSIGNED),
        ('place = "cuda"\nx.to(place)', Role.ASSIGNED),
        ('place = "cuda"\ntorch.zeros(1, device=place)', Role.ASSIGNED),
        ('def get_device(): return "cuda"', Role.RETURNED),
        ('def device_type(): return "cuda" if a else "cpu"', Role.RETURNED),
        ('for device in ("cpu", "cuda"): pass', Role.LISTED),
        ('devices = ["cuda"]', Role.LISTED),
        ('parametrize("device", ["cpu", "cuda"])', Role.LISTED),
        ('device == "cuda"', Role.COMPARED),
        ('"cuda" in name', Role.COMPARED),
        ('device in ("cpu", "cuda")', Role.COMPARED),
        ('name.startswith("cuda")', Role.COMPARED),
        ('parser.add_argument("--device", default="cuda")', Role.OPTION),
        ('click.option("--device", default="cuda")', Role.OPTION),
        ('parser.add_argument("-d", "--target-device", default="cuda")', Role.OPTION),
        ('device: str = field(default="cuda")', Role.ASSIGNED),
        ('register_op("f", device_types="cuda")', Role.REGISTERED),
        ('library.impl("f", "cuda")', Role.REGISTERED),
        ('torch.autocast("cuda")', Role.AUTOCAST),
        ('torch.amp.GradScaler("cuda")', Role.AUTOCAST),
    ],
)
def test_a_place_expects_something_of_a_text(source: str, expected: Role) -> None:
    assert role(source) is expected


@pytest.mark.parametrize(
    "source",
    [
        '"cuda"',
        'print("cuda")',
        'log.info("cuda")',
        'parts = name.split("cuda")',
        'getattr(torch, "cuda")',
        'hasattr(torch, "cuda")',
        'table = {"cuda": 1}',
        'table = {"kind": "cuda"}',
        'table["cuda"] = 1',
        'backend = "cuda"',
        'def f(backend="cuda"): pass',
        'def name(): return "cuda"',
        'parser.add_argument("--x", help="cuda")',
        'parser.add_argument("cuda")',
        'parser.add_argument("--engine", default="cuda")',
        'f(name="cuda")',
        'f(backend="cuda")',
        'class A(B, kind="cuda"): pass',
        'kinds = ["triton", "cuda"]',
        '"cuda" if a else b',
        'x.to(1 if "cuda" else 2)',
        'place = "cuda"\ndef f(place): x.to(place)',
        'importlib.import_module("cuda")',
        'logging.getLogger("cuda")',
        'Path("cuda")',
    ],
)
def test_a_place_expects_no_device(source: str) -> None:
    assert role(source) is Role.OTHER


@pytest.mark.parametrize(
    "expression",
    [
        *("device", "self.device", "x.device.type", "str(device)", "get_device()", "args.device"),
        *('config["device"]', "device.lower()", "devices[0]", "_device", "device_type", "x.type"),
    ],
)
def test_an_expression_is_a_device_by_how_it_is_written(expression: str) -> None:
    module = parsed(f"here({expression})")
    assert module.devices.is_device(asked(module))


@pytest.mark.parametrize("expression", ["backend", "x", "self.kind", "name()", "1", 'config["x"]'])
def test_an_expression_is_no_device(expression: str) -> None:
    module = parsed(f"here({expression})")
    assert not module.devices.is_device(asked(module))
