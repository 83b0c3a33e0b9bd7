import functools
import gc

import torch
import torch.nn as nn


def find_executable_batch_size(function=None, starting_batch_size=64):
    if function is None:
        return functools.partial(find_executable_batch_size, starting_batch_size=starting_batch_size)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        batch_size = starting_batch_size
        while batch_size > 0:
            gc.collect()
            torch.cuda.empty_cache()
            try:
                return function(batch_size, *args, **kwargs)
            except torch.cuda.OutOfMemoryError:
                print(f"out of memory at batch size {batch_size}, halving")
                batch_size //= 2
        raise RuntimeError("no batch size fits")

    return wrapper


BUDGET = 24


@find_executable_batch_size(starting_batch_size=64)
def train(batch_size, model):
    if batch_size > BUDGET:
        raise torch.cuda.OutOfMemoryError("pretend that the batch is too large")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(5):
        x = torch.randn(batch_size, 8, device="cuda")
        try:
            loss = model(x).square().mean()
            loss.backward()
        except (torch.cuda.OutOfMemoryError, ValueError) as e:
            print("skipping batch:", e)
            torch.cuda.empty_cache()
            continue
        optimizer.step()
        optimizer.zero_grad()
    return batch_size, loss


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)).cuda()
    size, loss = train(net)
    assert size == 16
    print("trained with batch size", size, "loss", loss.item())
    print("device:", loss.device.type)
