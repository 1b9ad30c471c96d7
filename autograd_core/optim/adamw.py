"""AdamW: Adam with weight decay apart from the gradient."""

from __future__ import annotations

from .adam import Adam
from .by_gradient import settings


class AdamW(Adam):
    """Adam, but p shrinks by the factor 1 - lr · weight_decay before the step: the decay is not divided by √v̂.

    Source: Loshchilov and Hutter, 2019, algorithm 2. Arguments and errors as in `Adam`.

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.AdamW([w], lr=0.1, weight_decay=0.5)
    >>> (0 * w).backward(); optimizer.step(); w
    tensor(0.9500, requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        super().__init__(params, **settings(locals()), decoupled_weight_decay=True)
