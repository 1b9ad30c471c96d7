"""Questions answered by True or False, element by element, and the logic of the answers. None carries gradients."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.table import nondiff
from ...core.tensor import Tensor

__all__ = [
    "allclose",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "eq",
    "equal",
    "ge",
    "greater",
    "greater_equal",
    "gt",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "le",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "ne",
    "not_equal",
]
METHODS = __all__
IN_PLACE = [name for name in __all__ if name not in ("allclose", "equal") and not name.startswith("is")]

# -- comparing


def _comparison(name, ufunc, doc, other, shown):
    """The row of a comparison. Its example compares 1 and 2 with `other`."""
    example = f"ac.{name}(ac.tensor([1, 2]), {other}) -> tensor({shown})"
    return nondiff(name, ufunc, "x y", promote="common", in_type=True, doc=doc, example=example)


eq = _comparison("eq", np.equal, "Whether two elements are equal. NaN equals nothing.", 2, "[False,  True]")
ne = _comparison("ne", np.not_equal, "Whether two elements differ.", 2, "[ True, False]")
lt = _comparison("lt", np.less, "Whether `input` is less than `other`. False for NaN.", 2, "[ True, False]")
le = _comparison("le", np.less_equal, "Whether `input` is at most `other`. False for NaN.", 1, "[ True, False]")
gt = _comparison("gt", np.greater, "Whether `input` is greater than `other`. False for NaN.", 1, "[False,  True]")
ge = _comparison("ge", np.greater_equal, "Whether `input` is at least `other`. False for NaN.", 2, "[False,  True]")

not_equal, less, less_equal, greater, greater_equal = ne, lt, le, gt, ge

# -- what kind of number

isnan = nondiff(
    "isnan",
    np.isnan,
    "x",
    doc="Whether an element is NaN.",
    example="ac.isnan(ac.tensor([1.0, ac.nan])) -> tensor([False,  True])",
)
isinf = nondiff(
    "isinf",
    np.isinf,
    "x",
    doc="Whether an element is an infinity of either sign.",
    example="ac.isinf(ac.tensor([1.0, -ac.inf])) -> tensor([False,  True])",
)
isposinf = nondiff(
    "isposinf",
    lambda x: np.isinf(x) & (x > 0),
    "x",
    doc="Whether an element is positive infinity.",
    example="ac.isposinf(ac.tensor([ac.inf, -ac.inf])) -> tensor([ True, False])",
)
isneginf = nondiff(
    "isneginf",
    lambda x: np.isinf(x) & (x < 0),
    "x",
    doc="Whether an element is negative infinity.",
    example="ac.isneginf(ac.tensor([ac.inf, -ac.inf])) -> tensor([False,  True])",
)
isfinite = nondiff(
    "isfinite",
    np.isfinite,
    "x",
    doc="Whether an element is neither NaN nor an infinity.",
    example="ac.isfinite(ac.tensor([1.0, ac.nan])) -> tensor([ True, False])",
)

# -- logic; numbers count as True unless they are 0

logical_and = nondiff(
    "logical_and",
    np.logical_and,
    "x y",
    doc="Whether both elements are true.",
    example="ac.logical_and(ac.tensor([True, True]), ac.tensor([True, False])) -> tensor([ True, False])",
)
logical_or = nondiff(
    "logical_or",
    np.logical_or,
    "x y",
    doc="Whether at least one element is true.",
    example="ac.logical_or(ac.tensor([True, False]), ac.tensor([False, False])) -> tensor([ True, False])",
)
logical_xor = nondiff(
    "logical_xor",
    np.logical_xor,
    "x y",
    doc="Whether exactly one element is true.",
    example="ac.logical_xor(ac.tensor([True, True]), ac.tensor([True, False])) -> tensor([False,  True])",
)
logical_not = nondiff(
    "logical_not",
    np.logical_not,
    "x",
    doc="Whether an element is false.",
    example="ac.logical_not(ac.tensor([True, False])) -> tensor([False,  True])",
)


def of_bits(name: str, error: type[Exception], ufunc):
    """A bitwise ufunc that raises `error`, naming itself and the remedy, when it meets floats."""

    def refuse_floats(*operands):
        for operand in operands:
            if dtypes.category(operand) == dtypes.FLOATING:
                kind = getattr(operand, "dtype", "a Python float")
                raise error(
                    f"{name} works on bool and integer tensors, not on {kind}; compare first, as in (x > 0) & (y > 0)"
                )

    def of_one(x):
        refuse_floats(x)
        return ufunc(x)

    def of_two(x, y):
        refuse_floats(x, y)
        return ufunc(x, y)

    return of_one if ufunc.nin == 1 else of_two


bitwise_and = nondiff(
    "bitwise_and",
    of_bits("bitwise_and", NotImplementedError, np.bitwise_and),
    "x y",
    promote="common",
    doc="Bits set in both; for bools, logical and. The operator &. NotImplementedError for floats.",
    example="ac.bitwise_and(ac.tensor([6, 1]), 3) -> tensor([2, 1])",
)
bitwise_or = nondiff(
    "bitwise_or",
    of_bits("bitwise_or", NotImplementedError, np.bitwise_or),
    "x y",
    promote="common",
    doc="Bits set in either; for bools, logical or. The operator |. NotImplementedError for floats.",
    example="ac.bitwise_or(ac.tensor([6, 1]), 3) -> tensor([7, 3])",
)
bitwise_xor = nondiff(
    "bitwise_xor",
    of_bits("bitwise_xor", NotImplementedError, np.bitwise_xor),
    "x y",
    promote="common",
    doc="Bits set in exactly one. The operator ^. NotImplementedError for floats.",
    example="ac.bitwise_xor(ac.tensor([6, 1]), 3) -> tensor([5, 2])",
)
bitwise_not = nondiff(
    "bitwise_not",
    of_bits("bitwise_not", TypeError, np.invert),
    "x",
    doc="All bits turned over; for bools, logical not. The operator ~. TypeError for floats.",
    example="ac.bitwise_not(ac.tensor([True, False])) -> tensor([False,  True])",
)

# -- equality of whole tensors


def _isclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False):
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"isclose: {dtypes.OF_NUMPY[x.dtype].name} did not match {dtypes.OF_NUMPY[y.dtype].name}; "
            "convert one of the tensors"
        )
    for name, bound in (("rtol", rtol), ("atol", atol)):
        if bound < 0:
            raise RuntimeError(f"isclose: {name} must be greater than or equal to zero, but got {bound}")
    return np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)


isclose = nondiff(
    "isclose",
    _isclose,
    "x y",
    doc=(
        "Whether |input - other| <= atol + rtol |other|, or both are one infinity. RuntimeError for unequal dtypes\n"
        "and negative tolerances."
    ),
    example="ac.isclose(ac.tensor([1.0, 2.0]), ac.tensor([1.000001, 2.1])) -> tensor([ True, False])",
)


def allclose(input, other, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether `isclose` holds for all elements, as a Python bool.

    >>> import autograd_core as ac
    >>> ac.allclose(ac.tensor([1.0, 2.0]), ac.tensor([1.000001, 2.0]))
    True
    """
    return bool(isclose(input, other, rtol, atol, equal_nan)._array.all())


def equal(input, other) -> bool:
    """Whether two tensors have the same shape and values, as a Python bool. TypeError for anything but tensors.

    >>> import autograd_core as ac
    >>> ac.equal(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 2.0])), ac.equal(ac.ones(2), ac.ones(1))
    (True, False)
    """
    for value in (input, other):
        if not isinstance(value, Tensor):
            raise TypeError(f"equal(): arguments must be Tensors, not {type(value).__name__}")
    return bool(np.array_equal(input._array, other._array))
