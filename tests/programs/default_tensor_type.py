import torch

torch.set_default_tensor_type("torch.cuda.FloatTensor")
torch.manual_seed(0)


def positional_encoding(x, num_freqs=4):
    feats = [x]
    for i in range(num_freqs):
        for fn in (torch.sin, torch.cos):
            feats.append(fn(2.0**i * x))
    return torch.cat(feats, -1)


class TinyField(torch.nn.Module):
    def __init__(self, in_dim=27, hidden=32):
        super().__init__()
        self.layer1 = torch.nn.Linear(in_dim, hidden)
        self.layer2 = torch.nn.Linear(hidden, 4)

    def forward(self, x):
        return self.layer2(torch.relu(self.layer1(x)))


def get_rays(h, w, focal):
    i, j = torch.meshgrid(torch.linspace(0, w - 1, w), torch.linspace(0, h - 1, h), indexing="xy")
    return torch.stack([(i - w * 0.5) / focal, -(j - h * 0.5) / focal, -torch.ones_like(i)], -1)


def render(model, rays_d, n_samples=6):
    z_vals = torch.linspace(1.0, 3.0, n_samples)
    z_vals = z_vals + torch.rand(n_samples) * 0.1
    pts = rays_d[..., None, :] * z_vals[..., :, None]
    raw = model(positional_encoding(pts))
    sigma, rgb = torch.relu(raw[..., 3]), torch.sigmoid(raw[..., :3])
    dists = torch.cat([z_vals[1:] - z_vals[:-1], torch.tensor([1e10])], -1)
    alpha = 1.0 - torch.exp(-sigma * dists)
    weights = alpha * torch.cumprod(1.0 - alpha + 1e-10, -1)
    return (weights[..., None] * rgb).sum(-2)


model = TinyField()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
rays = get_rays(8, 8, 7.0)
target = torch.stack([torch.full((8, 8), v) for v in (0.2, 0.5, 0.8)], -1)
for it in range(15):
    rgb = render(model, rays)
    loss = torch.mean((rgb - target) ** 2)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
psnr = -10.0 * torch.log10(loss.detach())
print("PSNR %.2f" % psnr.item())
print("device:", rgb.device.type)
