import os

import torch
import torch.utils.data
from torch import nn, optim
from torch.nn import functional as F

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
device = torch.device("cuda:0")
torch.manual_seed(1)


class VAE(nn.Module):
    def __init__(self, dim=36, hidden=32, latent=4):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, dim)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        h = F.relu(self.fc1(x))
        mu, logvar = self.mu(h), self.logvar(h)
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    return bce - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())


data = (torch.rand(64, 36) > 0.5).float()
loader = torch.utils.data.DataLoader(data, batch_size=16, shuffle=True)
model = VAE().to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)


def train(epoch):
    model.train()
    total = 0
    for batch_idx, x in enumerate(loader):
        x = x.to(device)
        optimizer.zero_grad()
        recon, mu, logvar = model(x)
        loss = loss_function(recon, x, mu, logvar)
        loss.backward()
        total += loss.item()
        optimizer.step()
    print("====> Epoch: {} Average loss: {:.4f}".format(epoch, total / len(loader.dataset)))


if __name__ == "__main__":
    for epoch in range(1, 3):
        train(epoch)
    with torch.no_grad():
        sample = model.decode(torch.randn(8, 4).to(device)).cpu()
    print("sample", tuple(sample.shape), "from", device)
    print("device:", next(model.parameters()).device.type)
