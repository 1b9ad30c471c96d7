"""A tensor with a fraction, a product or a quotient of others added to it."""

from __future__ import annotations

import numpy as np

from ...core.silence import nameless
from ...core.table import elementwise
from ...core.write import in_place
from ..floats_only import check_floats

__all__ = ["addcdiv", "addcmul", "lerp"]
METHODS = [*__all__, "lerp_"]
IN_PLACE = ["addcdiv", "addcmul"]
TAKE_OUT = ["lerp"]


@nameless
def _addcmul(x, tensor1, tensor2, *, value=1):
    if x.dtype.kind != "f" and isinstance(value, float):
        raise RuntimeError(f"addcmul of {x.dtype.name} takes an integer value, not {value}; convert the tensors first")
    return x + value * (tensor1 * tensor2)


addcmul = elementwise(
    "addcmul",
    _addcmul,
    "x tensor1 tensor2",
    lambda g: g,
    lambda g, tensor2, value: g * (tensor2 * value),
    lambda g, tensor1, value: g * (tensor1 * value),
    doc=(
        "`input + value * tensor1 * tensor2`, for a number `value`. Gradients: g, g value tensor2 and\n"
        "g value tensor1. RuntimeError for integers and a fractional `value`."
    ),
    example="ac.addcmul(ac.ones(2), ac.tensor([1.0, 2.0]), ac.tensor([3.0, 4.0])) -> tensor([4., 9.])",
)


@nameless
def _addcdiv(x, tensor1, tensor2, *, value=1):
    if x.dtype.kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported; convert the tensors, or take input + value * "
            "div(tensor1, tensor2, rounding_mode='trunc')"
        )
    return x + value * (tensor1 / tensor2)


addcdiv = elementwise(
    "addcdiv",
    _addcdiv,
    "x tensor1 tensor2",
    lambda g: g,
    lambda g, tensor2, value: g * (value / tensor2),
    lambda g, tensor1, tensor2, value: -g * (value * tensor1 / (tensor2 * tensor2)),
    doc=(
        "`input + value * tensor1 / tensor2`, for a number `value`. Gradients: g, g value / tensor2 and\n"
        "-g value tensor1 / tensor2². RuntimeError for integers."
    ),
    example="ac.addcdiv(ac.ones(2), ac.tensor([1.0, 2.0]), ac.tensor([2.0, 4.0])) -> tensor([1.5000, 1.5000])",
)


@nameless
def _lerp(x, end, weight):
    check_floats("lerp", x)
    if type(weight) is float:
        return x + weight * (end - x) if weight < 0.5 else end - (end - x) * (1 - weight)
    return np.where(np.less(weight, 0.5), x + weight * (end - x), end - (end - x) * (1 - weight))


lerp_by_tensor = elementwise(
    "lerp",
    _lerp,
    "x end weight",
    lambda g, weight: g * (1 - weight),
    lambda g, weight: g * weight,
    lambda g, x, end: g * (end - x),
)
lerp_by_number = elementwise(
    "lerp_by_number",
    _lerp,
    "x end",
    lambda g, weight: g * (1 - weight),
    lambda g, weight: g * weight,
    doc="`lerp` by a number, which needs nothing saved.",
    example="ac.ops.blending.lerp_by_number(ac.tensor([0.0]), ac.tensor([10.0]), 0.5) -> tensor([5.])",
)


def lerp(input, end, weight):
    """The point a fraction `weight`, a number or a tensor, of the way from `input` to `end`.

    Gradients: g (1 - weight), g weight and g (end - input). Shapes broadcast. RuntimeError for tensors of several
    dtypes, NotImplementedError for integers.

    >>> import autograd_core as ac
    >>> ac.lerp(ac.tensor([0.0, 1.0]), ac.tensor([10.0, 2.0]), 0.5)
    tensor([5.0000, 1.5000])
    """
    weight = weight.item() if isinstance(weight, np.generic) else weight
    _check_one_dtype(input, end=end, weight=weight)
    return (lerp_by_tensor if hasattr(weight, "dtype") else lerp_by_number)(input, end, weight)


def _check_one_dtype(input, **others) -> None:
    """Raise RuntimeError for a tensor of another dtype than the first."""
    for name, value in others.items():
        if hasattr(value, "dtype") and value.dtype != input.dtype:
            raise RuntimeError(
                f"lerp: expected dtype {input.dtype} for `{name}` but got dtype {value.dtype}; convert one of them"
            )


_lerp_by_tensor_, _lerp_by_number_ = in_place(lerp_by_tensor, "lerp_"), in_place(lerp_by_number, "lerp_")


def lerp_(self, end, weight):
    """Move this tensor a fraction `weight` of the way to `end`, in place: see `lerp`.

    >>> import autograd_core as ac
    >>> ac.zeros(2).lerp_(ac.ones(2), 0.25)
    tensor([0.2500, 0.2500])
    """
    weight = weight.item() if isinstance(weight, np.generic) else weight
    _check_one_dtype(self, end=end, weight=weight)
    return (_lerp_by_tensor_ if hasattr(weight, "dtype") else _lerp_by_number_)(self, end, weight)
