#!/usr/bin/env python
import sys

import numpy as np
import torch

if not torch.cuda.is_available():
    print("No GPU found, exiting.")
    sys.exit(1)

if torch.cuda.device_count() < 1:
    sys.exit("need at least one GPU")


def power_iteration(matrix, steps=50):
    v = torch.ones(matrix.shape[0], 1).cuda()
    for _ in range(steps):
        v = matrix @ v
        v = v / v.norm()
    return (v.T @ matrix @ v).item(), v


def page_rank(adjacency, damping=0.85, steps=30):
    n = adjacency.shape[0]
    out_degree = adjacency.sum(1, keepdim=True).clamp(min=1)
    transition = (adjacency / out_degree).T
    rank = torch.full((n, 1), 1.0 / n).cuda()
    teleport = torch.full((n, 1), (1 - damping) / n).cuda()
    for _ in range(steps):
        rank = teleport + damping * (transition @ rank)
    return rank.squeeze(1)


def main():
    rng = np.random.RandomState(0)
    a = rng.rand(12, 12).astype("float32")
    symmetric = torch.from_numpy(a + a.T).cuda()
    value, vector = power_iteration(symmetric)
    exact = np.linalg.eigvalsh(a + a.T)[-1]
    print("eigenvalue %.4f, numpy says %.4f" % (value, exact))
    assert abs(value - exact) < 1e-2

    links = torch.from_numpy((rng.rand(12, 12) > 0.7).astype("float32")).cuda()
    rank = page_rank(links)
    print("top pages", rank.topk(3).indices.tolist())
    print("device:", vector.device.type)


if __name__ == "__main__":
    main()
