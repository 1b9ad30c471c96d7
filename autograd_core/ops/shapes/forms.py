"""Tensors brought into another form: turned over, turned around, repeated, and given the axes that a partner has."""

from __future__ import annotations

import numpy as np

from ...core.size import Size
from ...core.table import linear
from ...core.tensor import Tensor, wrap
from ...core.whole_numbers import is_whole, whole
from ..indexing.gathering import index_select
from .shape import axis_of, clone, common_shape, expand, flatten, flip, reshape, several, unsqueeze, view

__all__ = [
    *(
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
        "broadcast_shapes",
        "broadcast_tensors",
        "fliplr",
        "flipud",
        "repeat_interleave",
        "rot90",
    ),
]
METHODS = ["fliplr", "flipud", "repeat_interleave", "rot90"]

# -- as many axes as needed


def _each(one, tensors):
    """`one` of a tensor, or the tuple of it for several tensors, or for a sequence of them."""
    if len(tensors) == 1 and not isinstance(tensors[0], (tuple, list)):
        return one(tensors[0])
    return tuple([one(x) for x in (tensors if len(tensors) != 1 else tensors[0])])


def atleast_1d(*tensors):
    """A view with one axis of a 0-d tensor; any other tensor as it is. A tuple of results for several tensors.

    >>> import autograd_core as ac
    >>> ac.atleast_1d(ac.tensor(2.0))
    tensor([2.])
    """
    return _each(lambda x: x if x.ndim else reshape(x, (1,)), tensors)


def atleast_2d(*tensors):
    """A view with two axes: a vector as a row, a number as 1 x 1; any other tensor as it is. A tuple for several.

    >>> import autograd_core as ac
    >>> ac.atleast_2d(ac.ones(3)).shape
    Size([1, 3])
    """
    return _each(lambda x: x if x.ndim > 1 else unsqueeze(x, 0) if x.ndim else reshape(x, (1, 1)), tensors)


def _three_axes(x):
    if x.ndim > 2:
        return x
    return unsqueeze(x, -1) if x.ndim == 2 else unsqueeze(unsqueeze(x, 0), -1) if x.ndim else reshape(x, (1, 1, 1))


def atleast_3d(*tensors):
    """A view with three axes: a matrix gets one behind, a vector one on each side; a tensor of more axes as it is.

    A tuple of results for several tensors.

    >>> import autograd_core as ac
    >>> ac.atleast_3d(ac.ones(3)).shape, ac.atleast_3d(ac.ones(3, 4)).shape
    (Size([1, 3, 1]), Size([3, 4, 1]))
    """
    return _each(_three_axes, tensors)


def broadcast_tensors(*tensors):
    """Views of the given tensors, expanded to the shape that they broadcast to. RuntimeError where they do not.

    >>> import autograd_core as ac
    >>> [x.shape for x in ac.broadcast_tensors(ac.ones(3), ac.ones(2, 1))]
    [Size([2, 3]), Size([2, 3])]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        (tensors,) = tensors
    shape = broadcast_shapes(*[x.shape for x in tensors])
    return tuple([expand(x, shape) for x in tensors])


def broadcast_shapes(*shapes):
    """The shape that tensors of the given shapes broadcast to; an int stands for a vector. RuntimeError if none does.

    >>> import autograd_core as ac
    >>> ac.broadcast_shapes((3, 1), (1, 2), 2)
    Size([3, 2])
    """
    return Size(common_shape("broadcast_shapes", *[several(n) for n in shapes]))


# -- turned over and around


def fliplr(input):
    """A copy with the columns in reverse order: `flip` along axis 1. RuntimeError for fewer than two axes.

    >>> import autograd_core as ac
    >>> ac.fliplr(ac.tensor([[1.0, 2.0]]))
    tensor([[2., 1.]])
    """
    if input.ndim < 2:
        raise RuntimeError(f"fliplr: Input must be >= 2-d, got shape {list(input.shape)}")
    return flip(input, (1,))


def reverse(self):
    """`reversed(x)`: a copy with the first axis in reverse order; of a 0-d tensor, itself."""
    return flip(self, (0,)) if self.ndim else self


def flipud(input):
    """A copy with the rows in reverse order: `flip` along axis 0. RuntimeError for a 0-d tensor.

    >>> import autograd_core as ac
    >>> ac.flipud(ac.tensor([1.0, 2.0]))
    tensor([2., 1.])
    """
    if input.ndim < 1:
        raise RuntimeError("flipud: Input must be >= 1-d, got a 0-d tensor")
    return flip(input, (0,))


def _rot90(x, k=1, dims=(0, 1)):
    if len(dims) != 2:
        raise RuntimeError(f"rot90: expected total rotation dims == 2, but got dims = {list(dims)}")
    if x.ndim < 2:
        raise RuntimeError(f"rot90: expected total dims >= 2, but got total dims = {x.ndim}")
    first, second = (axis_of(dim, x.ndim) for dim in dims)
    if first == second:
        raise RuntimeError(f"rot90: expected rotation dims to be different, but got dim0 = {dims[0]}, dim1 = {dims[1]}")
    return np.rot90(x, whole("k", k), (first, second)).copy()


rot90 = linear(
    "rot90",
    _rot90,
    "x",
    lambda g, k, dims: rot90(g, -k, dims),
    doc="A copy turned `k` times by 90 degrees in the plane of the two axes `dims`, from the first towards the "
    "second.\n\nGradient: g turned back. RuntimeError for two axes that are not different.",
    example="ac.rot90(ac.tensor([[1.0, 2.0], [3.0, 4.0]])) -> tensor([[2., 4.],\n        [1., 3.]])",
)


# -- repeated


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """A copy in which each slice along `dim` stands `repeats` times in a row; without `dim`, of the flat input.

    `repeats` is an int, or a vector of ints with one for each slice. With one argument, a vector of ints, the result is
    its positions, each as often as it says. RuntimeError for negative repeats, another number of them than slices, and
    an `output_size` that the result does not have.

    >>> import autograd_core as ac
    >>> ac.repeat_interleave(ac.tensor([1.0, 2.0]), ac.tensor([1, 2]))
    tensor([1., 2., 2.])
    >>> ac.repeat_interleave(ac.tensor([2, 0, 1]))
    tensor([0, 0, 2])
    """
    if repeats is None:
        return _positions(input, output_size)
    if dim is None:
        input, dim = flatten(input), 0
    axis = axis_of(dim, input.ndim)
    input = reshape(input, (1,)) if not input.ndim else input
    n = input.shape[axis]
    if is_whole(repeats) and not isinstance(repeats, bool):
        times = whole("repeats", repeats)
        return _each_repeated(input, _checked(times, n * times, output_size), axis)
    if isinstance(repeats, (bool, float, str)):
        raise TypeError(f"repeat_interleave(): argument 'repeats' must be int, not {type(repeats).__name__}")
    repeats = wrap(np.asarray(repeats)) if not isinstance(repeats, Tensor) else repeats
    if repeats.ndim > 1 or repeats.numel() not in (1, n):
        raise RuntimeError(
            f"repeat_interleave: repeats must have the same size as input along dim, but got repeats of shape "
            f"{list(repeats.shape)} for {n} slices along dim {dim}"
        )
    return index_select(input, axis, _positions(expand(reshape(repeats, (-1,)), (n,)), output_size))


def _checked(repeats: int, size: int, output_size) -> int:
    if repeats < 0:
        raise RuntimeError(f"repeat_interleave: repeats can not be negative, got {repeats}")
    if output_size is not None and output_size != size:
        raise RuntimeError(f"repeat_interleave: allocated size does not match required size: {output_size}, {size}")
    return repeats


def _each_repeated(input, times: int, axis: int):
    shape = tuple(input.shape)
    spread = expand(unsqueeze(input, axis + 1), (*shape[: axis + 1], times, *shape[axis + 1 :]))
    return view(clone(spread), (*shape[:axis], shape[axis] * times, *shape[axis + 1 :]))


def _positions(repeats: Tensor, output_size) -> Tensor:
    counts = repeats._array
    if counts.ndim != 1 or counts.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            f"repeat_interleave: repeats has to be a vector of Long or Int, got shape {list(counts.shape)} and "
            f"{counts.dtype}"
        )
    _checked(int(counts.min(initial=0)), int(counts.sum()), output_size)
    return wrap(np.repeat(np.arange(counts.size, dtype=counts.dtype), counts))
