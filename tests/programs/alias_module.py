import time

import torch
import torch.cuda as cu
import torch.nn as nn

SIZES = [(32, 16), (64, 32)]


class Timer:
    def __enter__(self):
        cu.synchronize()
        self.start = time.perf_counter()
        return self

    def __exit__(self, *exc):
        cu.synchronize()
        self.seconds = time.perf_counter() - self.start


def run(batch, dim):
    cu.empty_cache()
    cu.reset_peak_memory_stats()
    model = nn.LSTM(dim, dim, batch_first=True).cuda()
    x = torch.randn(batch, 5, dim).cuda()
    with Timer() as forward:
        y, _ = model(x)
    with Timer() as backward:
        y.sum().backward()
    return y, forward.seconds, backward.seconds, cu.max_memory_allocated()


def main():
    cu.manual_seed(0)
    for batch, dim in SIZES:
        y, fwd, bwd, peak = run(batch, dim)
        print(f"{batch}x{dim}: forward {fwd * 1e3:.2f} ms, backward {bwd * 1e3:.2f} ms, peak {peak}")
    print("device:", y.device.type)


if __name__ == "__main__":
    main()
