import torch
import torch.nn.functional as F
from model import load_model

VOCAB = 10


def sorted_sequences(batch, length):
    x = torch.randint(0, VOCAB, (batch, length)).cuda()
    return torch.cat([x, x.sort(dim=1).values], dim=1)


def main():
    torch.manual_seed(0)
    model = load_model(VOCAB)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(20):
        seq = sorted_sequences(16, 5)
        logits = model(seq[:, :-1])
        loss = F.cross_entropy(logits[:, 4:].flatten(0, 1), seq[:, 5:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"step {step} loss {loss.item():.3f}")

    model.eval()
    seq = sorted_sequences(1, 5)[:, :5]
    with torch.no_grad():
        for _ in range(5):
            nxt = model(seq)[:, -1].argmax(-1, keepdim=True)
            seq = torch.cat([seq, nxt], dim=1)
    print("input", seq[0, :5].tolist(), "output", seq[0, 5:].tolist())
    print("device:", seq.device.type)


if __name__ == "__main__":
    main()
