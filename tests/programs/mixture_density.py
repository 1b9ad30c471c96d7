"""Nets whose output is a distribution: mixtures of Gaussians, quantiles, counts; and a sine net's own derivative."""

import json
import math

import numpy as np
import torch
from torch import nn


class MDN(nn.Module):
    def __init__(self, hidden=8, gaussians=3):
        super().__init__()
        self.z_h = nn.Sequential(nn.Linear(1, hidden), nn.Tanh())
        self.z_pi = nn.Linear(hidden, gaussians)
        self.z_mu = nn.Linear(hidden, gaussians)
        self.z_sigma = nn.Linear(hidden, gaussians)

    def forward(self, x):
        h = self.z_h(x)
        return torch.log_softmax(self.z_pi(h), -1), self.z_mu(h), torch.nn.functional.softplus(self.z_sigma(h)) + 1e-3


def mdn_loss(log_pi, mu, sigma, y):
    log_prob = -0.5 * ((y - mu) / sigma) ** 2 - sigma.log() - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(log_pi + log_prob, dim=1).mean()


def quantile_loss(pred, y, quantiles=(0.1, 0.5, 0.9)):
    q = torch.tensor(quantiles)
    error = y - pred
    return torch.max(q * error, (q - 1) * error).mean()


class Siren(nn.Module):
    def __init__(self, rng, w0=5.0):
        super().__init__()
        self.w0 = nn.Parameter(torch.tensor(w0), requires_grad=False)
        self.a = nn.Parameter(torch.from_numpy(rng.uniform(-1, 1, (1, 8))))
        self.b = nn.Parameter(torch.from_numpy(rng.uniform(-0.3, 0.3, (8, 1))))
        self.register_buffer("steps", torch.tensor(0))

    def forward(self, x):
        self.steps += 1
        return torch.sin(self.w0 * x @ self.a) @ self.b


def fit(params, loss_of, optimizer, steps=10):
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(130)
    mdn, quantile, siren = MDN(), nn.Linear(1, 3), Siren(rng)
    counts = nn.Sequential(nn.Linear(1, 4), nn.Softsign(), nn.Linear(4, 1))
    for p in [*mdn.parameters(), *quantile.parameters(), *counts.parameters()]:
        p.data = torch.from_numpy(rng.normal(0, 0.5, tuple(p.shape)))
    x = torch.from_numpy(rng.uniform(-2, 2, (24, 1)))
    y = torch.sin(2 * x) + 0.1 * torch.from_numpy(rng.standard_t(4, (24, 1)))
    k = torch.from_numpy(rng.poisson(2, (24, 1))).to(torch.float64)
    poisson = nn.PoissonNLLLoss(log_input=True, full=True)
    record = {
        "mixture": fit(mdn, lambda: mdn_loss(*mdn(x), y), torch.optim.Adamax(mdn.parameters(), lr=0.02)),
        "quantiles": fit(quantile, lambda: quantile_loss(quantile(x), y), torch.optim.SGD(quantile.parameters(), 0.1)),
        "counts": fit(counts, lambda: poisson(counts(x), k), torch.optim.RAdam(counts.parameters(), lr=0.05)),
    }

    def slope_loss():
        at = x.detach().requires_grad_(True)
        (slope,) = torch.autograd.grad(siren(at).sum(), at, create_graph=True)
        return (slope - 2 * torch.cos(2 * at)).pow(2).mean()

    trained = [p for p in siren.parameters() if p.requires_grad]
    record["slopes"] = fit(siren, slope_loss, torch.optim.AdamW(trained, lr=0.01))
    hessian = torch.autograd.functional.hessian(lambda b: quantile_loss(b.exp(), y[:3]), torch.zeros(3))
    record["hessian"] = hessian.tolist()
    pi, mu, sigma = (value.detach() for value in mdn(x))
    record["mean"] = (pi.exp() * mu).sum(1).tolist()
    record["spread"] = [sigma.min().item(), sigma.max().item(), siren.steps.item()]
    print(json.dumps({"dtype": str(x.dtype), **record}))


if __name__ == "__main__":
    main()
