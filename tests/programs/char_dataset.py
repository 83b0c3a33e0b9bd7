import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

SEQ_LEN = 16
BATCH_SIZE = 8

text = "the quick brown fox jumps over the lazy dog and runs away " * 20
chars = sorted(set(text))
data = torch.from_numpy(np.array([chars.index(c) for c in text]))


class TextSamplerDataset(Dataset):
    def __init__(self, data, seq_len):
        super().__init__()
        self.data = data
        self.seq_len = seq_len

    def __getitem__(self, index):
        rand_start = torch.randint(0, self.data.size(0) - self.seq_len - 1, (1,))
        full_seq = self.data[rand_start : rand_start + self.seq_len + 1].long()
        return full_seq.cuda()

    def __len__(self):
        return self.data.size(0) // self.seq_len


def cycle(loader):
    while True:
        yield from loader


class BigramMix(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, dim, 3)
        self.out = nn.Linear(dim, vocab)

    def forward(self, seq):
        x, target = seq[:, :-1], seq[:, 1:]
        h = F.pad(self.emb(x).transpose(1, 2), (2, 0))
        logits = self.out(F.gelu(self.conv(h)).transpose(1, 2))
        return F.cross_entropy(logits.flatten(0, 1), target.flatten())


model = BigramMix(len(chars))
model.cuda()
loader = cycle(DataLoader(TextSamplerDataset(data, SEQ_LEN), batch_size=BATCH_SIZE, shuffle=True))
optim = torch.optim.Adam(model.parameters(), lr=1e-2)

for i in range(25):
    model.train()
    loss = model(next(loader))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optim.step()
    optim.zero_grad()
    if i % 8 == 0:
        print(f"training loss: {loss.item():.3f}")

print("device:", next(loader).device.type)
