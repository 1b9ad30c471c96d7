"""Adafactor: Adam's scale for a matrix, kept as one number for each row and each column."""

from __future__ import annotations

import numpy as np

from ..core.tensor import Tensor, wrap
from .by_gradient import ByGradient, count, gradient_of, settings, zeros


class Adafactor(ByGradient):
    """p ← p - α · u / max(1, rms(u) / d) with u = g / √v and α = max(ε₂, rms(p)) · min(lr, 1/√t).

    v averages g² with the weight t^beta2_decay for the newest. For more than one axis only the averages R over the last
    axis and C over the one before are kept, and v = R C / mean(R). `eps` is (ε₁, ε₂): ε₁ is the least √v, by default
    the spacing of the dtype at 1. p shrinks by the factor 1 - lr · weight_decay before the step; `maximize` climbs.
    Source: Shazeer and Stern, 2018, algorithms 4 and 5, with lr in the place of 0.01.

    ValueError for a negative setting, a positive beta2_decay, or d below 1.

    >>> import autograd_core as ac
    >>> w = ac.tensor([[1.0, 5.0]], requires_grad=True)
    >>> optimizer = ac.optim.Adafactor([w], lr=0.1)
    >>> (w * w).sum().backward(); optimizer.step(); w
    tensor([[0.6394, 4.6394]], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ):
        super().__init__(params, settings(locals()))

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        super().check_settings({name: value for name, value in group.items() if name not in ("eps", "lr")})
        least, of_parameter = group["eps"]
        for fine, text in (
            (group["lr"] >= 0.0, f"Learning rate should be >= 0 but is: {group['lr']}"),
            (group["beta2_decay"] <= 0.0, f"beta2_decay should be <= 0 but is: {group['beta2_decay']}"),
            (least is None or least >= 0.0, f"epsilon1 should be >= 0 but is: {least}"),
            (of_parameter >= 0.0, f"epsilon2 should be >= 0 but is: {of_parameter}"),
            (group["d"] >= 1.0, f"Clipping threshold d should be >= 1 but is: {group['d']}"),
        ):
            if not fine:
                raise ValueError(text)

    def start(self, p, group: dict) -> dict:
        """Averages of zero: of rows and columns, or of elements where there is one axis or none."""
        if p.dim() < 2:
            return zeros(p, ["variance"])
        rows, columns = p._array[..., :1], p._array[..., :1, :]
        return {**zeros(p, ()), "row_var": wrap(np.zeros_like(rows)), "col_var": wrap(np.zeros_like(columns))}

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        p, carried = param._array, np.promote_types(param._array.dtype, np.float32)
        g = gradient_of(param).astype(carried)
        g = -g if group["maximize"] else g
        t, (least, of_parameter) = count(state), group["eps"]
        least = np.finfo(p.dtype).eps if least is None else least
        rate = max(of_parameter, _rms(p.astype(carried))) * min(group["lr"], t**-0.5)
        if group["weight_decay"]:
            p *= 1 - group["lr"] * group["weight_decay"]
        v = _second_moment(g, state, t ** group["beta2_decay"], least)
        u = g / np.sqrt(np.maximum(v, least * least))
        p -= (rate / max(1.0, _rms(u) / group["d"])) * u


def _second_moment(g: np.ndarray, state: dict, weight: float, least: float) -> np.ndarray:
    """Take g² into the averages that the state keeps, and return what they say of each element."""

    def averaged(name: str, new: np.ndarray) -> np.ndarray:
        mean = state[name]._array
        mean += (weight * (new - mean)).astype(mean.dtype)
        return mean.astype(g.dtype)

    if "variance" in state:
        return averaged("variance", g * g)
    rows = averaged("row_var", (g * g).mean(-1, keepdims=True))
    columns = averaged("col_var", (g * g).mean(-2, keepdims=True))
    return rows * columns / np.maximum(rows.mean(-2, keepdims=True), least)


def _rms(x: np.ndarray) -> float:
    return float(np.sqrt(np.mean(x * x))) if x.size else 0.0
