"""Sample from a small random language model with temperature and top-k."""
import torch
import torch.nn as nn
from torch.nn import functional as F

num_samples = 2
max_new_tokens = 20
temperature = 0.8
top_k = 10
seed = 1337

torch.manual_seed(seed)
torch.cuda.manual_seed_all(seed)
torch.backends.cuda.matmul.allow_tf32 = True


class GPT(nn.Module):
    def __init__(self, vocab_size=32, block_size=16, dim=32):
        super().__init__()
        self.block_size = block_size
        self.wte = nn.Embedding(vocab_size, dim)
        self.wpe = nn.Embedding(block_size, dim)
        self.block = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.lm_head = nn.Linear(dim, vocab_size, bias=False)

    def forward(self, idx):
        t = idx.size(1)
        pos = torch.arange(t, dtype=torch.long, device=idx.device)
        mask = nn.Transformer.generate_square_subsequent_mask(t, device=idx.device)
        x = self.block(self.wte(idx) + self.wpe(pos), src_mask=mask)
        return self.lm_head(x[:, [-1], :])

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, generator=None):
        for _ in range(max_new_tokens):
            idx_cond = idx if idx.size(1) <= self.block_size else idx[:, -self.block_size :]
            logits = self(idx_cond)[:, -1, :] / temperature
            v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
            logits[logits < v[:, [-1]]] = -float("Inf")
            probs = F.softmax(logits, dim=-1)
            idx_next = torch.multinomial(probs, num_samples=1, generator=generator)
            idx = torch.cat((idx, idx_next), dim=1)
        return idx


model = GPT()
model.eval()
model.to("cuda")
vocab = "abcdefghijklmnopqrstuvwxyz .,!?\n"
start_ids = [vocab.index(c) for c in "hello"]
x = torch.tensor(start_ids, dtype=torch.long, device="cuda")[None, ...]

g = torch.Generator(device="cuda")
g.manual_seed(seed)
for k in range(num_samples):
    y = model.generate(x, max_new_tokens, generator=g)
    print("".join(vocab[i] for i in y[0].tolist()))
    print("---------------")
again = model.generate(x, 4, generator=torch.Generator("cuda").manual_seed(1))
print("device:", again.device.type)
