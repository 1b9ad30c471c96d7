"""Adam: steps scaled by running averages of the gradient and of its square."""

from __future__ import annotations

import math

import numpy as np

from .optimizer import Optimizer, average, average_square, blocks, count, descent, settings, zeros


class Adam(Optimizer):
    """p ← p - lr · m̂ / (√v̂ + eps), with m and v the running averages of g and g², corrected for starting at zero.

    `weight_decay` adds a multiple of p to the gradient, or with `decoupled_weight_decay` makes p smaller apart from it,
    as AdamW does; `amsgrad` divides by the largest v so far; `maximize` climbs.
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
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def update(self, param, grad, group: dict, state: dict) -> None:
        """One step of one parameter."""
        beta1, beta2 = group["betas"]
        names = ["exp_avg", "exp_avg_sq", *["max_exp_avg_sq"] * group["amsgrad"]]
        if not state:
            state.update(zeros(param, names))
        t = count(state)
        rate, root = group["lr"] / (1 - beta1**t), math.sqrt(1 - beta2**t)
        for p, g, m, v, *largest in blocks(param, grad, *[state[name]._array for name in names]):
            g = decayed(p, g, group)
            average(m, g, 1 - beta1)
            average_square(v, g, beta2)
            if largest:
                v = np.maximum(largest[0], v, out=largest[0])
            scale = np.sqrt(v)
            scale /= root
            scale += group["eps"]
            step = np.divide(m, scale)
            step *= rate
            p -= step


def decayed(p, g, group: dict):
    """What to move against after weight decay, which is applied to `p` itself where it is decoupled."""
    if not group["decoupled_weight_decay"]:
        return descent(p, g, group)
    if group["weight_decay"]:
        p *= 1 - group["lr"] * group["weight_decay"]
    return -g if group["maximize"] else g
