import os

import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F

# default values, overridden by config.py
max_iters = 1000
batch_size = 12
block_size = 16
learning_rate = 1e-3
device = "cuda"  # examples: 'cpu', 'cuda', 'cuda:0'
dtype = "float32"
note = ""
# -----------------------------------------------------------------------------
config_keys = [k for k, v in globals().items() if not k.startswith("_") and isinstance(v, (int, float, bool, str))]
exec(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "config.py")).read())
config = {k: globals()[k] for k in config_keys}
# -----------------------------------------------------------------------------
assert "device" in config and isinstance(config["device"], str)
print("config:", ", ".join(k + "=" + str(v) for k, v in config.items()))

torch.manual_seed(1337)
device_type = "cuda" if "cuda" in device else "cpu"
data = np.random.default_rng(0).integers(0, 12, 400).cumsum() % 12


def get_batch():
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([torch.from_numpy(data[i : i + block_size].astype(np.int64)) for i in ix])
    y = torch.stack([torch.from_numpy(data[i + 1 : i + 1 + block_size].astype(np.int64)) for i in ix])
    if device_type == "cuda":
        x, y = x.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
    else:
        x, y = x.to(device), y.to(device)
    return x, y


model = nn.Sequential(nn.Embedding(12, 32), nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 12))
model.to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)

for iter_num in range(max_iters):
    X, Y = get_batch()
    loss = F.cross_entropy(model(X).view(-1, 12), Y.view(-1))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if iter_num % 5 == 0:
        print(f"iter {iter_num}: loss {loss.item():.4f}")
print("device:", next(model.parameters()).device.type)
