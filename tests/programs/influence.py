"""Derivatives of derivatives at work: Hessian-vector products, conjugate gradients, influence, and mechanics."""

import json

import numpy as np
import torch
from torch import nn
from torch.autograd import grad
from torch.func import grad as func_grad
from torch.func import hessian, jacrev, jvp, vjp


def hvp(loss, params, v):
    flat = torch.cat([g.reshape(-1) for g in grad(loss, params, create_graph=True)])
    return torch.cat([g.contiguous().view(-1) for g in grad(flat @ v, params, retain_graph=True)])


def conjugate_gradient(product, b, steps=12, damping=0.1):
    x, r = torch.zeros_like(b), b.clone()
    p, rr = r.clone(), r.dot(r)
    for _ in range(steps):
        Ap = product(p) + damping * p
        alpha = rr / p.dot(Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r.dot(r)
        if new.item() < 1e-16:
            break
        p, rr = r + new / rr * p, new
    return x


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(140)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    for p in model.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.6, tuple(p.shape)))
    params = list(model.parameters())
    x, y = torch.from_numpy(rng.normal(size=(15, 3))), torch.from_numpy(rng.integers(0, 2, 15))
    criterion = nn.CrossEntropyLoss(reduction="none")
    losses = []
    for _ in range(10):
        loss = criterion(model(x), y).mean()
        gradient = torch.cat([g.flatten() for g in grad(loss, params, retain_graph=True)])
        step = conjugate_gradient(lambda v: hvp(criterion(model(x), y).mean(), params, v), gradient, damping=1.0)
        vector = nn.utils.parameters_to_vector(params).detach() - 0.5 * step
        nn.utils.vector_to_parameters(vector, params)
        losses.append(loss.item())
    test = torch.cat([g.flatten() for g in grad(criterion(model(x[:1]), y[:1]).sum(), params)])
    solved = conjugate_gradient(lambda v: hvp(criterion(model(x), y).mean(), params, v), test, damping=1.0)
    influence = []
    for i in range(5):
        own = torch.cat([g.flatten() for g in grad(criterion(model(x[i : i + 1]), y[i : i + 1]).sum(), params)])
        influence.append(-(own @ solved).item())

    def energy(q):
        return (q**2).sum() / 2 + (q[0] * q[1]).sin()

    q, p = torch.tensor([1.0, -0.5]), torch.tensor([0.2, 0.3])
    for _ in range(10):
        p = p - 0.05 * func_grad(energy)(q)
        q = q + 0.05 * p
    _, tangent = jvp(lambda v: jacrev(energy)(v), (q,), (p,))
    value, pull = vjp(lambda v: v.sin() * v.flip(0), q)
    record = {"loss": losses, "influence": influence, "path": [*q.tolist(), *p.tolist()], "tangent": tangent.tolist()}
    record["hessian"] = hessian(energy)(q).tolist()
    record["pull"] = pull(torch.ones_like(value))[0].tolist()
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
