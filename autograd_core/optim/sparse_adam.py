"""SparseAdam: Adam for gradients that hold only what is not zero, which this package does not have."""

from __future__ import annotations

from ..core.tensor import Tensor
from .by_gradient import ByGradient, settings


class SparseAdam(ByGradient):
    """Takes PyTorch's arguments, and refuses each step: no gradient here is sparse. Use `Adam`.

    RuntimeError from `step`, as in PyTorch for dense gradients; ValueError for a negative setting.

    >>> import autograd_core as ac
    >>> w = ac.ones(2, requires_grad=True)
    >>> optimizer = ac.optim.SparseAdam([w])
    >>> w.sum().backward(); optimizer.step()
    Traceback (most recent call last):
    RuntimeError: SparseAdam does not support dense gradients, please consider Adam instead: no gradient here is sparse
    """

    def __init__(
        self,
        params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        super().check_settings(group)
        for name in ("lr", "eps"):
            if not group[name] > 0.0:
                title = "learning rate" if name == "lr" else "epsilon value"
                raise ValueError(f"Invalid {title}: {group[name]}")

    def update(self, param, group: dict, state: dict) -> None:
        """Refuse."""
        raise RuntimeError(
            "SparseAdam does not support dense gradients, please consider Adam instead: no gradient here is sparse"
        )
