import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description="logistic regression")
    parser.add_argument("--lr", type=float, default=0.5)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--device", type=str, default="cuda", help="cuda or cpu")
    parser.add_argument(
        "--eval-device", default="cuda", choices=["cuda", "cpu"], help="where to evaluate"
    )
    return parser.parse_args(argv)


def evaluate(model, loader, device):
    model.eval()
    correct = total = 0
    with torch.inference_mode():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            correct += ((model(x).squeeze(1) > 0) == (y > 0.5)).sum().item()
            total += y.numel()
    return correct / total


def main():
    args = parse_args()
    torch.manual_seed(0)
    device = torch.device(args.device)

    x = torch.randn(256, 6)
    y = (x.sum(1) > 0).float()
    loader = DataLoader(TensorDataset(x, y), batch_size=args.batch_size, shuffle=True)

    model = nn.Linear(6, 1).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=args.lr)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(args.epochs):
        model.train()
        for xb, yb in loader:
            xb, yb = xb.to(device), yb.to(device)
            opt.zero_grad()
            loss = criterion(model(xb).squeeze(1), yb)
            loss.backward()
            opt.step()
        acc = evaluate(model.to(args.eval_device), loader, args.eval_device)
        model.to(device)
        print(f"epoch {epoch} loss {loss.item():.4f} acc {acc:.3f}")
    print("device:", model.weight.device.type)


if __name__ == "__main__":
    main()
