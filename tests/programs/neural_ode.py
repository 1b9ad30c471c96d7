"""A neural ODE whose gradient is another ODE, solved backward in time by a Function of one's own."""

import json

import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.nn.utils import parameters_to_vector


def rk4(f, y, t0, t1, steps=8):
    h = (t1 - t0) / steps
    for i in range(steps):
        t = t0 + i * h
        k1 = f(t, y)
        k2 = f(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = f(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = f(t + h, [a + h * b for a, b in zip(y, k3)])
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y


class OdeintAdjoint(Function):
    @staticmethod
    def forward(ctx, func, y0, t1, *params):
        ctx.func, ctx.t1 = func, t1
        with torch.no_grad():
            (y1,) = rk4(lambda t, y: [func(t, y[0])], [y0], 0.0, t1)
        ctx.save_for_backward(y1, *params)
        return y1

    @staticmethod
    def backward(ctx, grad_y):
        y1, *params = ctx.saved_tensors

        def augmented(t, state):
            y, a = state[0].detach(), state[1]
            with torch.enable_grad():
                y = y.requires_grad_(True)
                out = ctx.func(t, y)
                vjps = torch.autograd.grad(out, (y, *params), -a, allow_unused=True)
            vjps = [torch.zeros_like(p) if v is None else v for p, v in zip((y, *params), vjps)]
            return [out.detach(), *vjps]

        state = [y1, grad_y, *[torch.zeros_like(p) for p in params]]
        with torch.no_grad():
            _, a, *grads = rk4(augmented, state, ctx.t1, 0.0)
        return (None, a, None, *grads)


class ODEFunc(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
        self.unused = nn.Parameter(torch.ones(1))
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y**3) * (1 + 0.1 * t)


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(17)
    func = ODEFunc()
    for m in func.net.modules():
        if isinstance(m, nn.Linear):
            m.weight.data.copy_(torch.from_numpy(rng.normal(0, 0.5, tuple(m.weight.shape))))
            nn.init.constant_(m.bias, val=0)
    y0 = torch.from_numpy(rng.normal(size=(6, 2))).requires_grad_()
    target = y0.detach() @ torch.tensor([[0.0, 1.0], [-1.0, 0.0]])
    optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-2)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        pred = OdeintAdjoint.apply(func, y0, 0.7, *func.parameters())
        loss = torch.mean(torch.abs(pred - target))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    vector = parameters_to_vector(func.parameters())
    record = {"loss": losses, "y0": y0.grad.tolist(), "calls": func.nfe, "params": vector.tolist()}
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
