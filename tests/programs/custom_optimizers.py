"""Optimizers written by subclassing: LARS-like scaling, Lion, and a lookahead that wraps another optimizer."""

import json
from collections import defaultdict

import numpy as np
import torch
from torch import nn
from torch.optim.optimizer import Optimizer


class Lion(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.0):
        if lr <= 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.data.mul_(1 - group["lr"] * group["weight_decay"])
                state = self.state[p]
                if len(state) == 0:
                    state["exp_avg"] = torch.zeros_like(p)
                exp_avg, (beta1, beta2) = state["exp_avg"], group["betas"]
                update = exp_avg * beta1 + p.grad * (1 - beta1)
                p.add_(torch.sign(update), alpha=-group["lr"])
                exp_avg.mul_(beta2).add_(p.grad, alpha=1 - beta2)
        return loss


class LARS(Optimizer):
    def __init__(self, params, lr, momentum=0.9, trust=0.02):
        super().__init__(params, {"lr": lr, "momentum": momentum, "trust": trust})

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                w_norm, g_norm = torch.norm(p.data), torch.norm(d_p)
                ratio = torch.where(w_norm > 0, group["trust"] * w_norm / (g_norm + 1e-9), torch.ones_like(w_norm))
                state = self.state[p]
                if "momentum_buffer" not in state:
                    buf = state["momentum_buffer"] = torch.clone(d_p).detach()
                else:
                    buf = state["momentum_buffer"]
                    buf.mul_(group["momentum"]).add_(d_p * ratio)
                p.data.add_(buf, alpha=-group["lr"])
        return loss


class Lookahead(Optimizer):
    def __init__(self, optimizer, k=3, alpha=0.5):
        self.optimizer, self.k, self.alpha = optimizer, k, alpha
        self.param_groups, self.defaults = optimizer.param_groups, optimizer.defaults
        self.state = defaultdict(dict)
        self.counter = 0

    def zero_grad(self, set_to_none=True):
        self.optimizer.zero_grad(set_to_none)

    def step(self, closure=None):
        loss = self.optimizer.step(closure)
        self.counter += 1
        for group in self.param_groups:
            for fast in group["params"]:
                slow = self.state[fast].setdefault("slow", fast.data.clone())
                if self.counter % self.k == 0:
                    slow += (fast.data - slow) * self.alpha
                    fast.data.copy_(slow)
        return loss


def run(make, steps=10):
    rng = np.random.default_rng(6)
    model = nn.Sequential(nn.Linear(3, 6), nn.Softplus(), nn.Linear(6, 1)).double()
    for p in model.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.5, tuple(p.shape)))
    x, y = torch.from_numpy(rng.normal(size=(20, 3))), torch.from_numpy(rng.normal(size=(20, 1)))
    optimizer, losses = make(model), []

    def closure():
        optimizer.zero_grad()
        loss = nn.functional.smooth_l1_loss(model(x), y, beta=0.3)
        loss.backward()
        return loss

    for _ in range(steps):
        losses.append(optimizer.step(closure).item())
    return losses, [p.norm().item() for p in model.parameters()]


def main():
    makers = {
        "lion": lambda m: Lion(m.parameters(), lr=0.01, weight_decay=0.1),
        "lars": lambda m: LARS([{"params": m[0].parameters()}, {"params": m[2].parameters(), "lr": 0.1}], lr=0.3),
        "lookahead": lambda m: Lookahead(torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.5)),
        "lookahead over adagrad": lambda m: Lookahead(torch.optim.Adagrad(m.parameters(), lr=0.1), k=2),
    }
    record = {}
    for name, make in makers.items():
        record[name], record[f"{name}, norms"] = run(make)
    print(json.dumps({"dtype": str(torch.float64), **record}))


if __name__ == "__main__":
    main()
