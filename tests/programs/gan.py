"""A generator learns a distribution in the plane from a discriminator."""

import itertools
import json

import numpy as np
import torch
from torch import nn, optim

torch_dtype = torch.float64


class Generator(nn.Module):
    def __init__(self, latent, hidden):
        super().__init__()

        def block(a, b, normalize=True):
            layers = [nn.Linear(a, b)]
            if normalize:
                layers.append(nn.BatchNorm1d(b, 0.8))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.model = nn.Sequential(*block(latent, hidden, False), *block(hidden, hidden), nn.Linear(hidden, 2))

    def forward(self, z):
        return self.model(z).tanh()


def weights_init(m, rng):
    classname = m.__class__.__name__
    if classname.find("Linear") != -1:
        m.weight.data = torch.tensor(rng.normal(0.0, 0.4, m.weight.shape))
        nn.init.constant_(m.bias.data, 0.01)
    elif classname.find("BatchNorm") != -1:
        m.weight.data.fill_(0.9)
        nn.init.zeros_(m.bias)


def main():
    torch.set_default_dtype(torch_dtype)
    rng = np.random.default_rng(3)
    generator = Generator(3, 8)
    discriminator = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())
    generator.apply(lambda m: weights_init(m, rng))
    discriminator.apply(lambda m: weights_init(m, rng))
    criterion = nn.BCELoss()
    optimizer_g = optim.Adam(generator.parameters(), lr=0.01, betas=(0.5, 0.999))
    optimizer_d = optim.Adam(discriminator.parameters(), lr=0.01, betas=(0.5, 0.999))
    g_losses, d_losses = [], []
    for _ in range(10):
        real = torch.from_numpy(rng.normal([0.5, -0.2], 0.1, (16, 2)))
        valid = torch.full((16, 1), 1.0, requires_grad=False)
        fake = torch.zeros_like(valid)

        optimizer_g.zero_grad()
        images = generator(torch.as_tensor(rng.normal(size=(16, 3))))
        g_loss = criterion(discriminator(images), valid)
        g_loss.backward()
        optimizer_g.step()

        optimizer_d.zero_grad()
        real_loss = criterion(discriminator(real), valid)
        fake_loss = criterion(discriminator(images.detach()), fake)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()
        optimizer_d.step()
        g_losses.append(g_loss.item())
        d_losses.append(d_loss.item())
    generator.eval()
    with torch.no_grad():
        sample = generator(torch.ones(1, 3))
    weights = [p.norm().item() for p in itertools.chain(generator.parameters(), discriminator.parameters())]
    print(
        json.dumps(
            {"dtype": str(sample.dtype), "g": g_losses, "d": d_losses, "sample": sample.tolist(), "norms": weights}
        )
    )


if __name__ == "__main__":
    main()
