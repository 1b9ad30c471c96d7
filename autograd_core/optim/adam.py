"""Adam: steps scaled by running averages of the gradient and of its square."""

from __future__ import annotations

import math

import numpy as np

from ..tensor import wrap
from .optimizer import Optimizer


class Adam(Optimizer):
    """p ← p - lr · m̂ / (√v̂ + eps), with m and v the running averages of g and g², corrected for starting at zero.

    `weight_decay` adds a multiple of p to the gradient; `amsgrad` divides by the largest v so far; `maximize` climbs.
    Source: Kingma and Ba, 2015, algorithm 1; for amsgrad Reddi, Kale and Kumar, 2018.

    ValueError for a negative setting, or a beta outside [0, 1).

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.Adam([w], lr=0.1)
    >>> (w * w).backward(); optimizer.step(); w
    tensor(0.9000, requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        super().check_settings(group)
        if group["eps"] < 0.0:
            raise ValueError(f"Invalid epsilon value: {group['eps']}")
        for i, beta in enumerate(group["betas"]):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")

    def update(self, p, g, group: dict, state: dict) -> None:
        """One step of one parameter."""
        beta1, beta2 = group["betas"]
        if not state:
            state["step"] = 0
            names = ["exp_avg", "exp_avg_sq"] + (["max_exp_avg_sq"] if group["amsgrad"] else [])
            state.update((name, wrap(np.zeros(p.shape, p.dtype))) for name in names)
        state["step"] += 1
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p
        m, v = state["exp_avg"]._array, state["exp_avg_sq"]._array
        m += (1 - beta1) * (g - m)
        v *= beta2
        v += (1 - beta2) * (g * g)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]._array
            v = np.maximum(largest, v, out=largest)
        scale = np.sqrt(v) / math.sqrt(1 - beta2 ** state["step"])
        scale += group["eps"]
        p -= group["lr"] / (1 - beta1 ** state["step"]) * (m / scale)
