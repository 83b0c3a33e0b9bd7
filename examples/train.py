"""A training script as found in the wild: it runs on CUDA and nowhere else."""

import argparse

import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
parser.add_argument("--steps", type=int, default=20)
args = parser.parse_args()

torch.manual_seed(0)
torch.cuda.manual_seed_all(0)
torch.backends.cudnn.benchmark = True

model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
scaler = GradScaler()

for _ in range(args.steps):
    inputs = torch.randn(64, 8, device="cuda")
    targets = (inputs.sum(dim=1) > 0).long().to(args.device)
    with autocast():
        loss = nn.functional.cross_entropy(model(inputs), targets)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()

torch.cuda.synchronize()
print(f"loss {loss.item():.3f}, peak memory {torch.cuda.max_memory_allocated() / 2**20:.1f} MB")
torch.cuda.empty_cache()

torch.save(model.state_dict(), "model.pt")
model.load_state_dict(torch.load("model.pt", map_location="cuda:0"))
