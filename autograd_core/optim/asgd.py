"""ASGD: gradient descent whose result is the average of where it has been."""

from __future__ import annotations

import numpy as np

from ..core.tensor import Tensor, wrap
from .by_gradient import ByGradient, blocks, count, descent, plain, scalar, settings, zeros


class ASGD(ByGradient):
    """p ← (1 - lambd · η) p - η g with η = lr / (1 + lambd · lr · t)^alpha, and "ax" in the state averages p.

    η is lr in the first step. Before step `t0` the average is p itself. `weight_decay` adds a multiple of p to g;
    `maximize` climbs. Source: Polyak and Juditsky, 1992.

    ValueError for a negative rate or weight decay.

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.ASGD([w], lr=0.1, lambd=0.0, t0=0)
    >>> for _ in range(2):
    ...     optimizer.zero_grad(); (w * w).backward(); optimizer.step()
    >>> w, optimizer.state[w]["ax"]
    (tensor(0.6400, requires_grad=True), tensor(0.6400))
    """

    counts = frozenset({"step", "eta", "mu"})

    def __init__(
        self,
        params,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def start(self, p, group: dict) -> dict:
        """The first rate, the first weight of the average, and an average of nothing."""
        return {
            **zeros(p, ()),
            "eta": scalar(plain(group)["lr"]),
            "mu": scalar(1.0),
            "ax": wrap(np.zeros_like(p._array)),
        }

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        t, eta, mu = count(state), state["eta"]._array, state["mu"]._array
        rate, weight = eta.item(), mu.item()
        for p, g, mean in blocks(param, group, state, ["ax"]):
            g = descent(p, g, group)
            p *= 1 - group["lambd"] * rate
            p -= rate * g
            if weight == 1:
                mean[...] = p
            else:
                mean += (p - mean) * weight
        lr = plain(group)["lr"]
        eta[...] = lr / (1 + group["lambd"] * lr * t) ** group["alpha"]
        mu[...] = 1 / max(1, t - group["t0"])
