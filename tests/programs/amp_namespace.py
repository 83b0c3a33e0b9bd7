import torch
import torch.nn as nn

torch.manual_seed(0)


class Residual(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, dim * 2), nn.GELU(), nn.Linear(dim * 2, dim))

    def forward(self, x):
        return x + self.ff(self.norm(x))


model = nn.Sequential(nn.Linear(8, 32), Residual(32), Residual(32), nn.Linear(32, 1)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
scaler = torch.cuda.amp.GradScaler()

for step in range(20):
    x = torch.randn(32, 8).cuda()
    y = x.pow(2).sum(dim=1, keepdim=True)
    optimizer.zero_grad(set_to_none=True)
    with torch.cuda.amp.autocast():
        pred = model(x)
        loss = nn.functional.smooth_l1_loss(pred.float(), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    if step % 5 == 0:
        print(f"step {step} loss {loss.item():.3f} norm {grad_norm.item():.3f}")

model.eval()
with torch.no_grad(), torch.cuda.amp.autocast(enabled=True, dtype=torch.bfloat16):
    out = model(torch.ones(2, 8).cuda()).float()
assert torch.isfinite(out).all()
state = {"model": model.state_dict(), "scaler": scaler.state_dict()}
print(sorted(state))
print("device:", out.device.type)
