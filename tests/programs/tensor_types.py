import numpy as np
import torch
import torch.nn as nn


def triplet_mask(labels):
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    return same.type(torch.cuda.FloatTensor)


class CenterLoss(nn.Module):
    def __init__(self, num_classes=4, feat_dim=6):
        super(CenterLoss, self).__init__()
        self.num_classes = num_classes
        self.centers = nn.Parameter(torch.randn(num_classes, feat_dim).cuda())

    def forward(self, x, labels):
        batch_size = x.size(0)
        distmat = torch.cdist(x, self.centers).pow(2)
        classes = torch.arange(self.num_classes).long().cuda()
        mask = labels.unsqueeze(1).expand(batch_size, self.num_classes).eq(classes)
        return (distmat * mask.type(torch.cuda.FloatTensor)).clamp(1e-12, 1e12).sum() / batch_size


def main():
    np.random.seed(0)
    torch.manual_seed(0)
    feats = torch.cuda.FloatTensor(np.random.randn(32, 10).astype(np.float32))
    labels = torch.cuda.LongTensor(np.arange(32) % 4)
    accumulated = torch.cuda.FloatTensor([0.0])
    buffer = torch.cuda.FloatTensor(32, 6).zero_()

    net = nn.Linear(10, 6).cuda()
    center_loss = CenterLoss()
    params = list(net.parameters()) + list(center_loss.parameters())
    optimizer = torch.optim.SGD(params, lr=0.05)
    for step in range(10):
        emb = net(feats)
        mask = triplet_mask(labels)
        spread = (torch.cdist(emb, emb) * (1 - mask)).mean()
        loss = center_loss(emb, labels) - 0.1 * spread
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        accumulated += loss.detach()
        buffer.copy_(emb.detach())
    assigned = torch.cdist(buffer, center_loss.centers).argmin(1)
    accuracy = (assigned == labels).type(torch.cuda.FloatTensor).mean()
    print("mean loss %.4f accuracy %.3f" % (accumulated.item() / 10, accuracy.item()))
    print("device:", buffer.device.type)


if __name__ == "__main__":
    main()
