"""Adadelta: steps in the units of the parameter, scaled by the steps before."""

from __future__ import annotations

import numpy as np

from .by_gradient import ByGradient, average_square, blocks, count, descent, settings, zeros


class Adadelta(ByGradient):
    """p ← p - lr · d with d = √(D + eps) / √(S + eps) · g, where S and D are running averages of g² and d².

    `rho` is the weight of the past in both; `weight_decay` adds a multiple of p to g; `maximize` climbs.
    Source: Zeiler, 2012, algorithm 1.

    ValueError for a negative setting, or rho outside [0, 1].

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.Adadelta([w])
    >>> (w * w).backward(); optimizer.step(); w
    tensor(0.9968, requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        super().check_settings(group)
        if not 0.0 <= group["rho"] <= 1.0:
            raise ValueError(f"Invalid rho value: {group['rho']}")

    def start(self, p, group: dict) -> dict:
        """Averages of zero."""
        return zeros(p, ("square_avg", "acc_delta"))

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        rho, eps = group["rho"], group["eps"]
        count(state)
        for p, g, square, past in blocks(param, group, state, ("square_avg", "acc_delta")):
            g = descent(p, g, group)
            average_square(square, g, rho)
            step = np.sqrt(past + eps) / np.sqrt(square + eps) * g
            average_square(past, step, rho)
            p -= group["lr"] * step
