"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

import numpy as np

from ..core.tensor import wrap
from .by_gradient import ByGradient, blocks, descent, settings


class SGD(ByGradient):
    """p ← p - lr · d, where d is the gradient plus `weight_decay` · p.

    With `momentum` μ, d becomes the buffer v ← μ v + (1 - dampening) d (the first time v = d), or with `nesterov` d + μ
    v. `maximize` climbs. Source: Sutskever, Martens, Dahl and Hinton, 2013, in PyTorch's form.

    ValueError for a negative setting, or nesterov without momentum or with dampening.

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.SGD([w], lr=0.1)
    >>> (w * w).backward(); optimizer.step(); w
    tensor(0.8000, requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        super().__init__(params, settings(locals()))

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        super().check_settings(group)
        if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")

    def start(self, p, group: dict) -> dict:
        """With momentum a buffer, which the first step makes."""
        return {"momentum_buffer": None} if group["momentum"] else {}

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        if group["momentum"]:
            self.update_with_momentum(param, group, state)
            return
        for p, g in blocks(param, group, state):
            p -= group["lr"] * descent(p, g, group)

    def update_with_momentum(self, param, group: dict, state: dict) -> None:
        """One step of one parameter that has a buffer, or is to get one."""
        first = state.get("momentum_buffer") is None
        if first:
            state["momentum_buffer"] = wrap(np.zeros_like(param._array))
        for p, g, v in blocks(param, group, state, ["momentum_buffer"]):
            g = descent(p, g, group)
            if first:
                v[...] = g
            else:
                v *= group["momentum"]
                v += (1 - group["dampening"]) * g
            p -= group["lr"] * (g + group["momentum"] * v if group["nesterov"] else v)
