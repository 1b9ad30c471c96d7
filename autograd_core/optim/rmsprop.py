"""RMSprop: steps scaled by a running average of the squared gradient."""

from __future__ import annotations

import numpy as np

from .optimizer import Optimizer, average, average_square, blocks, count, descent, settings, zeros


class RMSprop(Optimizer):
    """p ← p - lr · g / (√s + eps), with s the running average of g².

    `alpha` is the weight of the past in s. `centered` takes the square of the average of g off s, which leaves a
    variance; with `momentum` μ, p moves by the buffer b ← μ b + g / (√s + eps); `weight_decay` adds a multiple of p to
    g; `maximize` climbs. Source: Hinton's lectures, 2012; for the centered form Graves, 2013.

    ValueError for a negative setting.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 5.0], requires_grad=True)
    >>> optimizer = ac.optim.RMSprop([w], lr=0.05)
    >>> (w * w).sum().backward(); optimizer.step(); w
    tensor([0.5000, 4.5000], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def update(self, param, grad, group: dict, state: dict) -> None:
        """One step of one parameter."""
        alpha, momentum, centered = group["alpha"], group["momentum"], group["centered"]
        names = ["square_avg", *["momentum_buffer"] * (momentum > 0), *["grad_avg"] * centered]
        if not state:
            state.update(zeros(param, names))
        count(state)
        for p, g, square, *others in blocks(param, grad, *[state[name]._array for name in names]):
            g = descent(p, g, group)
            average_square(square, g, alpha)
            if centered:
                mean = others[-1]
                average(mean, g, 1 - alpha)
                square = square - mean * mean
            scale = np.sqrt(square)
            scale += group["eps"]
            step = g / scale
            if momentum > 0:
                others[0] *= momentum
                others[0] += step
                step = others[0]
            p -= group["lr"] * step
