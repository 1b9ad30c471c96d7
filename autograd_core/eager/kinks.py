"""Operations whose derivative at a kink is not PyTorch's but tenferro's."""

from __future__ import annotations

from ..autograd.function import Function
from ..core.tensor import Tensor
from ..ops.elementwise.arithmetic import log
from ..ops.elementwise.arithmetic import pow as power
from ..ops.elementwise.piecewise import where


def strict_clamp(x: Tensor, low: Tensor, high: Tensor) -> Tensor:
    """`x` within bounds. At a bound no gradient flows, to none of the three; `high` wins over a larger `low`."""
    above = (x > high) | (low > high)
    below = (x < low) & ~above
    inside = (x > low) & (x < high)
    return where(above, high, where(below, low, where(inside, x, x.detach())))


class Power(Function):
    """x to the power of y by the plain formulas, y x^(y-1) and x^y log x, with no exception at x = 0 or y = 0."""

    @staticmethod
    def forward(ctx, x, y):
        """The power, operands of one type."""
        out = power(x, y)
        ctx.save_for_backward(x, y, out)
        return out

    @staticmethod
    def backward(ctx, g):
        """One formula an operand; no gradient is computed that nobody wants."""
        x, y, out = ctx.saved_tensors
        wants_x, wants_y = ctx.needs_input_grad
        return g * y * power(x, y - 1) if wants_x else None, g * out * log(x) if wants_y else None
