import os
import tempfile

import torch
import torch.nn as nn


def make_model():
    return nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))


def save_checkpoint(state, is_best, folder, filename="checkpoint.pth.tar"):
    path = os.path.join(folder, filename)
    torch.save(state, path)
    if is_best:
        torch.save(state["state_dict"], os.path.join(folder, "model_best.pth"))
    return path


def resume(path, model, optimizer):
    print("=> loading checkpoint '{}'".format(os.path.basename(path)))
    checkpoint = torch.load(path, map_location="cuda:0")
    model.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"], checkpoint["best"]


def run(model, optimizer, start, stop, best, folder):
    for epoch in range(start, stop):
        x = torch.randn(32, 5).cuda()
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        is_best = loss.item() < best
        best = min(loss.item(), best)
        state = {
            "epoch": epoch + 1,
            "state_dict": model.state_dict(),
            "best": best,
            "optimizer": optimizer.state_dict(),
        }
        path = save_checkpoint(state, is_best, folder)
    return path


with tempfile.TemporaryDirectory() as folder:
    model = make_model().cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    path = run(model, optimizer, 0, 3, float("inf"), folder)

    model = make_model().cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    epoch, best = resume(path, model, optimizer)
    path = run(model, optimizer, epoch, 5, best, folder)

    weights = torch.load(path, map_location=lambda storage, loc: storage.cuda())["state_dict"]
    tensor = torch.load(os.path.join(folder, "model_best.pth"), map_location=torch.device("cuda"))

print("resumed at", epoch, "best", round(best, 4), sorted(tensor)[0])
print("device:", weights["0.weight"].device.type)
