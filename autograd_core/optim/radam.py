"""RAdam: Adam that waits with its scaling until the average square is worth something."""

from __future__ import annotations

import math

import numpy as np

from .adam import decayed
from .by_gradient import ByGradient, average, average_square, blocks, count, settings, zeros


class RAdam(ByGradient):
    """Adam with a rectified scale: p ← p - lr · r · m̂ / (√v + eps) · √(1 - β₂ᵗ), and p ← p - lr · m̂ in the first steps.

    r grows to 1 with ρ_t = ρ - 2 t β₂ᵗ / (1 - β₂ᵗ), where ρ = 2 / (1 - β₂) - 1; the first steps are those with ρ_t ≤ 5.
    Weight decay as in `Adam`; `maximize` climbs. Source: Liu and others, 2020, algorithm 2.

    ValueError for a negative setting, or a beta outside [0, 1).

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.RAdam([w], lr=0.1)
    >>> (w * w).backward(); optimizer.step(); w
    tensor(0.8000, requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def start(self, p, group: dict) -> dict:
        """Averages of zero."""
        return zeros(p, ("exp_avg", "exp_avg_sq"))

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        beta1, beta2 = group["betas"]
        t = count(state)
        rate, factor = group["lr"] / (1 - beta1**t), rectified(t, beta2)
        for p, g, m, v in blocks(param, group, state, ("exp_avg", "exp_avg_sq")):
            g = decayed(p, g, group)
            average(m, g, 1 - beta1)
            average_square(v, g, beta2)
            if factor is None:
                p -= rate * m
            else:
                p -= (rate * factor) * (m / (np.sqrt(v) + group["eps"]))


def rectified(t: float, beta2: float) -> float | None:
    """r · √(1 - β₂ᵗ) at step t, or None while the variance of the scale cannot be told."""
    limit, rest = 2 / (1 - beta2) - 1, 1 - beta2**t
    rho = limit - 2 * t * beta2**t / rest
    if rho <= 5.0:
        return None
    return math.sqrt((rho - 4) * (rho - 2) * limit / ((limit - 4) * (limit - 2) * rho) * rest)
