# %% [markdown]
# # Matrix factorisation for ratings
# Learns user and item vectors from a few random ratings.

# %%
import numpy as np
import torch
import torch.nn as nn

torch.__version__, torch.cuda.is_available()

# %%
# fake ratings: low-rank plus noise
rng = np.random.default_rng(0)
n_users, n_items, rank = 20, 15, 3
true = rng.normal(size=(n_users, rank)) @ rng.normal(size=(rank, n_items))
users, items = np.nonzero(rng.random((n_users, n_items)) < 0.5)
ratings = true[users, items] + 0.1 * rng.normal(size=len(users))
len(ratings)

# %%
device = "cuda"
u = torch.tensor(users).to(device)
i = torch.tensor(items).to(device)
r = torch.tensor(ratings, dtype=torch.float32).to(device)

# %%
class MF(nn.Module):
    def __init__(self, n_users, n_items, dim=4):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias


torch.manual_seed(0)
model = MF(n_users, n_items).cuda()
model

# %%
opt = torch.optim.Adam(model.parameters(), lr=0.05)
losses = []
for epoch in range(40):
    opt.zero_grad()
    loss = ((model(u, i) - r) ** 2).mean()
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %%
print("first", losses[0], "last", losses[-1])
with torch.no_grad():
    top = model(torch.zeros(n_items, dtype=torch.long, device="cuda"), torch.arange(n_items, device=device))
best = top.argsort(descending=True)[:3].cpu().numpy()
print("recommendations for user 0:", best)

# %%
print("device:", top.device.type)
