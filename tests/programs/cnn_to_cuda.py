"""Small CNN on random images, with a per-class accuracy table at the end."""
from collections import defaultdict

import numpy as np
import torch
from torch import nn, optim


def conv_bn(inp, out, stride):
    return nn.Sequential(
        nn.Conv2d(inp, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True)
    )


class SmallCNN(nn.Module):
    def __init__(self, num_classes=3):
        super(SmallCNN, self).__init__()
        self.features = nn.Sequential(conv_bn(3, 8, 1), conv_bn(8, 16, 2), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(16, num_classes)

    def forward(self, x):
        x = self.features(x)
        return self.classifier(x.view(x.size(0), -1))


def batches(n, bs=8):
    rng = np.random.default_rng(0)
    for _ in range(n):
        target = rng.integers(0, 3, bs)
        images = rng.standard_normal((bs, 3, 12, 12)) + target[:, None, None, None]
        yield {"image": torch.from_numpy(images).float(), "target": torch.from_numpy(target)}


model = SmallCNN()
model.to("cuda")
optimizer = optim.Adam(model.parameters(), lr=1e-2)
class_weights = torch.tensor([1.0, 2.0, 1.0]).to("cuda:0")
loss_fn = nn.CrossEntropyLoss(weight=class_weights)

for batch in batches(12):
    batch = {k: v.to("cuda") for k, v in batch.items()}
    loss = loss_fn(model(batch["image"]), batch["target"])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

hits, total = defaultdict(int), defaultdict(int)
model.eval()
with torch.no_grad():
    for batch in batches(4):
        out = model(batch["image"].to(device="cuda", dtype=torch.float32, non_blocking=True))
        for p, t in zip(out.argmax(1).cpu().numpy(), batch["target"].numpy()):
            total[int(t)] += 1
            hits[int(t)] += int(p == t)
for c in sorted(total):
    print(f"class {c}: {hits[c]}/{total[c]}")
print("device:", next(model.parameters()).device.type)
