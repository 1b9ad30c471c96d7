"""Arrays at the border of a runtime: what goes in is copied, what comes out cannot be written."""

from __future__ import annotations

import math

import numpy as np

from ..core.dtypes import OF_NUMPY
from .checks import integers
from .errors import InvalidArgument, ShapeMismatch, Unsupported


def from_vec_col_major(shape, data) -> np.ndarray:
    """The array of a shape whose elements are given in column-major order: the leftmost axis runs fastest.

    Stands for `Tensor::from_vec_col_major(shape, data)`, and is what `variable_from` and `constant_from` take.
    ShapeMismatch where the number of elements is another one. Inside the runtime, arrays are NumPy's, and
    `value().ravel("F")` reads one in the order of `as_slice()`.

    >>> from autograd_core import eager
    >>> eager.from_vec_col_major([2, 3], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    array([[1., 3., 5.],
           [2., 4., 6.]])
    """
    line = taken_in("from_vec_col_major", data)
    lengths = integers("from_vec_col_major", "shape", shape)
    if math.prod(lengths) != line.size or min(lengths, default=0) < 0:
        raise ShapeMismatch(
            "from_vec_col_major", f"shape product {math.prod(lengths)} does not match data length {line.size}"
        )
    return line.reshape(lengths, order="F")


def taken_in(op: str, data) -> np.ndarray:
    """A copy of an array, of nested lists or of a number, of a type that this package has."""
    if hasattr(data, "tracks_grad"):
        raise InvalidArgument(op, "invalid argument data: an EagerTensor is in a runtime already; see detach_into")
    try:
        array = np.array(data)
    except (ValueError, RuntimeError) as error:  # nested lists of unequal length, a tensor with a history
        raise InvalidArgument(op, f"invalid argument data: {error}") from error
    if array.dtype.kind == "c":
        raise Unsupported(op, "complex numbers; this runtime has real ones only")
    if array.dtype not in OF_NUMPY:
        raise InvalidArgument(op, f"invalid argument data: no numbers, but an array of {array.dtype}")
    return array


def read_only(array: np.ndarray) -> np.ndarray:
    """A view that cannot be written."""
    view = array.view()
    view.flags.writeable = False
    return view
