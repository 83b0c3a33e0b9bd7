import math

import torch
import torch.nn as nn


def extract(a, t, x_shape):
    return a.gather(-1, t).reshape(t.shape[0], *((1,) * (len(x_shape) - 1)))


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        half = self.dim // 2
        emb = torch.exp(torch.arange(half, device=t.device) * -(math.log(10000) / (half - 1)))
        emb = t[:, None] * emb[None, :]
        return torch.cat((emb.sin(), emb.cos()), dim=-1)


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=32):
        super().__init__()
        self.time = TimeEmbedding(16)
        self.net = nn.Sequential(nn.Linear(dim + 16, hidden), nn.SiLU(), nn.Linear(hidden, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], dim=-1))


class GaussianDiffusion(nn.Module):
    def __init__(self, model, timesteps=20):
        super().__init__()
        betas = torch.linspace(1e-3, 0.2, timesteps)
        alphas = 1.0 - betas
        self.model, self.timesteps = model, timesteps
        for name, v in (("betas", betas), ("alphas", alphas), ("alphas_cumprod", alphas.cumprod(0))):
            self.register_buffer(name, v)

    def forward(self, x0):
        t = torch.randint(0, self.timesteps, (x0.shape[0],), device="cuda").long()
        noise = torch.randn_like(x0)
        a = extract(self.alphas_cumprod, t, x0.shape)
        return nn.functional.mse_loss(self.model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t), noise)

    @torch.inference_mode()
    def sample(self, batch_size=16, dim=2):
        img = torch.randn((batch_size, dim), device="cuda")
        for i in reversed(range(self.timesteps)):
            t = torch.full((batch_size,), i, device="cuda", dtype=torch.long)
            eps = self.model(img, t)
            beta, alpha, bar = (extract(v, t, img.shape) for v in (self.betas, self.alphas, self.alphas_cumprod))
            img = (img - beta / (1 - bar).sqrt() * eps) / alpha.sqrt()
            if i > 0:
                img = img + beta.sqrt() * torch.randn(img.shape).cuda()
        return img


torch.manual_seed(0)
diffusion = GaussianDiffusion(Denoiser()).cuda()
opt = torch.optim.Adam(diffusion.parameters(), lr=3e-3)
for step in range(25):
    angle = torch.rand(64) * 2 * math.pi
    loss = diffusion(torch.stack([angle.cos(), angle.sin()], 1).cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
samples = diffusion.sample()
print("loss", loss.item(), "radius", samples.norm(dim=1).mean().item())
print("device:", samples.device.type)
