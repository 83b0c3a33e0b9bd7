import argparse
import math
import time

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description="RNN language model on a synthetic corpus")
parser.add_argument("--model", default="LSTM", help="LSTM or GRU")
parser.add_argument("--nhid", type=int, default=32)
parser.add_argument("--bptt", type=int, default=8)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()
torch.manual_seed(1111)

ntoken, batch_size = 20, 4


class RNNModel(nn.Module):
    def __init__(self, rnn_type, ntoken, nhid, nlayers=2):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, nhid)
        self.rnn = getattr(nn, rnn_type)(nhid, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid, self.nlayers = nhid, nlayers

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.encoder(input), hidden)
        return self.decoder(output).view(-1, ntoken), hidden

    def init_hidden(self, bsz):
        h = torch.zeros(self.nlayers, bsz, self.nhid).cuda()
        return (h, torch.zeros(self.nlayers, bsz, self.nhid).cuda())


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous().cuda()


def repackage_hidden(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage_hidden(v) for v in h)


train_data = batchify((torch.arange(400) * 7 + torch.randint(0, 2, (400,))) % ntoken, batch_size)
model = RNNModel(args.model, ntoken, args.nhid).cuda()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=2.0)

for epoch in range(1, args.epochs + 1):
    start, total = time.time(), 0.0
    hidden = model.init_hidden(batch_size)
    steps = range(0, train_data.size(0) - 1, args.bptt)
    for i in steps:
        seq_len = min(args.bptt, len(train_data) - 1 - i)
        data, targets = train_data[i : i + seq_len], train_data[i + 1 : i + 1 + seq_len].view(-1)
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        model.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        total += loss.item()
    print("epoch {} ppl {:.2f} time {:.2f}s".format(epoch, math.exp(total / len(steps)), time.time() - start))
print("device:", hidden[0].device.type)
