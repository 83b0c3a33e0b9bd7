from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn


@dataclass
class ModelConfig:
    in_dim: int = 10
    hidden: List[int] = field(default_factory=lambda: [32, 16])
    dropout: float = 0.0


@dataclass
class TrainConfig:
    model: ModelConfig = field(default_factory=ModelConfig)
    lr: float = 1e-2
    steps: int = 40
    batch_size: int = 16
    device: str = "cuda"
    seed: int = 42


def build(cfg: ModelConfig) -> nn.Module:
    layers: List[nn.Module] = []
    dim = cfg.in_dim
    for h in cfg.hidden:
        layers += [nn.Linear(dim, h), nn.GELU(), nn.Dropout(cfg.dropout)]
        dim = h
    return nn.Sequential(*layers, nn.Linear(dim, 1))


class Trainer:
    def __init__(self, cfg: TrainConfig):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.model = build(cfg.model).to(cfg.device)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.weight = torch.linspace(-1, 1, cfg.model.in_dim, device=cfg.device)

    def step(self) -> float:
        x = torch.randn(self.cfg.batch_size, self.cfg.model.in_dim, device=self.cfg.device)
        y = (x @ self.weight).unsqueeze(1)
        loss = nn.functional.mse_loss(self.model(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self) -> None:
        history = [self.step() for _ in range(self.cfg.steps)]
        print(f"loss {history[0]:.3f} -> {history[-1]:.3f}")


if __name__ == "__main__":
    trainer = Trainer(TrainConfig(steps=30))
    trainer.fit()
    print("device:", next(trainer.model.parameters()).device.type)
