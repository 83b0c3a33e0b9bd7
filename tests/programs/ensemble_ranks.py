"""Trains one member of an ensemble per rank, one rank after the other."""
import os

import torch
import torch.nn as nn

WORLD_SIZE = int(os.environ.get("WORLD_SIZE", 1))


class Member(nn.Module):
    def __init__(self, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


def train_member(rank, x, y, steps=60):
    device = f"cuda:{rank}"
    model = Member(rank).to(device)
    x, y = x.to(device), y.to(device)
    opt = torch.optim.Adam(model.parameters(), lr=2e-2)
    for _ in range(steps):
        idx = torch.randint(0, len(x), (len(x),), device=f"cuda:{rank}")
        loss = nn.functional.mse_loss(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"[rank {rank}] on {device}: loss {loss.item():.4f}")
    return model


def predict(models, grid):
    outs = []
    for rank, model in enumerate(models):
        with torch.no_grad():
            outs.append(model(grid.to("cuda:%d" % rank)).to("cuda:{}".format(0)))
    stacked = torch.stack(outs)
    return stacked.mean(0), stacked.std(0, unbiased=False)


def main():
    torch.manual_seed(0)
    x = torch.rand(64, 1) * 6 - 3
    y = torch.sin(x) + 0.1 * torch.randn_like(x)
    models = [train_member(rank, x, y) for rank in range(WORLD_SIZE)]
    mean, std = predict(models, torch.linspace(-4, 4, 9).unsqueeze(1))
    print("mean", [round(v, 2) for v in mean.squeeze(1).tolist()])
    print("largest std", std.max().item())
    print("device:", mean.device.type)


if __name__ == "__main__":
    main()
