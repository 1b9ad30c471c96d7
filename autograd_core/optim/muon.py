"""Muon: momentum for a matrix, with all its singular values made about equal."""

from __future__ import annotations

import math

import numpy as np

from ..core.tensor import Tensor, wrap
from .by_gradient import ByGradient, gradient_of, settings


class Muon(ByGradient):
    """p ← (1 - lr · weight_decay) p - lr · r · O(b), with b the running average of g, or with `nesterov` the next one.

    O brings the singular values of a matrix near 1, by `ns_steps` steps X ← aX + (bS + cS²)X with S = XXᵀ and the
    `ns_coefficients` a, b, c; they are computed in bfloat16, as in PyTorch. r makes steps of all shapes comparable:
    √max(1, rows / columns) with `adjust_lr_fn` None or "original", 0.2 √max(rows, columns) with "match_rms_adamw".
    Source: Jordan and others, 2024.

    ValueError for a parameter that is not a matrix, for a negative setting, or another `adjust_lr_fn`; from `step` for
    100 steps or more, or not three coefficients.

    >>> import autograd_core as ac
    >>> w = ac.tensor([[3.0, 0.0], [0.0, 1.0]], requires_grad=True)
    >>> optimizer = ac.optim.Muon([w], lr=0.1, weight_decay=0.0)
    >>> (w * w).sum().backward(); optimizer.step(); w
    tensor([[2.9250, 0.0000],
            [0.0000, 0.8867]], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float | Tensor = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ):
        super().__init__(params, settings(locals()))

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense, and parameters that are no matrices."""
        for name, title in (("lr", "Learning rate"), ("momentum", "momentum"), ("weight_decay", "weight decay")):
            if not group[name] >= 0.0:
                raise ValueError(f"{title} should be >= 0 but is: {group[name]}")
        super().check_settings(group)
        if group["adjust_lr_fn"] not in (None, "original", "match_rms_adamw"):
            raise ValueError(
                f"Adjust learning rate function {group['adjust_lr_fn']} is not supported: it is None, 'original' or "
                "'match_rms_adamw'"
            )
        for p in group.get("params", ()):
            if p.dim() != 2:
                raise ValueError(
                    f"Muon only supports 2D parameters whereas we found a parameter with size: {list(p.shape)}; "
                    "optimize it with AdamW"
                )

    def start(self, p, group: dict) -> dict:
        """An average of zero."""
        return {"momentum_buffer": wrap(np.zeros_like(p._array))}

    def update(self, param, group: dict, state: dict) -> None:
        """One step of one parameter."""
        p, g, mean, mu = param._array, gradient_of(param), state["momentum_buffer"]._array, group["momentum"]
        mean += (1 - mu) * (g - mean)
        step = _orthogonal(g + mu * (mean - g) if group["nesterov"] else mean, group)
        rows, columns = p.shape
        ratio = math.sqrt(max(1, rows / columns))
        if group["adjust_lr_fn"] == "match_rms_adamw":
            ratio = 0.2 * math.sqrt(max(rows, columns))
        p *= 1 - group["lr"] * group["weight_decay"]
        p -= group["lr"] * ratio * step.astype(p.dtype)


def _orthogonal(g: np.ndarray, group: dict) -> np.ndarray:
    """The matrix with its singular values brought near 1."""
    if group["ns_steps"] >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(group["ns_coefficients"]) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = group["ns_coefficients"]
    x = bfloat16(g.T if g.shape[0] > g.shape[1] else g)
    norm = bfloat16(np.sqrt(np.sum(x * x, dtype=np.float32)))
    x = bfloat16(x / max(norm, bfloat16(group["eps"])))
    for _ in range(group["ns_steps"]):
        gram = bfloat16(x @ x.T)
        x = bfloat16(a * x + bfloat16(b * gram + c * (gram @ gram)) @ x)
    return x.T if g.shape[0] > g.shape[1] else x


def bfloat16(a) -> np.ndarray:
    """Numbers rounded to 8 binary digits, halves to even, and kept in float32."""
    bits = np.asarray(a, np.float32).view(np.uint32)
    return (bits + 0x7FFF + (bits >> 16 & 1) & np.uint32(0xFFFF0000)).astype(np.uint32).view(np.float32)
