import gc
import time

import torch
import torch.nn as nn


def gib(n):
    return n / 1024**3


def report(tag):
    torch.cuda.synchronize()
    print(
        f"[{tag}] allocated {torch.cuda.memory_allocated() / 2**20:.2f} MB, "
        f"peak {torch.cuda.max_memory_allocated() / 2**20:.2f} MB, "
        f"reserved {gib(torch.cuda.memory_reserved()):.4f} GiB"
    )


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        return x + self.net(x)


def profile_step(model, opt, batch_size, dim):
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.synchronize()
    t0 = time.time()
    x = torch.randn(batch_size, dim, device="cuda")
    loss = model(x).pow(2).mean()
    loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
    torch.cuda.synchronize()
    dt = time.time() - t0
    peak = torch.cuda.max_memory_allocated()
    return dt, peak


def main():
    dim = 32
    model = nn.Sequential(*[Block(dim) for _ in range(3)]).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    report("init")
    rows = []
    for bs in (4, 16, 64):
        dt, peak = profile_step(model, opt, bs, dim)
        rows.append((bs, dt, peak))
    for bs, dt, peak in rows:
        print(f"batch {bs:3d} | {dt * 1000:7.2f} ms | {peak / 1e6:8.3f} MB")
    del opt
    gc.collect()
    torch.cuda.empty_cache()
    report("end")
    print("device:", next(model.parameters()).device.type)


if __name__ == "__main__":
    main()
