import numpy as np
import torch
from torch import cuda, nn, optim

MAX_LEN = 7


class Seq2Seq(nn.Module):
    def __init__(self, vocab, hidden=24):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.encoder = nn.GRU(hidden, hidden, batch_first=True)
        self.decoder = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, src, tgt):
        _, hidden = self.encoder(self.embedding(src))
        output, _ = self.decoder(self.embedding(tgt), hidden)
        return self.out(output)


def to_device(array):
    return torch.from_numpy(array).long().cuda()


def reversed_copy(rng, vocab, batch):
    src = rng.integers(1, vocab, (batch, MAX_LEN))
    tgt = src[:, ::-1].copy()
    start = np.zeros((batch, 1), dtype=tgt.dtype)
    return to_device(src), to_device(np.hstack([start, tgt[:, :-1]])), to_device(tgt)


def main():
    torch.manual_seed(0)
    cuda.set_device(0)
    rng = np.random.default_rng(0)
    model = Seq2Seq(9).cuda()
    optimizer = optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for step in range(12):
        src, tgt_in, tgt_out = reversed_copy(rng, 9, 16)
        optimizer.zero_grad()
        logits = model(src, tgt_in)
        loss = criterion(logits.reshape(-1, 9), tgt_out.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    cuda.synchronize()
    print("loss %.3f, memory %d" % (loss.item(), cuda.memory_allocated()))
    cuda.empty_cache()
    print("device:", logits.device.type)


if __name__ == "__main__":
    main()
