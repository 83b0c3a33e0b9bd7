import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def find_free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


def setup(rank, world_size, port):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = port
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    torch.cuda.set_device(rank)


def cleanup():
    dist.destroy_process_group()


def worker(rank, world_size, port):
    setup(rank, world_size, port)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 5)).cuda(rank)
    ddp_model = DDP(model, device_ids=[rank], output_device=rank)
    loss_fn = nn.MSELoss()
    optimizer = torch.optim.SGD(ddp_model.parameters(), lr=0.05)
    torch.manual_seed(100 + rank)
    for step in range(5):
        inputs = torch.randn(20, 10).cuda(rank)
        labels = torch.randn(20, 5).cuda(rank)
        optimizer.zero_grad()
        loss = loss_fn(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
    mean = loss.detach().clone()
    dist.all_reduce(mean)
    dist.barrier()
    if rank == 0:
        print(f"mean loss {mean.item() / world_size:.4f}")
        print("device:", next(ddp_model.parameters()).device.type)
    cleanup()


def main():
    world_size = 2
    mp.spawn(worker, args=(world_size, find_free_port()), nprocs=world_size, join=True)


if __name__ == "__main__":
    main()
