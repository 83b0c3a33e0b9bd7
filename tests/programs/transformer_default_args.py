import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def sinusoids(length, dim, device="cuda"):
    position = torch.arange(length, device=device).unsqueeze(1)
    freq = torch.exp(torch.arange(0, dim, 2, device=device) * (-math.log(10000.0) / dim))
    table = torch.zeros(length, dim, device=device)
    table[:, 0::2] = torch.sin(position * freq)
    table[:, 1::2] = torch.cos(position * freq)
    return table


def causal_mask(size: int, device: str = "cuda") -> torch.Tensor:
    return torch.triu(torch.full((size, size), float("-inf"), device=device), diagonal=1)


def get_batch(vocab, batch, length, *, device=torch.device("cuda")):
    start = torch.randint(0, vocab, (batch, 1))
    seq = (start + torch.arange(length + 1)) % vocab
    return seq[:, :-1].to(device), seq[:, 1:].to(device)


class Model(nn.Module):
    def __init__(self, vocab, dim=32, heads=2, device="cuda"):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, device=device)
        self.block = nn.TransformerEncoderLayer(
            dim, heads, 64, dropout=0.0, batch_first=True, device=device
        )
        self.head = nn.Linear(dim, vocab, device=device)
        self.dim = dim

    def forward(self, idx):
        x = self.embed(idx) + sinusoids(idx.size(1), self.dim)
        return self.head(self.block(x, src_mask=causal_mask(idx.size(1))))


def main():
    torch.manual_seed(0)
    model = Model(vocab=11)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(30):
        x, y = get_batch(11, 8, 12)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"step {step}: loss {loss.item():.3f}")
    print("device:", model.head.weight.device.type)


if __name__ == "__main__":
    main()
