import torch

torch.manual_seed(0)


def bench_matmul(n, warmup=2, iters=5):
    a = torch.randn(n, n, device="cuda")
    b = torch.randn(n, n, device="cuda")
    for _ in range(warmup):
        a @ b
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(iters):
        c = a @ b
    end.record()
    torch.cuda.synchronize()
    ms = start.elapsed_time(end) / iters
    tflops = 2 * n**3 / max(ms, 1e-6) / 1e9
    print(f"{n:5d}  {ms:8.4f} ms  {tflops:8.4f} TFLOP/s")
    return c


def bench_forward(model, x):
    starter, ender = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    timings = []
    with torch.no_grad():
        for rep in range(3):
            starter.record()
            y = model(x)
            ender.record()
            torch.cuda.synchronize()
            timings.append(starter.elapsed_time(ender))
    print("forward mean %.4f ms" % (sum(timings) / len(timings)))
    return y


print("size        time     throughput")
for n in (16, 32, 64):
    c = bench_matmul(n)
model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8)).cuda()
y = bench_forward(model, c)
print("device:", y.device.type)
