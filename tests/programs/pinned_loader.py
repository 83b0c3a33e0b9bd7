import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Spirals(Dataset):
    def __init__(self, n=200):
        t = torch.linspace(0.5, 6, n)
        a = torch.stack([t * torch.cos(t), t * torch.sin(t)], 1)
        self.x = torch.cat([a, -a]) / 6
        self.y = torch.cat([torch.zeros(n), torch.ones(n)]).long()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Prefetcher:
    """Copies each batch to the GPU ahead of its use."""

    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        for x, y in self.loader:
            yield x.cuda(non_blocking=True), y.cuda(non_blocking=True)


def main():
    torch.manual_seed(0)
    kwargs = {"num_workers": 0, "pin_memory": True}
    train_loader = DataLoader(Spirals(), batch_size=50, shuffle=True, **kwargs)
    test_loader = DataLoader(Spirals(50), batch_size=50, pin_memory=True)
    model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2)).cuda()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(4):
        for x, y in Prefetcher(train_loader):
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_loader:
            staged = torch.empty(x.shape, pin_memory=True).copy_(x)
            logits = model(staged.cuda(non_blocking=True))
            hits += (logits.argmax(1) == y.cuda(non_blocking=True)).sum().item()
    print("hits", hits, "of", len(test_loader.dataset))
    print("device:", next(model.parameters()).device.type)


if __name__ == "__main__":
    main()
