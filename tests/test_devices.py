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
        ('"cuda:%i" % rank', "rank"),
        ('"cuda:" + pick(k)', "pick(k)"),
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
        '"cuda:%d" * 2',
        '"cpu:{}".format(i)',
        '"cuda:{}".join(names)',
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
        ('torch.Stream("cuda")', Role.DEVICE),
        ('torch.Event("cuda")', Role.DEVICE),
        ('torch.get_device_module("cuda")', Role.DEVICE),
        ('torch.distributed.init_device_mesh("cuda", (2,))', Role.DEVICE),
        ('torch.hub.load_state_dict_from_url(u, None, "cuda")', Role.DEVICE),
        ('torch.empty(1, storage_device="cuda")', Role.DEVICE),
        ('torch.f(devices="cuda")', Role.DEVICE),
        ('torch.f("cuda")', Role.TYPE),
        ('torch.f(kind="cuda")', Role.OTHER),
        ('Net(device="cuda")', Role.TYPE),
        ('Net(on_device_x="cuda")', Role.TYPE),
        ('Net(accelerator="cuda")', Role.TYPE),
        ('Net(dev="cuda")', Role.TYPE),
        ('def run(a, /, device): pass\nrun(1, "cuda")', Role.TYPE),
        ('def run(*names): pass\nrun("cuda")', Role.TYPE),
        ('def run(): pass\nrun("cuda")', Role.OTHER),
        ('names = {"cuda", "cpu"} if a else b', Role.LISTED),
        ('names = ["cuda"] + others', Role.LISTED),
        ('names = ["cuda", "meta"]', Role.LISTED),
        ('names = ["cuda", "auto"]', Role.LISTED),
        ('kind in ("triton", "cuda")', Role.OTHER),
        ('parametrize("kind", ["cuda"])', Role.OTHER),
        ('pick("device", ["cuda"])', Role.OTHER),
        ('parser.add_option("--device", default="cuda")', Role.OPTION),
        ('typer.Option("--device", default="cuda")', Role.OPTION),
        ('typer.Argument("--device", default="cuda")', Role.OPTION),
        ('device: str = Field(default="cuda")', Role.ASSIGNED),
        ('kind: str = field(default="cuda")', Role.OTHER),
        ('device = field(kind="cuda")', Role.OTHER),
        ('mine.autocast("cuda")', Role.AUTOCAST),
        ('assertEqual("cuda", name)', Role.COMPARED),
        ('def on_device_x(): return "cuda"', Role.RETURNED),
        ('def accelerator(): return "cuda"', Role.RETURNED),
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
        'place = "cuda"\nx.to(other)',
        'place = "cuda"\nx.index(place)',
        'table[key] = "cuda"',
        'x.pin_memory("cuda")',
        'x.is_pinned("cuda")',
        'DataLoader(d, pin_memory_device="cuda")',
        'load_device(name="cuda")',
        'GPU = "cuda"\nCPU = "cpu"',
        'CUDA_NAME: str = "cuda"\nNAME_CPU: str = "cpu"',
        'class Kind(Enum):\n    device = "cuda"',
        'class Kind(str, enum.StrEnum):\n    device = "cuda"',
        'class Kind(IntFlag):\n    device = "cuda"',
        'Path("cuda")',
    ],
)
def test_a_place_expects_no_device(source: str) -> None:
    assert role(source) is Role.OTHER


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('device = "cuda"\nCPU = "cpu"', Role.ASSIGNED),
        ('cuda_device = "cuda"\nCPU = "gpu"', Role.ASSIGNED),
        ('cuda_device = "cuda"\nkind = "cpu"', Role.ASSIGNED),
        ('cuda_device = "cuda"\ncpu = 1', Role.ASSIGNED),
        ('class Net(Module):\n    device = "cuda"', Role.ASSIGNED),
        ('if a:\n    cuda_device = "cuda"\n    cpu = "cpu"', Role.ASSIGNED),
    ],
)
def test_a_constant_is_a_label_beside_that_of_the_cpu_only(source: str, expected: Role) -> None:
    assert role(source) is expected


@pytest.mark.parametrize(
    "called",
    [
        *("get", "pop", "setdefault", "replace", "split", "join", "count", "index", "find"),
        *("print", "hasattr", "getattr", "setattr", "patch", "strip", "add_argument_group"),
        *("remove", "info", "debug", "warning", "warn", "error", "endswith", "writerow"),
        *("compile", "import_module", "importorskip", "getLogger", "get_logger", "Path"),
        *("which", "open", "partition", "add_parser", "find_library", "add", "discard"),
        *("search", "match", "fullmatch", "variant", "depends_on", "KeyError", "ValueError"),
        *("RuntimeError", "environ", "add_group"),
    ],
)
def test_a_common_function_takes_no_device_but_by_name(called: str) -> None:
    assert role(f'x.{called}("cuda" if a else "cpu")') is Role.OTHER
    assert role(f'x.{called}(device="cuda")') is Role.TYPE


@pytest.mark.parametrize(
    "expression",
    [
        *("device", "self.device", "x.device.type", "str(device)", "get_device()", "args.device"),
        *(
            'config["device"]',
            "device.lower()",
            "devices[0]",
            "repr(device)",
            "device.strip()",
            "_device",
            "device_type",
            "x.type",
        ),
    ],
)
def test_an_expression_is_a_device_by_how_it_is_written(expression: str) -> None:
    module = parsed(f"here({expression})")
    assert module.devices.is_device(asked(module))


@pytest.mark.parametrize(
    "expression",
    ["backend", "x", "self.kind", "name()", "1", 'config["x"]', "pick(device)", "device.upper()"],
)
def test_an_expression_is_no_device(expression: str) -> None:
    module = parsed(f"here({expression})")
    assert not module.devices.is_device(asked(module))


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ('cuda_device = "cuda"', True),
        ('GPU: str = "cuda"', True),
        ('device = "cuda"', False),
        ('device: str = "cuda"', False),
        ('run("cuda")', False),
    ],
)
def test_a_variable_says_cuda_by_its_name(source: str, named: bool) -> None:
    module = parsed(source)
    (text,) = module.nodes(cst.SimpleString)
    assert module.devices.is_named_cuda(text) is named


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("def run(self, device): pass", Role.TYPE),
        ("def run(self, name): pass", Role.OTHER),
        ("def run(device, name): pass", Role.OTHER),
        ("@staticmethod\n    def run(device, name): pass", Role.TYPE),
        ("@staticmethod\n    def run(name, device): pass", Role.OTHER),
    ],
)
def test_a_method_of_ones_own_takes_a_device_by_its_parameter(
    definition: str, expected: Role
) -> None:
    source = f'class A:\n    {definition}\n    def go(self):\n        self.run("cuda")'
    assert role(source) is expected
