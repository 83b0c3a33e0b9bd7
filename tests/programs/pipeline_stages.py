"""Two stages of a model, one on each of two cards."""

import torch
import torch.nn as nn


class Pipeline(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(8, width), nn.ReLU()).to("cuda:0")
        self.second = nn.Linear(width, 2).to("cuda:1")

    def forward(self, x):
        hidden = self.first(x.to("cuda:0"))
        return self.second(hidden.to("cuda:1"))


torch.manual_seed(0)
model = Pipeline()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(32, 8)
targets = (inputs.sum(dim=1) > 0).long().to("cuda:1")

first_loss = None
for epoch in range(5):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(inputs), targets)
    loss.backward()
    optimizer.step()
    first_loss = first_loss or loss.item()

torch.cuda.synchronize()
assert loss.item() < first_loss
print("device:", next(model.second.parameters()).device.type)
