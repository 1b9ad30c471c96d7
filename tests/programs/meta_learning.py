"""Model-agnostic meta-learning on sine waves: the gradient of what a net is after steps of gradient descent."""

import json

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


def task(rng):
    amplitude, phase = rng.uniform(0.5, 2.0), rng.uniform(0, np.pi)
    x = torch.from_numpy(rng.uniform(-3, 3, (16, 1)))
    return x, amplitude * torch.sin(x + phase)


def adapted(model, x, y, steps=2, lr=0.05):
    params = dict(model.named_parameters())
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, params, (x,)), y)
        grads = torch.autograd.grad(loss, tuple(params.values()), create_graph=True)
        params = {name: p - lr * g for (name, p), g in zip(params.items(), grads)}
    return params


def main():
    rng = np.random.default_rng(9)
    model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 10), nn.Tanh(), nn.Linear(10, 1)).double()
    for p in model.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.5, tuple(p.shape)))
    meta = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(10):
        meta.zero_grad()
        total = torch.tensor(0.0, dtype=torch.float64)
        for _ in range(2):
            x, y = task(rng)
            params = adapted(model, x[:8], y[:8])
            total = total + F.mse_loss(functional_call(model, params, (x[8:],)), y[8:])
        total.backward()
        meta.step()
        losses.append(total.item())
    grads = [p.grad.norm().item() for p in model.parameters()]
    first = next(model.parameters()).flatten().tolist()
    print(json.dumps({"dtype": str(total.dtype), "loss": losses, "grads": grads, "first": first}))


if __name__ == "__main__":
    main()
