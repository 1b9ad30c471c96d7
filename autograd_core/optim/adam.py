"""Adam: steps scaled by running averages of the gradient and of its square."""

from __future__ import annotations

import numpy as np

from ..core.tensor import Tensor
from .by_gradient import ByGradient, average, average_square, blocks, count, descent, settings, zeros


class Adam(ByGradient):
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

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        super().check_settings(group)
        tensors = [isinstance(beta, Tensor) for beta in group["betas"]]
        if any(tensors) and not all(tensors):
            raise ValueError("betas must be either both floats or both Tensors")
        for name, value in (("lr", group["lr"]), *((f"betas[{i}]", beta) for i, beta in enumerate(group["betas"]))):
            if isinstance(value, Tensor) and group["foreach"] and not group["capturable"]:
                raise ValueError(
                    f"{name} as a Tensor is not supported for capturable=False and foreach=True: leave foreach out"
                )

    def start(self, p, group: dict) -> dict:
        """Averages of zero."""
        return zeros(p, self._names(group))

    def _names(self, group: dict) -> list[str]:
        return ["exp_avg", "exp_avg_sq", *["max_exp_avg_sq"] * group["amsgrad"]]

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        beta1, beta2 = group["betas"]
        t = count(state)
        rate, root = group["lr"] / (1 - beta1**t), (1 - beta2**t) ** 0.5
        for p, g, m, v, *largest in blocks(param, group, state, self._names(group)):
            g = decayed(p, g, group)
            average(m, g, 1 - beta1)
            average_square(v, g, beta2)
            if largest:  # times 1, so that what a backward pass needs is not overwritten
                v = largest[0][...] = np.maximum(largest[0] * 1, v)
            scale = np.sqrt(v) / root
            scale += group["eps"]
            p -= rate * (m / scale)


def decayed(p, g, group: dict):
    """What to move against after weight decay, which is applied to `p` itself where it is decoupled."""
    if not group["decoupled_weight_decay"]:
        return descent(p, g, group)
    if group["weight_decay"]:
        p *= 1 - group["lr"] * group["weight_decay"]
    return -g if group["maximize"] else g
