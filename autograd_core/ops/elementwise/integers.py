"""Integer arithmetic: shifts of bits, greatest common divisors, least common multiples. None carries gradients."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.table import nondiff
from .comparison import of_bits

__all__ = ["bitwise_left_shift", "bitwise_right_shift", "gcd", "lcm"]
METHODS = IN_PLACE = __all__

bitwise_left_shift = nondiff(
    "bitwise_left_shift",
    of_bits("bitwise_left_shift", NotImplementedError, np.left_shift),
    "x y",
    promote="common",
    doc=(
        "The bits of `input` moved up by `other` places; 0 for a number of places that is negative or too large.\n"
        "The operator <<. NotImplementedError for floats."
    ),
    example="ac.bitwise_left_shift(ac.tensor([1, 3]), 2) -> tensor([ 4, 12])",
)

bitwise_right_shift = nondiff(
    "bitwise_right_shift",
    of_bits("bitwise_right_shift", NotImplementedError, np.right_shift),
    "x y",
    promote="common",
    doc=(
        "The bits of `input` moved down by `other` places, the sign kept. The operator >>. NotImplementedError for\n"
        "floats."
    ),
    example="ac.bitwise_right_shift(ac.tensor([8, -8]), 2) -> tensor([ 2, -2])",
)


def rbitwise_left_shift(input, other):
    """`other << input` for a number `other`."""
    return bitwise_left_shift(other, input)


def rbitwise_right_shift(input, other):
    """`other >> input` for a number `other`."""
    return bitwise_right_shift(other, input)


def _of_integers(name: str, ufunc):
    def forward(x, y):
        for operand in (x, y):
            if dtypes.category(operand) != dtypes.INTEGER:
                kind = getattr(operand, "dtype", type(operand).__name__)
                raise NotImplementedError(f"{name} works on integer tensors, not on {kind}; convert it with long()")
        return ufunc(x, y)

    return forward


gcd = nondiff(
    "gcd",
    _of_integers("gcd", np.gcd),
    "x y",
    promote="common",
    doc="The greatest common divisor, not negative; gcd(0, 0) = 0. NotImplementedError for other types.",
    example="ac.gcd(ac.tensor([12, 0]), ac.tensor([18, 5])) -> tensor([6, 5])",
)

lcm = nondiff(
    "lcm",
    _of_integers("lcm", np.lcm),
    "x y",
    promote="common",
    doc="The least common multiple, not negative; 0 where either is 0. NotImplementedError for other types.",
    example="ac.lcm(ac.tensor([4, 0]), ac.tensor([6, 5])) -> tensor([12,  0])",
)
