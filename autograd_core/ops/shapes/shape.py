"""Ops that move elements without computing: views of the same memory, and rearranged copies."""

from __future__ import annotations

import math
import warnings

import numpy as np

from ...core import dtypes
from ...core.call import also_called
from ...core.device import contiguous_format, is_row_major
from ...core.silence import nameless
from ...core.table import linear
from ...core.tensor import Tensor, wrap
from ...core.whole_numbers import axis_of, is_whole, whole
from ..precision import folded

__all__ = [
    *(
        "broadcast_to",
        "clone",
        "flatten",
        "flip",
        "moveaxis",
        "movedim",
        "permute",
        "ravel",
        "reshape",
        "roll",
    ),
    *("squeeze", "swapaxes", "swapdims", "t", "tile", "transpose", "unflatten", "unsqueeze"),
]
METHODS = [*__all__, "contiguous", "expand", "expand_as", "repeat", "reshape_as", "sum_to_size", "view_as"]
ONE_OR_MORE = ["squeeze"]
VARIADIC = ["broadcast_to", "expand", "flip", "permute", "repeat", "reshape", "sum_to_size", "tile"]
PROPERTIES = ["T", "mT"]


def axes_of(dim, ndim: int) -> tuple[int, ...]:
    """The axes meant by a `dim` argument: all for None or (), one for an int, several for a sequence."""
    dims = dim if dim is None else several(dim)
    if not dims:
        return tuple(range(ndim))
    axes = tuple([axis_of(d, ndim) for d in dims])
    if len(set(axes)) != len(axes):
        raise RuntimeError(f"dim {axes[-1]} appears multiple times in the list of dims {dims}")
    return axes if ndim else ()


def several(numbers) -> tuple:
    """An argument that is one integer or a sequence of them, as a tuple."""
    if is_whole(numbers) or not hasattr(numbers, "__iter__"):
        return (whole("dim", numbers),)
    return tuple(numbers)


def along(axis: int, part) -> tuple:
    """The index that takes `part` of one axis and the others whole."""
    return (*[slice(None)] * axis, part)


def common_shape(name: str, *shapes) -> tuple[int, ...]:
    """The shape that tensors of the given shapes broadcast to. RuntimeError if none does."""
    try:
        return np.broadcast_shapes(*map(tuple, shapes))
    except ValueError:
        given = " and ".join(str(list(shape)) for shape in shapes)
        raise RuntimeError(
            f"{name}: the shapes {given} do not broadcast: in each axis they must be equal, or 1"
        ) from None


def sizes_of(shape, numel: int) -> tuple[int, ...]:
    """A shape argument as a tuple, its -1 resolved so that it holds `numel` elements, else RuntimeError."""
    shape = tuple([n if type(n) is int else whole("shape", n) for n in several(shape)])
    if -1 in shape:
        if not numel and 0 in shape:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified dimension size "
                "-1 can be any value and is ambiguous"
            )
        rest = math.prod(n for n in shape if n != -1)
        if shape.count(-1) > 1:
            raise RuntimeError(f"only one dimension can be inferred, got shape {list(shape)}")
        if rest == 0 or numel % rest:
            raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
        shape = tuple(numel // rest if n == -1 else n for n in shape)
    if math.prod(shape) != numel:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
    return shape


# -- broadcasting and its undoing


@nameless
def _sum_to(x, shape):
    lead = x.ndim - len(shape)
    if lead == 1 and x.shape[1:] == shape:  # the bias of a layer
        return folded(np.add, x, 0)
    axes = tuple(range(lead)) + tuple(lead + i for i, n in enumerate(shape) if n == 1 and x.shape[lead + i] != 1)
    if shape and not axes:
        return x.reshape(shape).copy()
    return folded(np.add, x, axes, keepdims=True).reshape(shape)


sum_to = linear(
    "sum_to",
    _sum_to,
    "x",
    lambda g, x_shape: expand(g, x_shape),
    doc="Sum over the axes that broadcasting from `shape` added or stretched: the gradient of broadcasting.",
    example="ac.Tensor.sum_to_size(ac.ones(2, 3), 3) -> tensor([2., 2., 2.])",
)


def _expand(x, size):
    size = tuple(size)
    lead = len(size) - x.ndim
    shape = tuple(x.shape[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(size))
    if lead < 0 or any(n != m and m != 1 for n, m in zip(shape[max(lead, 0) :], x.shape)) or -1 in shape:
        _refuse_expansion(x, size, lead)
    strides = (0,) * lead + tuple(0 if n != m else s for n, m, s in zip(shape[lead:], x.shape, x.strides))
    return np.lib.stride_tricks.as_strided(x, shape, strides)


def _refuse_expansion(x, size: tuple, lead: int):
    if lead < 0:
        raise RuntimeError(
            f"expand: the number of sizes provided ({len(size)}) must be greater or equal to the number of dimensions "
            f"in the tensor ({x.ndim}): {list(x.shape)} to {list(size)}; new axes go in front"
        )
    for axis, (n, m) in enumerate(zip(size[lead:], x.shape)):
        if n not in (m, -1) and m != 1:
            raise RuntimeError(
                f"expand: The expanded size of the tensor ({n}) must match the existing size ({m}) at non-singleton "
                f"dimension {axis + lead}. Target sizes: {list(size)}. Tensor sizes: {list(x.shape)}; only axes of "
                "length 1 can be stretched"
            )
    raise RuntimeError(
        f"expand: the expanded size {list(size)} holds a negative length for a new axis of {list(x.shape)}"
    )


expand = linear(
    "expand",
    _expand,
    "x",
    lambda g, x_shape: sum_to(g, x_shape),
    view=True,
    doc="A view with axes of length 1 stretched and new axes in front; -1 keeps a length. No memory is copied.",
    example="ac.tensor([1.0, 2.0]).expand(2, -1) -> tensor([[1., 2.],\n        [1., 2.]])",
)


# -- views


def _view(x, shape):
    shape = sizes_of(shape, x.size)
    viewed = x.reshape(shape)
    if x.size and not x.flags.c_contiguous and not np.may_share_memory(viewed, x):
        raise RuntimeError(
            f"view size {list(shape)} is not compatible with the size {list(x.shape)} and strides of the input "
            f"(at least one dimension "
            "spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return viewed


view = linear(
    "view",
    _view,
    "x",
    lambda g, x_shape: reshape(g, x_shape),
    view=True,
    doc="The same elements in another shape, sharing memory; one length may be -1. RuntimeError where that "
    "needs a copy.",
    example="ac.arange(4.0).view(2, 2) -> tensor([[0., 1.],\n        [2., 3.]])",
)


def view_or_bits(self, *shape, size=None, dtype=None):
    """`x.view(2, 3)`, the same memory in another shape; `x.view(dtype)`, its bytes as elements of another type.

    The latter has no gradient, and its last axis is longer or shorter where elements have another size. RuntimeError
    where the bytes cannot be read so.

    >>> import autograd_core as ac
    >>> ac.ones(2).view(ac.int32), ac.arange(4.0).view(2, -1).shape
    (tensor([1065353216, 1065353216], dtype=autograd_core.int32), Size([2, 2]))
    """
    if len(shape) == 1 and isinstance(shape[0], (dtypes.dtype, type)):
        (dtype,) = shape
    if dtype is not None:
        return _bits(self, dtypes.as_dtype(dtype))
    if size is not None or (len(shape) == 1 and not is_whole(shape[0])):
        return view(self, size if size is not None else shape[0])
    if not shape:
        raise TypeError('view() missing 1 required positional arguments: "size"')
    return view(self, shape)


def _bits(self, dtype):
    array, old, new = self._array, self.element_size(), dtype.itemsize
    kinds = f"to view {self.dtype.name} as {dtype.name} (different element sizes)"
    if old != new and not array.ndim:
        raise RuntimeError(f"self.dim() cannot be 0 {kinds}")
    if old != new and self.stride(-1) != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {kinds}, but got {self.stride(-1)}; use contiguous() first")
    if old < new and array.shape[-1] % (new // old):
        raise RuntimeError(f"self.size(-1) must be divisible by {new // old} {kinds}, but got {array.shape[-1]}")
    if old < new and self.storage_offset() % (new // old):
        raise RuntimeError(
            f"self.storage_offset() must be divisible by {new // old} {kinds}, but got {self.storage_offset()}"
        )
    for axis, step in enumerate(self.stride()[:-1] if old < new else ()):
        if step % (new // old):
            raise RuntimeError(f"self.stride({axis}) must be divisible by {new // old} {kinds}, but got {step}")
    return wrap(array.view(dtype.numpy), cell=self._cell)


unsafe_view = linear(
    "unsafe_view",
    _view,
    "x",
    lambda g, x_shape: reshape(g, x_shape),
    doc="`view` of a fresh copy that nobody else sees: the result is no view of it.",
)


def reshape(input, shape):
    """The same elements in another shape; a view where memory allows, else a copy.

    `shape` is a sequence of ints, one of which may be -1. RuntimeError where the number of elements does not fit.

    >>> import autograd_core as ac
    >>> ac.reshape(ac.arange(4.0), (2, -1)).shape
    Size([2, 2])
    """
    if not isinstance(input, Tensor):
        return input.reshape(shape)
    array = input._array
    shape = sizes_of(shape, array.size)
    if array.flags.c_contiguous or np.may_share_memory(array.reshape(shape), array):
        return view(input, shape)
    return unsafe_view(contiguous(input), shape)


def _permute(x, dims):
    if len(dims) != x.ndim:
        raise RuntimeError(f"permute(dims): got {len(dims)} dims {tuple(dims)} for a tensor of {x.ndim} dimensions")
    return x.transpose(axes_of(dims, x.ndim)) if x.ndim else x


permute = linear(
    "permute",
    _permute,
    "x",
    lambda g, dims: permute(g, tuple(int(i) for i in np.argsort([d % len(dims) for d in dims]))),
    view=True,
    doc="A view with the axes in the order `dims`.",
    example="ac.permute(ac.zeros(2, 3, 4), (2, 0, 1)).shape -> Size([4, 2, 3])",
)


def _transpose(x, dim0, dim1):
    axes = axis_of(dim0, x.ndim), axis_of(dim1, x.ndim)
    return x.swapaxes(*axes) if x.ndim else x[...]


transpose = linear(
    "transpose",
    _transpose,
    "x",
    lambda g, dim0, dim1: transpose(g, dim0, dim1),
    view=True,
    doc="A view with two axes exchanged.",
    example="ac.transpose(ac.tensor([[1.0, 2.0]]), 0, 1) -> tensor([[1.],\n        [2.]])",
)


def _squeeze(x, dim=None):
    dims = range(x.ndim) if dim is None else axes_of(dim, x.ndim) if several(dim) else ()
    axes = [a for a in dims if x.shape[a] == 1]
    return x.reshape([n for a, n in enumerate(x.shape) if a not in axes]) if axes else x[...]


squeeze = linear(
    "squeeze",
    _squeeze,
    "x",
    lambda g, x_shape: reshape(g, x_shape),
    view=True,
    doc="A view without the axes of length 1, or without those of `dim` that have length 1.",
    example="ac.squeeze(ac.zeros(1, 3, 1)).shape -> Size([3])",
)


def _unsqueeze(x, dim):
    at = axis_of(dim, x.ndim + 1)
    return x[(*along(at, None), ...)]


unsqueeze = linear(
    "unsqueeze",
    _unsqueeze,
    "x",
    lambda g, x_shape: reshape(g, x_shape),
    view=True,
    doc="A view with an axis of length 1 inserted at `dim`.",
    example="ac.unsqueeze(ac.zeros(3), 0).shape -> Size([1, 3])",
)


def flatten(input, start_dim=0, end_dim=-1):
    """The axes from `start_dim` to `end_dim` merged into one; a view where memory allows. A 0-d tensor gets one axis.

    Where that changes nothing, the tensor itself.

    >>> import autograd_core as ac
    >>> ac.flatten(ac.zeros(2, 3, 4), start_dim=1).shape
    Size([2, 12])
    """
    shape = tuple(input.shape)
    first, last = axis_of(start_dim, len(shape)), axis_of(end_dim, len(shape))
    if not shape:
        return reshape(input, (1,))
    if first > last:
        raise RuntimeError(f"flatten() has invalid args: start_dim {start_dim} cannot come after end_dim {end_dim}")
    if first == last:
        return input
    return reshape(input, (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))


def movedim(input, source, destination):
    """A view with the axis (or axes) `source` moved to `destination`, the others in their order.

    >>> import autograd_core as ac
    >>> ac.movedim(ac.zeros(2, 3, 4), 0, -1).shape
    Size([3, 4, 2])
    """
    sources, targets = axes_of(source, input.ndim), axes_of(destination, input.ndim)
    if len(sources) != len(targets):
        raise RuntimeError(
            f"movedim: source {source} should contain the same number of dims as destination {destination}"
        )
    order = [axis for axis in range(input.ndim) if axis not in sources]
    for target, axis in sorted(zip(targets, sources)):
        order.insert(target, axis)
    return permute(input, tuple(order))


moveaxis, swapdims, broadcast_to = movedim, transpose, expand  # PyTorch's other names
swapaxes = also_called(axis0="dim0", axis1="dim1")(transpose)


def t(input):
    """The transpose of a matrix, as a view; a tensor of fewer axes as it is, as a view. RuntimeError for more axes.

    >>> import autograd_core as ac
    >>> ac.t(ac.zeros(2, 3)).shape
    Size([3, 2])
    """
    if input.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but input is {input.ndim}D; use transpose(dim0, dim1)"
        )
    return transpose(input, 0, 1 if input.ndim == 2 else 0)


def T(input):
    """The transpose of a matrix, as a view. A tensor that is no matrix gets its axes reversed, with a warning.

    >>> import autograd_core as ac
    >>> ac.zeros(2, 3).T.shape
    Size([3, 2])
    """
    if input.ndim != 2:
        warnings.warn(
            f"x.T is meant for matrices, not for {input.ndim} dimensions; use mT or permute", UserWarning, stacklevel=2
        )
    return permute(input, tuple(range(input.ndim))[::-1])


def mT(input):
    """A view with the last two axes exchanged: each matrix of a batch transposed. RuntimeError for fewer than two axes.

    >>> import autograd_core as ac
    >>> ac.zeros(5, 2, 3).mT.shape
    Size([5, 3, 2])
    """
    if input.ndim < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {input.ndim}-D tensor."
        )
    return transpose(input, -2, -1)


def ravel(input):
    """All elements in one axis, in row-major order; a view where memory allows.

    >>> import autograd_core as ac
    >>> ac.ravel(ac.zeros(2, 3)).shape
    Size([6])
    """
    return reshape(input, (-1,))


def unflatten(input, dim, sizes):
    """A view with axis `dim` split into axes of the lengths `sizes`, one of which may be -1, else RuntimeError.

    >>> import autograd_core as ac
    >>> ac.unflatten(ac.zeros(2, 6), 1, (3, -1)).shape
    Size([2, 3, 2])
    """
    shape = tuple(input.shape)
    axis = axis_of(dim, len(shape))
    try:
        inner = sizes_of(sizes, shape[axis])
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
            f"({shape[axis]}) in the input tensor"
        ) from None
    return view(input, (*shape[:axis], *inner, *shape[axis + 1 :]))


def view_as(input, other):
    """`input.view(other.shape)`: the same memory in the shape of `other`.

    >>> import autograd_core as ac
    >>> ac.zeros(6).view_as(ac.zeros(2, 3)).shape
    Size([2, 3])
    """
    return view(input, tuple(other.shape))


def reshape_as(input, other):
    """`input.reshape(other.shape)`.

    >>> import autograd_core as ac
    >>> ac.zeros(6).reshape_as(ac.zeros(2, 3)).shape
    Size([2, 3])
    """
    return reshape(input, tuple(other.shape))


def expand_as(input, other):
    """`input.expand(other.shape)`.

    >>> import autograd_core as ac
    >>> ac.zeros(3).expand_as(ac.zeros(2, 3)).shape
    Size([2, 3])
    """
    return expand(input, tuple(other.shape))


def sum_to_size(input, size):
    """Sum so that the result has shape `size`, which must broadcast to the input's. RuntimeError where it does not.

    >>> import autograd_core as ac
    >>> ac.ones(2, 3).sum_to_size(1, 3)
    tensor([[2., 2., 2.]])
    """
    size, shape = tuple(size), tuple(input.shape)
    if len(size) > len(shape) or any(n not in (1, m) for n, m in zip(size[::-1], shape[::-1])):
        raise RuntimeError(f"sum_to_size: size {list(size)} is not expandable to size {list(shape)}")
    return sum_to(input, size) if size != shape else input


# -- copies


def layout_of_copy(x) -> str:
    """NumPy's `order` for a copy of `x`: as in memory, but row-major where an expanded axis has no place there."""
    return "C" if 0 in x.strides else "K"


@nameless
def _clone(x, *, memory_format=None):
    row_major = memory_format is not None and is_row_major("clone", memory_format)
    return x.copy("C" if row_major else layout_of_copy(x))


clone = linear(
    "clone",
    _clone,
    "x",
    lambda g: g,
    doc="A copy that stays in the graph: its gradient goes to the original.",
    example="ac.clone(ac.ones(2)) -> tensor([1., 1.])",
)
row_major = linear("row_major", lambda x: x.copy(), "x", lambda g: g, doc="A row-major copy.")


def contiguous(input, memory_format=None):
    """The tensor itself if its memory is row-major, else a row-major copy. Row-major is the only `memory_format`.

    >>> import autograd_core as ac
    >>> ac.zeros(2, 3).T.contiguous().is_contiguous()
    True
    """
    if memory_format is not None and not is_row_major("contiguous", memory_format, contiguous_format):
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    if isinstance(input, Tensor) and not input._array.flags.c_contiguous:
        return row_major(input)
    return input


def _flip(x, dims):
    dims = several(dims)
    return np.flip(x, axes_of(dims, x.ndim) if dims else ()).copy()


flip = linear(
    "flip",
    _flip,
    "x",
    lambda g, dims: flip(g, dims),
    doc="A copy with the order of the elements reversed along the axes `dims`.",
    example="ac.flip(ac.tensor([1.0, 2.0, 3.0]), (0,)) -> tensor([3., 2., 1.])",
)


def _roll(x, shifts, dims=None):
    shifts, dims = several(shifts), () if dims is None else several(dims)
    if not shifts:
        raise RuntimeError("roll: `shifts` required")
    if not dims and len(shifts) == 1:
        return np.roll(x, shifts)
    if len(shifts) != len(dims):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if not x.ndim:
        raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    return np.roll(x, shifts, tuple(axis_of(dim, x.ndim) for dim in dims))


roll = linear(
    "roll",
    _roll,
    "x",
    lambda g, shifts, dims: roll(g, tuple([-n for n in several(shifts)]), dims),
    doc="A copy with the elements moved by `shifts` along `dims`, those that leave coming back in at the other "
    "end; without `dims`, "
    "in row-major order.",
    example="ac.roll(ac.tensor([1.0, 2.0, 3.0]), 1) -> tensor([3., 1., 2.])",
)


def _repeat(x, repeats):
    if len(repeats) < x.ndim:
        raise RuntimeError(
            f"Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: got "
            f"repeats {tuple(repeats)} "
            f"for shape {list(x.shape)}"
        )
    repeats = [whole("repeats", n) for n in repeats]
    if min(repeats, default=0) < 0:
        raise RuntimeError(f"repeat: Trying to create tensor with negative dimension, {repeats} times {list(x.shape)}")
    return np.tile(x, repeats)


def _sum_repeats(g, shape, repeats):
    """The adjoint of a repeat: each axis seen as (times, length), the times summed."""
    lengths = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    interleaved = [n for pair in zip(repeats, lengths) for n in pair]
    once = [n for length in lengths for n in (1, length)]
    return reshape(sum_to(reshape(g, interleaved), once), tuple(shape))


repeat = linear(
    "repeat",
    _repeat,
    "x",
    lambda g, x_shape, repeats: _sum_repeats(g, x_shape, repeats),
    doc="A copy that repeats the tensor `repeats[i]` times along axis i; more repeats than axes add axes in front.",
    example="ac.tensor([1.0, 2.0]).repeat(2, 2) -> tensor([[1., 2., 1., 2.],\n        [1., 2., 1., 2.]])",
)


def tile(input, dims):
    """A copy repeated `dims[i]` times along axis i, where the last number belongs to the last axis.

    >>> import autograd_core as ac
    >>> ac.tile(ac.tensor([[1.0], [2.0]]), (2,))
    tensor([[1., 1.],
            [2., 2.]])
    """
    return repeat(input, (1,) * (input.ndim - len(dims)) + tuple(dims))
