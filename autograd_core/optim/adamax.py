"""Adamax: Adam with the largest gradient in the place of the average square."""

from __future__ import annotations

import numpy as np

from .by_gradient import ByGradient, average, blocks, count, descent, settings, zeros


class Adamax(ByGradient):
    """p ← p - lr · m̂ / u, with m̂ as in `Adam` and u ← max(β₂ u, |g| + eps).

    `weight_decay` adds a multiple of p to g; `maximize` climbs. Source: Kingma and Ba, 2015, algorithm 2.

    ValueError for a negative setting, or a beta outside [0, 1).

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.Adamax([w], lr=0.1)
    >>> (w * w).backward(); optimizer.step(); w
    tensor(0.9000, requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def start(self, p, group: dict) -> dict:
        """Averages of zero."""
        return zeros(p, ("exp_avg", "exp_inf"))

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        beta1, beta2 = group["betas"]
        rate = group["lr"] / (1 - beta1 ** count(state))
        for p, g, m, u in blocks(param, group, state, ("exp_avg", "exp_inf")):
            g = descent(p, g, group)
            average(m, g, 1 - beta1)
            u[...] = np.maximum(beta2 * u, np.abs(g) + group["eps"])
            p -= rate * (m / u)
