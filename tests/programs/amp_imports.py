import argparse
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down = nn.Conv2d(1, width, 3, padding=1)
        self.mid = nn.Conv2d(width, width * 2, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(width * 2, width, 2, stride=2)
        self.out = nn.Conv2d(width * 2, 2, 1)

    def forward(self, x):
        a = F.relu(self.down(x))
        b = F.relu(self.up(F.relu(self.mid(a))))
        return self.out(torch.cat([a, b], dim=1))


def dice_loss(logits, target, eps=1e-6):
    p = logits.softmax(1)[:, 1].flatten(1)
    t = target.float().flatten(1)
    inter = (p * t).sum(1)
    return 1 - ((2 * inter + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


def train_net(net, epochs, batch_size, lr, amp):
    optimizer = torch.optim.RMSprop(net.parameters(), lr=lr)
    grad_scaler = GradScaler(enabled=amp)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, epochs + 1):
        images = torch.rand(batch_size, 1, 16, 16).cuda()
        true_masks = (images.squeeze(1) > 0.5).long().cuda()
        with autocast(enabled=amp):
            masks_pred = net(images)
            loss = criterion(masks_pred, true_masks) + dice_loss(masks_pred.float(), true_masks)
        optimizer.zero_grad(set_to_none=True)
        grad_scaler.scale(loss).backward()
        grad_scaler.step(optimizer)
        grad_scaler.update()
        logging.info("epoch %d loss %.4f scale %.0f", epoch, loss.item(), grad_scaler.get_scale())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-amp", dest="amp", action="store_false", default=True)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    torch.manual_seed(0)
    net = UNet()
    net.cuda()
    train_net(net, epochs=4, batch_size=2, lr=1e-3, amp=args.amp)
    print("device:", next(net.parameters()).device.type)
