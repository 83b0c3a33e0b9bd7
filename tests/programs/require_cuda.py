import torch
from torch import nn

assert torch.cuda.is_available(), "this example needs a GPU"


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(1, 4, 3, 2, 1), nn.ReLU(), nn.Conv2d(4, 8, 3, 2, 1))
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(8, 4, 2, 2), nn.ReLU(), nn.ConvTranspose2d(4, 1, 2, 2), nn.Sigmoid()
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


def main():
    torch.manual_seed(0)
    model = Autoencoder().cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.5)
    images = torch.rand(16, 1, 8, 8)
    for epoch in range(6):
        for img in images.split(4):
            img = img.cuda()
            noisy = (img + 0.1 * torch.randn(*img.shape).cuda()).clamp(0, 1)
            loss = nn.functional.mse_loss(model(noisy), img)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
    print(f"final loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.4f}")
    print("device:", next(model.parameters()).device.type)


if __name__ == "__main__":
    main()
