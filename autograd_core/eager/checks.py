"""What operations ask of their arguments before they run: tenferro's conditions, in its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index

import numpy as np

from ..core.dtypes import OF_NUMPY, as_dtype
from .errors import AxisOutOfBounds, DTypeMismatch, InvalidArgument, RankMismatch, ShapeMismatch


def dtype_name(dtype) -> str:
    """An element type as tenferro writes it: F64, I32, Bool."""
    name = dtype.name
    return "Bool" if name == "bool" else name[0].upper() + name.lstrip("abcdefghijklmnopqrstuvwxyz")


def require(op: str, argument: str, value, kind: type) -> None:
    """InvalidArgument for a value of another type, which Rust's compiler would refuse."""
    if not isinstance(value, kind):
        raise InvalidArgument(op, f"invalid argument {argument}: {value!r} is no {kind.__name__}")


def integer(op: str, argument: str, value) -> int:
    """A whole number of Python's or NumPy's. InvalidArgument for anything else, 2.0 included."""
    try:
        return index(value)
    except TypeError:
        raise InvalidArgument(op, f"invalid argument {argument}: {value!r} is no integer") from None


def integers(op: str, argument: str, values) -> tuple[int, ...]:
    """A sequence of whole numbers. InvalidArgument for anything else, a single number included."""
    if not isinstance(values, Iterable):
        raise InvalidArgument(op, f"invalid argument {argument}: {values!r} is no sequence of integers")
    return tuple([integer(op, argument, value) for value in values])


def distinct_axes(op: str, axes: Sequence[int], rank: int, role: str = "axis") -> tuple[int, ...]:
    """Axis numbers as a tuple. AxisOutOfBounds for one that is not there, InvalidArgument for one that repeats."""
    checked = integers(op, "axes", axes)
    for k, axis in enumerate(checked):
        one_axis(op, axis, rank)
        if axis in checked[:k]:
            raise InvalidArgument(op, f"duplicate {role} axis {axis}")
    return checked


def one_axis(op: str, axis: int, rank: int) -> int:
    """An axis number, counted from the front. AxisOutOfBounds where there is none of this number."""
    axis = integer(op, "axis", axis)
    if not 0 <= axis < rank:
        raise AxisOutOfBounds(op, axis, rank)
    return axis


def axis_from_either_end(op: str, axis: int, rank: int) -> int:
    """An axis number where negative ones count from the back (Rust's `isize`)."""
    axis = integer(op, "axis", axis)
    if not -rank <= axis < rank:
        raise AxisOutOfBounds(op, axis, rank)
    return axis % rank


def same_rank(op: str, expected: int, actual: int) -> None:
    """RankMismatch unless both are equal."""
    if expected != actual:
        raise RankMismatch(op, expected, actual)


def permutation(op: str, axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """Axis numbers that name every axis once."""
    order = integers(op, "axes", axes)
    same_rank(op, rank, len(order))
    return distinct_axes(op, order, rank)


def like(op: str, expected, actual) -> None:
    """DTypeMismatch, then ShapeMismatch, unless two tensors are alike."""
    if actual.dtype is not expected.dtype:
        raise DTypeMismatch(
            op, f"dtype mismatch: expected {dtype_name(expected.dtype)}, actual {dtype_name(actual.dtype)}"
        )
    if actual.shape != expected.shape:
        raise ShapeMismatch(op, f"incompatible shapes: lhs={list(expected.shape)}, rhs={list(actual.shape)}")


def broadcast(op: str, *shapes) -> tuple[int, ...]:
    """The shape that shapes broadcast to. ShapeMismatch where they do not."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        sides = ", ".join(f"{side}={list(shape)}" for side, shape in zip(("lhs", "rhs", "third"), shapes))
        raise ShapeMismatch(op, f"incompatible shapes: {sides}") from None


def element_type(op: str, given):
    """An element type, such as ac.float64 or float. InvalidArgument for what is none."""
    try:
        return as_dtype(given)
    except TypeError as error:
        raise InvalidArgument(op, f"invalid argument dtype: {error}") from error


def common_dtype(tensors):
    """The element type in which operands meet: that of the widest, whatever its rank; an integer joins a float's."""
    arrays = [t._array.dtype for t in tensors]
    floats = [d for d in arrays if d.kind == "f"]
    return OF_NUMPY[np.result_type(*(floats or arrays))]


def promoted(tensors) -> list:
    """Tensors cast to their common type; the cast is recorded, so a cotangent is cast back."""
    if len({t._array.dtype for t in tensors}) == 1:
        return list(tensors)
    common = common_dtype(tensors)
    return [t if t.dtype is common else t.to(common) for t in tensors]
