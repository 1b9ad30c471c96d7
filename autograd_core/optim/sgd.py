"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from ..tensor import wrap
from .optimizer import Optimizer


class SGD(Optimizer):
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
    ):
        settings = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        super().check_settings(group)
        if group["momentum"] < 0.0:
            raise ValueError(f"Invalid momentum value: {group['momentum']}")
        if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")

    def update(self, p, g, group: dict, state: dict) -> None:
        """One step of one parameter."""
        momentum = group["momentum"]
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p
        if momentum:
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = wrap(g.copy())
            else:
                buffer._array *= momentum
                buffer._array += (1 - group["dampening"]) * g
            g = g + momentum * buffer._array if group["nesterov"] else buffer._array
        p -= group["lr"] * g
