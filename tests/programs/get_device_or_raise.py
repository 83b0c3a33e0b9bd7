import torch
import torch.nn.functional as F


def get_device():
    if not torch.cuda.is_available():
        raise RuntimeError("CUDA is required to run this script")
    return torch.device("cuda")


class GraphConv(torch.nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(in_features, out_features))
        torch.nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        return adj @ (x @ self.weight)


class GCN(torch.nn.Module):
    def __init__(self, nfeat, nhid, nclass):
        super().__init__()
        self.gc1 = GraphConv(nfeat, nhid)
        self.gc2 = GraphConv(nhid, nclass)

    def forward(self, x, adj):
        return F.log_softmax(self.gc2(F.relu(self.gc1(x, adj)), adj), dim=1)


def normalise(adj):
    adj = adj + torch.eye(len(adj), device=adj.device)
    d = adj.sum(1).pow(-0.5)
    return d[:, None] * adj * d[None, :]


def main():
    torch.manual_seed(0)
    device = get_device()
    n = 30
    labels = torch.arange(n) % 3
    probability = torch.where(labels[:, None] == labels[None, :], 0.6, 0.05)
    adj = torch.bernoulli(probability).triu(1)
    adj = normalise((adj + adj.T).to(device))
    features = torch.randn(n, 8, device=device)
    labels = labels.to(device)
    train_idx = torch.arange(0, n, 2, device=device)
    model = GCN(8, 16, 3).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05, weight_decay=5e-4)
    for epoch in range(30):
        optimizer.zero_grad()
        out = model(features, adj)
        loss = F.nll_loss(out[train_idx], labels[train_idx])
        loss.backward()
        optimizer.step()
    acc = (model(features, adj).argmax(1) == labels).float().mean()
    print(f"loss {loss.item():.3f} acc {acc.item():.2f}")
    print("device:", out.device.type)


if __name__ == "__main__":
    main()
