"""Rprop: steps that look at the sign of the gradient alone."""

from __future__ import annotations

import numpy as np

from ..core.tensor import Tensor, wrap
from .by_gradient import ByGradient, blocks, count, plain, settings, zeros


class Rprop(ByGradient):
    """p ← p - s · sign(g), where s grows while the sign of g stays and shrinks when it changes.

    s starts at `lr`, is multiplied by the second or the first of `etas`, and kept between `step_sizes`. Where the sign
    changes, p stays and the gradient counts as zero. `maximize` climbs. Source: Riedmiller and Braun, 1993.

    ValueError for a negative rate, or etas that are not on both sides of 1.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 5.0], requires_grad=True)
    >>> optimizer = ac.optim.Rprop([w], lr=0.5)
    >>> (w * w).sum().backward(); optimizer.step(); w
    tensor([0.5000, 4.5000], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        super().check_settings(group)
        if not 0.0 < group["etas"][0] < 1.0 < group["etas"][1]:
            raise ValueError(f"Invalid eta values: {group['etas'][0]}, {group['etas'][1]}")

    def start(self, p, group: dict) -> dict:
        """No gradient before, and steps of the size `lr`."""
        return {**zeros(p, ["prev"]), "step_size": wrap(np.full_like(p._array, plain(group)["lr"]))}

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        shrink, grow = group["etas"]
        count(state)
        for p, g, before, size in blocks(param, group, state, ("prev", "step_size")):
            g = -g if group["maximize"] else g
            same = np.sign(g * before)
            size[...] = np.clip(size * np.where(same > 0, grow, np.where(same < 0, shrink, 1.0)), *group["step_sizes"])
            g = np.where(same < 0, 0.0 * g, g)
            p -= np.sign(g) * size
            before[...] = g
