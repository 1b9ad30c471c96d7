"""NAdam: Adam with Nesterov's momentum."""

from __future__ import annotations

import numpy as np

from .adam import decayed
from .by_gradient import ByGradient, average, average_square, blocks, count, scalar, settings, zeros


class NAdam(ByGradient):
    """Adam, looking one step ahead: p moves by lr · (a g + b m) / (√v̂ + eps).

    With μ_t = β₁ (1 - 0.96^(t · momentum_decay) / 2) and Π_t the product of all μ up to step t, a = (1 - μ_t) /
    (1 - Π_t) and b = μ_(t+1) / (1 - Π_(t+1)). Weight decay as in `Adam`; `maximize` climbs. Source: Dozat, 2016.

    ValueError for a negative setting, or a beta outside [0, 1).

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.NAdam([w], lr=0.1)
    >>> (w * w).backward(); optimizer.step(); w
    tensor(0.8944, requires_grad=True)
    """

    counts = frozenset({"step", "mu_product"})

    def __init__(
        self,
        params,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def start(self, p, group: dict) -> dict:
        """Averages of zero, and a product of no factors."""
        return {**zeros(p, ("exp_avg", "exp_avg_sq")), "mu_product": scalar(1.0)}

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        beta1, beta2 = group["betas"]
        t = count(state)
        now, ahead = (beta1 * (1 - 0.5 * 0.96 ** (k * group["momentum_decay"])) for k in (t, t + 1))
        if group["differentiable"]:
            product = state["mu_product"] = state["mu_product"] * now
        else:
            product = state["mu_product"].mul_(now).item()
        of_gradient = group["lr"] * (1 - now) / (1 - product)
        of_average = group["lr"] * ahead / (1 - product * ahead)
        for p, g, m, v in blocks(param, group, state, ("exp_avg", "exp_avg_sq")):
            g = decayed(p, g, group)
            average(m, g, 1 - beta1)
            average_square(v, g, beta2)
            scale = np.sqrt(v / (1 - beta2**t)) + group["eps"]
            p -= of_gradient * (g / scale)
            p -= of_average * (m / scale)
