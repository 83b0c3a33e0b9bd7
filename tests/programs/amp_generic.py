from contextlib import nullcontext

import torch
from torch import nn


class MiniTransformer(nn.Module):
    def __init__(self, vocab=17, dim=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, vocab)

    def forward(self, idx):
        q, k, v = self.qkv(self.tok(idx)).chunk(3, dim=-1)
        x = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(x)


def train_step(model, opt, scaler, idx, use_amp=True):
    ctx = torch.autocast("cuda", dtype=torch.float16) if use_amp else nullcontext()
    with ctx:
        logits = model(idx[:, :-1])
        loss = nn.functional.cross_entropy(logits.transpose(1, 2).float(), idx[:, 1:])
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.detach()


@torch.no_grad()
def evaluate(model, idx):
    with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
        logits = model(idx[:, :-1])
    return (logits.argmax(-1) == idx[:, 1:]).float().mean()


def main():
    torch.manual_seed(0)
    model = MiniTransformer().to("cuda")
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler("cuda", init_scale=2.0**10, growth_interval=100)
    base = torch.arange(16).repeat(4, 1)
    for step in range(25):
        idx = ((base + torch.randint(0, 17, (4, 1))) % 17).to("cuda")
        loss = train_step(model, opt, scaler, idx, use_amp=step % 5 != 0)
    print(f"loss {loss.item():.3f} accuracy {evaluate(model, idx).item():.2f}")
    print("device:", loss.device.type)


if __name__ == "__main__":
    main()
