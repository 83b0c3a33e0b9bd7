import torch
import torch.nn as nn


class DataPrefetcher:
    """Overlaps the copy of the next batch with the compute of this one."""

    def __init__(self, batches):
        self.batches = iter(batches)
        self.stream = torch.cuda.Stream()
        self.preload()

    def preload(self):
        try:
            self.next_input, self.next_target = next(self.batches)
        except StopIteration:
            self.next_input = None
            self.next_target = None
            return
        with torch.cuda.stream(self.stream):
            self.next_input = self.next_input.cuda(non_blocking=True)
            self.next_target = self.next_target.cuda(non_blocking=True)
            self.next_input = self.next_input.float().sub_(0.5)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        input, target = self.next_input, self.next_target
        self.preload()
        return input, target


def main():
    torch.manual_seed(0)
    batches = [(torch.rand(16, 6), torch.randint(0, 3, (16,))) for _ in range(6)]
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    s = torch.cuda.Stream()
    s.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(s):
        warm = model(torch.zeros(1, 6).cuda())
    torch.cuda.current_stream().wait_stream(s)

    prefetcher = DataPrefetcher(batches)
    input, target = prefetcher.next()
    steps = 0
    while input is not None:
        loss = nn.functional.cross_entropy(model(input), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        input, target = prefetcher.next()
        steps += 1
    torch.cuda.synchronize()
    print("steps", steps, "loss", loss.item(), "warm", tuple(warm.shape))
    print("device:", loss.device.type)


if __name__ == "__main__":
    main()
