import torch


def make_blobs(k=4, n=64, dim=2):
    centers = torch.randn(k, dim, device="cuda") * 5
    points = centers.repeat_interleave(n, 0) + 0.3 * torch.randn(k * n, dim, device="cuda")
    order = torch.randperm(k * n, device="cuda")
    return points[order]


def kmeans(x, k, iters=10):
    idx = torch.randint(0, len(x), (k,), device="cuda")
    centroids = x[idx].clone()
    counts = torch.zeros(k, device="cuda")
    ones = torch.ones(len(x), device="cuda")
    for it in range(iters):
        dist = torch.cdist(x, centroids)
        assign = dist.argmin(dim=1)
        counts.zero_().scatter_add_(0, assign, ones)
        sums = torch.zeros_like(centroids).index_add_(0, assign, x)
        nonempty = counts > 0
        new = torch.where(nonempty[:, None], sums / counts.clamp(min=1)[:, None], centroids)
        shift = (new - centroids).norm()
        centroids = new
        if shift < 1e-4:
            break
    inertia = dist.min(dim=1).values.square().sum()
    return centroids, assign, inertia


torch.manual_seed(3)
x = make_blobs()
best = None
for restart in range(3):
    centroids, assign, inertia = kmeans(x, 4)
    if best is None or inertia < best[1]:
        best = (centroids, inertia)
lo, hi = torch.tensor([-20.0, 20.0], device="cuda")
grid = torch.stack(
    torch.meshgrid(
        torch.linspace(-1, 1, 5, device="cuda"), torch.arange(5, device="cuda").float(), indexing="ij"
    ),
    dim=-1,
)
inside = ((best[0] > lo) & (best[0] < hi)).all()
print("inertia", float(best[1]), "inside", bool(inside), "grid", tuple(grid.shape))
print("device:", best[0].device.type)
