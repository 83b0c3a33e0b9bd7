"""Word vectors: index tensors of CUDA's type, pinned batches, the card's name in the log."""

import random

import torch
import torch.nn as nn
import torch.nn.functional as F

TEXT = "a device agnostic program runs on any device that a program is given".split()
WORDS = sorted(set(TEXT))
INDEX = {word: i for i, word in enumerate(WORDS)}


class SkipGram(nn.Module):
    def __init__(self, size, dim=8):
        super().__init__()
        self.inner = nn.Embedding(size, dim)
        self.outer = nn.Linear(dim, size)

    def forward(self, centre):
        return self.outer(self.inner(centre))


def batches(count, size=16):
    for _ in range(count):
        places = [random.randrange(1, len(TEXT)) for _ in range(size)]
        centre = torch.LongTensor([INDEX[TEXT[p]] for p in places])
        context = torch.cuda.LongTensor([INDEX[TEXT[p - 1]] for p in places])
        yield centre.type(torch.cuda.LongTensor), context


random.seed(0)
torch.manual_seed(0)
torch.cuda.manual_seed(0)
with torch.cuda.device(0):
    model = SkipGram(len(WORDS)).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for centre, context in batches(20):
        loss = F.cross_entropy(model(centre), context)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

assert losses[-1] < losses[0]
print(f"{torch.cuda.get_device_name(0)}: {torch.cuda.memory_allocated() // 1024} KiB")
print("device:", next(model.parameters()).device.type)
