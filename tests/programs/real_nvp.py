"""A normalizing flow of affine couplings learns two moons by its likelihood, and is inverted."""

import json
import math

import numpy as np
import torch
from torch import nn


class AffineCoupling(nn.Module):
    def __init__(self, mask, hidden=8):
        super().__init__()
        self.register_buffer("mask", mask)
        self.s_net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.t_net = nn.Sequential(nn.Linear(2, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x):
        mx = x * self.mask
        s = self.s_net(mx).tanh() * self.scale * (1 - self.mask)
        t = self.t_net(mx) * (1 - self.mask)
        return mx + (1 - self.mask) * (x - t) * torch.exp(-s), -s.sum(dim=1)

    def inverse(self, u):
        mu = u * self.mask
        s = self.s_net(mu).tanh() * self.scale * (1 - self.mask)
        return mu + (1 - self.mask) * (u * s.exp() + self.t_net(mu) * (1 - self.mask))


class RealNVP(nn.Module):
    def __init__(self, n):
        super().__init__()
        masks = [torch.tensor([float(i % 2), float(1 - i % 2)]) for i in range(n)]
        self.layers = nn.ModuleList(AffineCoupling(mask) for mask in masks)

    def log_prob(self, x):
        total = x.new_zeros(x.shape[0])
        for layer in self.layers:
            x, log_det = layer(x)
            total += log_det
        return (-0.5 * x.pow(2) - 0.5 * math.log(2 * math.pi)).sum(1) + total

    def forward(self, u):
        for layer in reversed(self.layers):
            u = layer.inverse(u)
        return u


def moons(rng, n):
    angle, side = rng.uniform(0, np.pi, n), rng.integers(0, 2, n)
    x = np.where(side, 1 - np.cos(angle), np.cos(angle)) - 0.5
    y = np.where(side, 0.5 - np.sin(angle), np.sin(angle))
    return torch.from_numpy(np.stack([x, y], 1) + rng.normal(0, 0.05, (n, 2)))


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(4)
    flow = RealNVP(4)
    for p in flow.parameters():
        if p.ndim > 1:
            p.data.copy_(torch.from_numpy(rng.normal(0, 0.4, tuple(p.shape))))
        else:
            nn.init.constant_(p, 0.1)
    optimizer = torch.optim.Adam(flow.parameters(), lr=5e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    losses = []
    for _ in range(10):
        loss = -flow.log_prob(moons(rng, 32)).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(flow.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    with torch.no_grad():
        samples = flow(torch.from_numpy(rng.normal(size=(5, 2))))
    jacobian = torch.autograd.functional.jacobian(lambda u: flow(u[None])[0], torch.ones(2))
    record = {"loss": losses, "samples": samples.tolist(), "jacobian": jacobian.tolist()}
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
