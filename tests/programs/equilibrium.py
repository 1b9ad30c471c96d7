"""A layer that is a fixed point: found without a graph, differentiated implicitly by a hook that solves another one."""

import json

import numpy as np
import torch
from torch import autograd, nn


def fixed_point(f, x0, max_iter=60, tol=1e-13):
    z = x0
    for k in range(max_iter):
        new = f(z)
        if (new - z).norm().item() < tol * (1 + z.norm().item()):
            return new, k
        z = new
    return z, max_iter


class DEQLayer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.W, self.U = nn.Linear(n, n), nn.Linear(n, n, bias=False)
        self.steps = []

    def f(self, z, x):
        return torch.tanh(self.W(z) + self.U(x))

    def forward(self, x):
        with torch.no_grad():
            z, k = fixed_point(lambda z: self.f(z, x), torch.zeros_like(x))
        z = self.f(z, x)
        z0 = z.clone().detach().requires_grad_()
        f0 = self.f(z0, x)

        def backward_hook(grad):
            g, steps = fixed_point(lambda y: autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad)
            self.steps.append(k + steps)
            return g

        z.register_hook(backward_hook)
        return z


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(110)
    layer, head = DEQLayer(5), nn.Linear(5, 2)
    for p in [*layer.parameters(), *head.parameters()]:
        p.data = torch.from_numpy(rng.normal(0, 0.15, tuple(p.shape)))
    x, y = torch.from_numpy(rng.normal(size=(12, 5))), torch.from_numpy(rng.integers(0, 2, 12))
    optimizer = torch.optim.SGD([*layer.parameters(), *head.parameters()], lr=0.5)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(head(layer(x)), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    single = nn.Linear(3, 3)
    single.load_state_dict({"weight": 0.3 * torch.eye(3), "bias": torch.zeros(3)})
    jacobian = autograd.functional.jacobian(
        lambda v: fixed_point(lambda z: torch.cos(single(z)) + v, v)[0], torch.ones(3)
    )
    record = {"loss": losses, "W": layer.W.weight.grad.tolist(), "jacobian": jacobian.tolist(), "steps": layer.steps}
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
