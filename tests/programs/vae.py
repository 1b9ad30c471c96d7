"""A variational autoencoder on small pictures, with the noise of the reparameterization given."""

import json

import numpy as np
import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, rng):
        super().__init__()
        self.fc1 = nn.Linear(16, 10)
        self.fc21 = nn.Linear(10, 3)
        self.fc22 = nn.Linear(10, 3)
        self.fc3 = nn.Linear(3, 10)
        self.fc4 = nn.Linear(10, 16)
        self.rng = rng

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.tensor(self.rng.normal(size=std.shape), dtype=std.dtype)
        return eps.mul(std).add_(mu)

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 16))
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    bce = F.binary_cross_entropy(recon_x, x.view(-1, 16), reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


def main():
    rng = np.random.default_rng(5)
    model = VAE(rng).double()
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(torch.from_numpy(rng.uniform(-0.4, 0.4, tuple(p.shape))))
            if name.endswith("bias"):
                p.zero_()
    data = TensorDataset(torch.from_numpy((rng.random((40, 1, 4, 4)) < 0.3).astype(np.float64)))
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for _epoch in range(3):
        for (batch,) in DataLoader(data, batch_size=10):
            optimizer.zero_grad()
            recon, mu, logvar = model(batch)
            loss = loss_function(recon, batch, mu, logvar)
            loss.backward()
            losses.append(loss.item())
            optimizer.step()
    model.eval()
    with torch.no_grad():
        picture = model.decode(torch.zeros(1, 3).double()).cpu().view(4, 4)
    grads = {name: p.grad.abs().mean().item() for name, p in model.named_parameters()}
    record = {"loss": losses, "picture": picture.tolist(), "grads": list(grads.values())}
    print(json.dumps({"dtype": str(picture.dtype), **record}))


if __name__ == "__main__":
    main()
