"""The simulated `neuron` device does what its README says."""

from __future__ import annotations

import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[[Path], "subprocess.CompletedProcess[str]"]

PREAMBLE = """
import copy, io
import torch
from torch import nn
from torch.nn import functional as F

DEVICE = torch.device("neuron")

def raises(function, part=""):
    try:
        function()
    except (RuntimeError, AssertionError, TypeError) as error:
        assert part in str(error), error
    else:
        raise SystemExit("did not raise")

def losses(model, inputs, targets, device, steps=5, **options):
    torch.manual_seed(0)
    model, inputs, targets = copy.deepcopy(model).to(device), inputs.to(device), targets.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, **options)
    history = []
    for _ in range(steps):
        loss = F.cross_entropy(model(inputs).flatten(0, -2), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history

def check_training(model, inputs, targets, **options):
    cpu = losses(model, inputs, targets, "cpu", **options)
    neuron = losses(model, inputs, targets, DEVICE, **options)
    torch.testing.assert_close(torch.tensor(neuron), torch.tensor(cpu), atol=1e-4, rtol=1e-4)
    assert neuron[-1] < neuron[0], neuron

torch.manual_seed(0)
"""


@pytest.fixture
def check(on_neuron: Run, tmp_path: Path) -> Callable[[str], None]:
    """Runs statements on the device and fails if they do."""

    def run(body: str) -> None:
        program = tmp_path / "program.py"
        program.write_text(PREAMBLE + textwrap.dedent(body))
        done = on_neuron(program)
        assert done.returncode == 0, done.stdout

    return run


Check = Callable[[str], None]


def test_it_stays_away_without_the_variable(on_cpu: Run, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import torch\n"
        "assert not torch.accelerator.is_available()\n"
        "assert not hasattr(torch, 'neuron')\n"
        "import fake_neuron\n"
        "fake_neuron.enable()\n"
        "assert torch.accelerator.is_available()\n"
    )
    done = on_cpu(program)
    assert done.returncode == 0, done.stdout


def test_it_is_the_current_accelerator(check: Check) -> None:
    check("""
        assert torch.accelerator.is_available() and torch.accelerator.device_count() == 2
        assert torch.accelerator.current_accelerator() == DEVICE
        assert torch.get_device_module() is torch.neuron
        x = torch.randn(3, 3, device="neuron")
        assert (x @ x).device == torch.device("neuron:0") and not x.is_cuda and x.is_neuron
        assert torch.allclose((x @ x).cpu(), x.cpu() @ x.cpu())
    """)


def test_cuda_calls_raise(check: Check) -> None:
    check("""
        raises(lambda: torch.ones(1).cuda())
        raises(lambda: torch.ones(1, device="neuron").cuda())
        raises(lambda: nn.Linear(1, 1).cuda())
        raises(lambda: torch.ones(1, device="cuda"))
        raises(lambda: torch.ones(1).to("cuda"))
        raises(lambda: torch.cuda.synchronize())
    """)


def test_operands_on_two_devices_raise(check: Check) -> None:
    check("""
        a, b, c = torch.ones(2), torch.ones(2, device="neuron"), torch.ones(2, device="neuron:1")
        raises(lambda: a + b, "same device")
        raises(lambda: b + c, "same device")
        raises(lambda: torch.cat([a, b]), "same device")
        raises(lambda: nn.Linear(2, 2)(b), "same device")
        raises(lambda: b.numpy())
        raises(lambda: torch.randn(3, device=DEVICE, generator=torch.Generator()))
        assert (b + torch.tensor(2.0)).cpu().tolist() == [3, 3]
        assert (c.to("neuron:0") + b).sum().item() == 4
    """)


def test_the_device_index_is_kept(check: Check) -> None:
    check("""
        torch.accelerator.set_device_index(1)
        assert torch.ones(2, device="neuron").device.index == 1
        torch.accelerator.set_device_index(0)
        with torch.accelerator.device_index(1):
            assert torch.empty(1, device="neuron").device.index == 1
        with torch.neuron.device("neuron:1"):
            assert torch.neuron.current_device() == 1
        assert torch.accelerator.current_device_index() == 0
        raises(lambda: torch.empty(1, device="neuron:7"), "invalid device ordinal")
    """)


def test_views_and_in_place_writes_share_memory(check: Check) -> None:
    check("""
        def use(x):
            x = x.view(3, 4)
            x.t()[1].mul_(10)
            x[0, :2] = 7
            x[x > 80] = 0
            return torch.add(x, 1, out=torch.empty(0, device=x.device))

        assert torch.equal(use(torch.arange(12.0, device=DEVICE)).cpu(), use(torch.arange(12.0)))
    """)


def test_inference_mode_marks_what_it_marks_on_a_cpu(check: Check) -> None:
    check("""
        def marks(device):
            x = torch.randn(3, 4, device=device)
            with torch.inference_mode():
                made = x + 1
                seen = [x.t().is_inference(), made.is_inference(), made.t().is_inference()]
                x.t().mul_(2)
            return seen, made.t().is_inference(), (made * 1).is_inference(), x._version

        assert marks(DEVICE) == marks("cpu")
    """)


def test_a_perceptron_trains_as_on_a_cpu(check: Check) -> None:
    check("""
        model = nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.GELU(), nn.Linear(32, 5))
        for options in ({}, {"fused": True}):
            check_training(model, torch.randn(8, 16), torch.arange(8) % 5, **options)
    """)


def test_a_convolution_trains_as_on_a_cpu(check: Check) -> None:
    check("""
        model = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.ConvTranspose2d(8, 8, 2, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5),
        )
        check_training(model, torch.randn(8, 3, 8, 8), torch.arange(8) % 5)
    """)


def test_a_transformer_trains_as_on_a_cpu(check: Check) -> None:
    check("""
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
        model = nn.Sequential(nn.Embedding(20, 16), layer, nn.Linear(16, 20))
        check_training(model, torch.randint(20, (4, 9)), torch.randint(20, (4, 9)))
    """)


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_a_recurrent_net_trains_as_on_a_cpu(kind: str, check: Check) -> None:
    check(f"""
        class Recurrent(nn.Module):
            def __init__(self):
                super().__init__()
                self.cells, self.out = nn.{kind}(6, 12, 2, batch_first=True), nn.Linear(12, 5)

            def forward(self, x):
                return self.out(self.cells(x)[0])

        check_training(Recurrent(), torch.randn(4, 7, 6), torch.randint(5, (4, 7)))
    """)


def test_autocast_and_the_scaler_work(check: Check) -> None:
    check("""
        scaler = torch.amp.GradScaler("neuron")
        model = nn.Linear(4, 4).to(DEVICE)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for dtype in (torch.float16, torch.bfloat16):
            with torch.autocast("neuron", dtype=dtype):
                y = model(torch.randn(4, 4, device=DEVICE))
                assert y.dtype == dtype and y.exp().dtype == torch.float32
            scaler.scale(y.float().mean()).backward()
            scaler.step(optimizer)
            scaler.update()
        assert scaler.is_enabled() and not torch.is_autocast_enabled("neuron")
    """)


def test_pinned_batches_arrive(check: Check) -> None:
    check("""
        data = torch.utils.data.TensorDataset(torch.arange(16.0))
        total = 0
        for workers in (0, 1):
            loader = torch.utils.data.DataLoader(data, 4, pin_memory=True, num_workers=workers)
            for (x,) in loader:
                assert x.is_pinned()
                total += x.to(DEVICE, non_blocking=True).sum().item()
        assert total == 240
    """)


def test_checkpoints_come_back(check: Check) -> None:
    check("""
        def saved(value):
            file = io.BytesIO()
            torch.save(value, file)
            file.seek(0)
            return file

        x = torch.arange(3, device=DEVICE)
        assert torch.load(saved(x)).device == torch.device("neuron:0")
        assert torch.load(saved(x), map_location="cpu").device.type == "cpu"
        assert torch.load(saved(x), map_location="neuron:1").device.index == 1
        assert torch.load(saved(x.cpu()), map_location=DEVICE).is_neuron
        state = nn.Linear(2, 2).to(DEVICE).state_dict()
        nn.Linear(2, 2).load_state_dict(torch.load(saved(state), map_location="cpu"))
    """)


def test_a_checkpoint_of_a_cuda_machine_needs_map_location(check: Check) -> None:
    check("""
        import zipfile

        file, changed = io.BytesIO(), io.BytesIO()
        torch.save(torch.arange(3, device=DEVICE), file)
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(changed, "w") as new:
            for entry in old.infolist():
                data = old.read(entry)
                if entry.filename.endswith("data.pkl"):
                    mark = b"X\\x08\\x00\\x00\\x00neuron:0"
                    assert mark in data
                    data = data.replace(mark, b"X\\x06\\x00\\x00\\x00cuda:0")
                new.writestr(entry.filename, data)
        changed.seek(0)
        raises(lambda: torch.load(changed), "CUDA device")
        changed.seek(0)
        assert torch.load(changed, map_location=DEVICE).is_neuron
    """)


def test_streams_and_events_work(check: Check) -> None:
    check("""
        stream = torch.Stream(DEVICE)
        with stream:
            assert torch.accelerator.current_stream() == stream
            torch.ones(4, device=DEVICE).record_stream(stream)
        start, end = torch.Event(enable_timing=True), torch.Event(enable_timing=True)
        start.record()
        torch.randn(50, 50, device=DEVICE) @ torch.randn(50, 50, device=DEVICE)
        end.record()
        torch.accelerator.synchronize()
        stream.wait_event(start)
        stream.wait_stream(torch.accelerator.current_stream())
        assert stream.query() and end.query() and start.elapsed_time(end) > 0
    """)


def test_memory_statistics_follow_allocations(check: Check) -> None:
    check("""
        accelerator = torch.accelerator
        accelerator.empty_cache()
        accelerator.reset_peak_memory_stats()
        before = accelerator.memory_allocated()
        x = torch.empty(1 << 20, device=DEVICE)
        assert accelerator.memory_allocated() == before + (4 << 20)
        free, total = accelerator.get_memory_info()
        assert free < total
        del x
        assert accelerator.memory_allocated() == before
        assert accelerator.max_memory_allocated() == before + (4 << 20)
    """)


def test_seeds_repeat(check: Check) -> None:
    check("""
        def numbers(**options):
            return torch.rand(3, device=DEVICE, **options).tolist()

        torch.manual_seed(5)
        first = numbers()
        torch.manual_seed(5)
        state = torch.neuron.get_rng_state_all()
        assert numbers() == first != numbers()
        torch.neuron.set_rng_state_all(state)
        assert numbers() == first
        generator = torch.Generator(device=DEVICE).manual_seed(1)
        drawn = numbers(generator=generator)
        assert numbers(generator=generator.manual_seed(1)) == drawn
    """)


def test_it_can_be_the_default_device(check: Check) -> None:
    check("""
        with DEVICE:
            assert nn.Linear(2, 2).weight.is_neuron
        torch.set_default_device(DEVICE)
        assert torch.randn(2).is_neuron
    """)


def test_two_processes_train_together(check: Check) -> None:
    check("""
        import os
        import tempfile
        import torch.distributed as dist
        import torch.multiprocessing as mp

        def work(rank, store):
            torch.accelerator.set_device_index(rank)
            backend = dist.get_default_backend_for_device(DEVICE)
            assert backend == "neuron", backend
            dist.init_process_group(backend, init_method=store, rank=rank, world_size=2)
            model = nn.Linear(4, 2).to(f"neuron:{rank}")
            model = nn.parallel.DistributedDataParallel(model, device_ids=[rank])
            model(torch.full((3, 4), float(rank + 1), device=f"neuron:{rank}")).sum().backward()
            assert (model.module.weight.grad == 4.5).all()
            total = torch.ones(2, device=f"neuron:{rank}")
            dist.all_reduce(total)
            assert total.tolist() == [2, 2]
            dist.destroy_process_group()
            os._exit(0)  # gloo may abort a process that ends while the other's threads still do

        if __name__ == "__main__":
            with tempfile.TemporaryDirectory() as folder:
                mp.spawn(work, args=(f"file://{folder}/store",), nprocs=2)
    """)


def test_compile_takes_the_neuron_backend_and_no_inductor(check: Check) -> None:
    check("""
        model = nn.Linear(4, 4).to(DEVICE)
        torch.compile(model, backend="neuron")(torch.randn(2, 4, device=DEVICE)).sum().backward()
        assert model.weight.grad.is_neuron
        raises(lambda: torch.compile(lambda x: x.sin() + 1)(torch.ones(3, device=DEVICE)), "neuron")
    """)


def test_what_it_lacks_raises(check: Check) -> None:
    check("""
        raises(lambda: torch.eye(3, device=DEVICE).to_sparse(), "not supported")
        raises(lambda: torch.accelerator.Graph(), "not supported")
    """)
