"""Adagrad: steps scaled by all the squared gradients so far."""

from __future__ import annotations

import numpy as np

from ..core.tensor import wrap
from .by_gradient import ByGradient, blocks, count, descent, settings, zeros


class Adagrad(ByGradient):
    """p ← p - lr_t · g / (√s + eps), where s is the sum of all g² so far.

    At step t, lr_t is lr / (1 + (t - 1) · lr_decay). s starts at `initial_accumulator_value`; `weight_decay` adds a
    multiple of p to g; `maximize` climbs. Source: Duchi, Hazan and Singer, 2011.

    ValueError for a negative setting.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 5.0], requires_grad=True)
    >>> optimizer = ac.optim.Adagrad([w], lr=0.1)
    >>> (w * w).sum().backward(); optimizer.step(); w
    tensor([0.9000, 4.9000], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        super().__init__(params, settings(locals()))

    def add_param_group(self, param_group: dict) -> None:
        """Add parameters, whose sums start at once."""
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        for p in group["params"]:
            self.state[p] = self.start(p, group)

    def start(self, p, group: dict) -> dict:
        """A sum of the initial value."""
        return {**zeros(p, ()), "sum": wrap(np.full_like(p._array, group["initial_accumulator_value"]))}

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        rate = group["lr"] / (1 + (count(state) - 1) * group["lr_decay"])
        for p, g, total in blocks(param, group, state, ["sum"]):
            g = descent(p, g, group)
            total += g * g
            p -= rate * (g / (np.sqrt(total) + group["eps"]))
