import argparse
import random
import time

import numpy as np
import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn

parser = argparse.ArgumentParser(description="Classifier training")
parser.add_argument("--arch", default="mlp")
parser.add_argument("--epochs", default=2, type=int)
parser.add_argument("--seed", default=7, type=int)
parser.add_argument("--gpu", default=0, type=int, help="GPU id to use.")
parser.add_argument("--print-freq", default=4, type=int)


class AverageMeter(object):
    def __init__(self):
        self.sum = self.count = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def main():
    args = parser.parse_args()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    cudnn.deterministic = True
    if args.gpu is not None:
        print("Use GPU: {} for training".format(args.gpu))
    torch.cuda.set_device(args.gpu)
    model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 3))
    model = model.cuda(args.gpu)
    criterion = nn.CrossEntropyLoss().cuda(args.gpu)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    for epoch in range(args.epochs):
        train(epoch, model, criterion, optimizer, args)
    print("device:", next(model.parameters()).device.type)


def train(epoch, model, criterion, optimizer, args):
    losses, batch_time = AverageMeter(), AverageMeter()
    end = time.time()
    for i in range(8):
        images = torch.from_numpy(np.random.randn(16, 12).astype(np.float32))
        target = images[:, :3].argmax(1)
        images = images.cuda(args.gpu, non_blocking=True)
        target = target.cuda(args.gpu, non_blocking=True)
        loss = criterion(model(images), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss.item(), images.size(0))
        batch_time.update(time.time() - end)
        end = time.time()
        if i % args.print_freq == 0:
            print(f"Epoch: [{epoch}][{i}/8]\tTime {batch_time.avg:.3f}\tLoss {losses.avg:.4f}")


if __name__ == "__main__":
    main()
