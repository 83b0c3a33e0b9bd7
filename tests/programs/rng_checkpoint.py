import random
import tempfile
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.backends.cudnn.deterministic = True


def rng_state():
    return {
        "python": random.getstate(),
        "numpy": np.random.get_state(),
        "cpu": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all(),
    }


def load_rng_state(state):
    random.setstate(state["python"])
    np.random.set_state(state["numpy"])
    torch.set_rng_state(state["cpu"])
    torch.cuda.set_rng_state_all(state["cuda"])


def noisy_steps(model, optimizer, n):
    losses = []
    for _ in range(n):
        x = torch.randn(16, 4, device="cuda") * random.uniform(0.5, 1.5)
        y = x.sum(1, keepdim=True) + float(np.random.randn()) * 0.01
        loss = (model(x) - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    set_seed(0)
    model = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.2), nn.Linear(16, 1)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    noisy_steps(model, optimizer, 3)
    with tempfile.TemporaryDirectory() as d:
        path = Path(d) / "state.pt"
        torch.save({"model": model.state_dict(), "rng": rng_state()}, path)
        first = noisy_steps(model, optimizer, 3)
        saved = torch.load(path, weights_only=False)
    model.load_state_dict(saved["model"])
    load_rng_state(saved["rng"])
    second = noisy_steps(model, optimizer, 3)
    print(first, second)
    assert np.allclose(first, second)
    print("device:", next(model.parameters()).device.type)


if __name__ == "__main__":
    main()
