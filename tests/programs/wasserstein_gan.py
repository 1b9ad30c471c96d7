"""A critic with a gradient penalty, which is a gradient of a gradient, in single precision as such programs run."""

import json

import numpy as np
import torch
import torch.autograd as autograd
import torch.nn as nn


def compute_gradient_penalty(critic, real, fake, alpha):
    interpolates = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    d_interpolates = critic(interpolates)
    gradients = autograd.grad(
        outputs=d_interpolates,
        inputs=interpolates,
        grad_outputs=torch.ones_like(d_interpolates),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


def single(array):
    return torch.tensor(array.astype(np.float32))


def main():
    rng = np.random.default_rng(80)
    generator = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    critic = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 8), nn.SiLU(), nn.Linear(8, 1))
    for p in [*generator.parameters(), *critic.parameters()]:
        p.data = single(rng.normal(0, 0.4, tuple(p.shape)))
    optimizer_g = torch.optim.RMSprop(generator.parameters(), lr=2e-3)
    optimizer_d = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
    record = {"d": [], "g": [], "penalty": []}
    for i in range(10):
        real, z = single(rng.normal(1.0, 0.3, (12, 2))), single(rng.normal(size=(12, 3)))
        fake = generator(z)
        penalty = compute_gradient_penalty(critic, real.data, fake.data, single(rng.random((12, 1))))
        optimizer_d.zero_grad()
        d_loss = -torch.mean(critic(real)) + torch.mean(critic(fake.detach())) + 10 * penalty
        d_loss.backward()
        optimizer_d.step()
        record["d"].append(d_loss.item())
        record["penalty"].append(penalty.item())
        if i % 2 == 0:
            optimizer_g.zero_grad()
            g_loss = -torch.mean(critic(generator(z)))
            g_loss.backward()
            optimizer_g.step()
            record["g"].append(g_loss.item())
    record["weights"] = [p.norm().item() for p in [*generator.parameters(), *critic.parameters()]]
    print(json.dumps({"dtype": str(d_loss.dtype), **record}))


if __name__ == "__main__":
    main()
