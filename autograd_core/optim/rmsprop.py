"""RMSprop: steps scaled by a running average of the squared gradient."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from .by_gradient import ByGradient, average, average_square, blocks, count, descent, settings, zeros


class RMSprop(ByGradient):
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

    added_later: ClassVar[dict] = {**ByGradient.added_later, "momentum": 0.0}

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

    def start(self, p, group: dict) -> dict:
        """Averages of zero."""
        return zeros(p, self._names(group))

    def _names(self, group: dict) -> list[str]:
        return ["square_avg", *["momentum_buffer"] * (group["momentum"] > 0), *["grad_avg"] * group["centered"]]

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        alpha, momentum, centered = group["alpha"], group["momentum"], group["centered"]
        count(state)
        for p, g, square, *others in blocks(param, group, state, self._names(group)):
            g = descent(p, g, group)
            average_square(square, g, alpha)
            if centered:
                mean = others[-1]
                average(mean, g, 1 - alpha)
                square = square - mean * mean
            step = g / (np.sqrt(square) + group["eps"])
            if momentum > 0:
                others[0] *= momentum
                others[0] += step
                step = others[0]
            p -= group["lr"] * step
