"""Square brackets: `x[key]` and `x[key] = value`, with every form of key that NumPy knows and PyTorch's meaning.

A key is split in two. Its *basic* part (integers, slices, None, Ellipsis) cuts a view, in one op. Its index arrays,
lists and masks then pick elements of that view into a copy, in another. Integers are taken as basic even beside arrays,
which NumPy does not do: it decides where the axes of the result go.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import HALF, SINGLE
from ...core.silence import nameless, quiet
from ...core.table import linear
from ...core.tensor import Tensor, wrap
from ...core.whole_numbers import whole
from ...core.write import in_place, written_by
from ..making.creation import tensor
from ..shapes.shape import along, axis_of, reshape, unsqueeze

__all__ = ["index_put", "index_put_", "narrow", "select", "select_scatter", "slice_scatter"]
METHODS = __all__
TAKE_OUT = ["slice_scatter"]

FULL = slice(None)

# -- the basic part: a view


def _cut(x, index):
    return x[(*index, ...)]  # the Ellipsis makes NumPy return an array, not a number, where no axis is left


def _slice_backward(x, shape, index):
    out = np.zeros(shape, x.dtype)
    out[index] = x
    return out


def _d_cut(g, x_shape, index):
    return slice_backward(g, x_shape, index)


select_view = linear(
    "select", _cut, "x", _d_cut, view=True, doc="The view `input[index]`, whose basic index ends in an integer."
)
slice_view = linear(
    "slice", _cut, "x", _d_cut, view=True, doc="The view `input[index]`, whose basic index ends in a slice."
)
slice_backward = linear(
    "slice_backward",
    _slice_backward,
    "x",
    lambda g, index: slice_view(g, index),
    doc="Zeros of a given shape with `input` in the region `index`: the gradient of a basic index.",
)


def cut(input, index: tuple):
    """The view that a basic index, as `parse` returns it, cuts out of a tensor."""
    for item in reversed(index):
        if item is not None and item != FULL:
            return (slice_view if type(item) is slice else select_view)(input, index)
    if None not in index:
        return slice_view(input, index)
    for axis, item in enumerate(index):
        if item is None:
            input = unsqueeze(input, axis)
    return input


def select(input, dim, index):
    """The view at position `index` of axis `dim`, without that axis. IndexError where there is no such position.

    >>> import autograd_core as ac
    >>> ac.select(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), 1, -1)
    tensor([2., 4.])
    """
    if not input.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis = axis_of(dim, input.ndim)
    return select_view(input, along(axis, position(whole("index", index), axis, input.shape[axis])))


def narrow(input, dim, start, length):
    """The view of `length` positions of axis `dim` from `start` on. RuntimeError where the axis does not have them.

    >>> import autograd_core as ac
    >>> ac.narrow(ac.arange(5.0), 0, 1, 3)
    tensor([1., 2., 3.])
    """
    if not input.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if isinstance(start, Tensor) and (start.ndim or start._array.dtype.kind not in "iu"):
        raise RuntimeError(f"narrow(): start must be an 0-dim integral Tensor, got {start.ndim} axes of {start.dtype}")
    length = whole("length", length)
    if length < 0:
        raise RuntimeError(f"narrow(): length must be non-negative, got {length}")
    axis = axis_of(dim, input.ndim)
    size, start = input.shape[axis], whole("start", start)
    if not -size <= start <= size:
        raise IndexError(
            f"narrow(): start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    first = start + size if start < 0 else start
    if first + length > size:
        raise RuntimeError(
            f"narrow(): start ({start}) + length ({length}) does not fit in dimension {axis} of size {size}"
        )
    return slice_view(input, along(axis, slice(first, first + length, 1)))


# -- the basic part written over, in a copy


def _written(name: str, x, src, index):
    out = x.copy()
    place = _cut(out, index)
    if np.ndim(src) and src.shape != place.shape:
        raise RuntimeError(
            f"{name}: expected src to have a size equal to the slice of self. src size = {list(src.shape)}, "
            f"slice size = {list(place.shape)}"
        )
    place[...] = src
    return out


select_put = linear(
    "select_scatter",
    lambda x, src, index: _written("select_scatter", x, src, index),
    "x src",
    lambda g, index: select_put(g, 0.0, index),
    lambda g, index: select_view(g, index),
    doc="A copy with `src` in the place that `select` shows.",
)
slice_put = linear(
    "slice_scatter",
    lambda x, src, index: _written("slice_scatter", x, src, index),
    "x src",
    lambda g, index: slice_put(g, 0.0, index),
    lambda g, index: slice_view(g, index),
    doc="A copy with `src` in the place that a slice shows.",
)


def select_scatter(input, src, dim, index):
    """A copy with `src` at position `index` of axis `dim`, in the place that `select` shows.

    `src` has the shape of that place, else RuntimeError; IndexError where there is no such position. Gradient: g
    without that place for the input, its slice of g for `src`.

    >>> import autograd_core as ac
    >>> ac.select_scatter(ac.zeros(2, 2), ac.ones(2), 0, 1)
    tensor([[0., 0.],
            [1., 1.]])
    """
    axis = axis_of(dim, input.ndim)
    return select_put(input, src, along(axis, position(index, axis, input.shape[axis])))


def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    """A copy with `src` in the place of `input[start:end:step]` along axis `dim`.

    `src` has the shape of that place, else RuntimeError; ValueError for a step that is not positive. Gradient: g
    without that place for the input, its slice of g for `src`.

    >>> import autograd_core as ac
    >>> ac.slice_scatter(ac.zeros(4), ac.ones(2), start=1, step=2)
    tensor([0., 1., 0., 1.])
    """
    axis = axis_of(dim, input.ndim)
    return slice_put(input, src, along(axis, _region(slice(start, end, step), input.shape[axis])))


# -- index arrays and masks: a copy


def key_of(indices) -> tuple:
    """Index arrays for the leading axes, None for one that is taken whole, as NumPy takes them."""
    return tuple([FULL if index is None else index for index in indices])


@nameless
def _index(x, indices):
    try:
        if len(indices) == 1 and indices[0].dtype != bool:
            return x.take(indices[0], 0)  # what x[index] does, in a third of the time
        return x[key_of(indices)]
    except IndexError as error:
        raise IndexError(str(error).replace("for axis", "for dimension")) from None


def _index_backward(x, indices, shape):
    out = np.zeros(shape, x.dtype)
    add_at(out, indices, x)
    return out


index = linear(
    "index",
    _index,
    "x *indices",
    lambda g, x_shape, indices: index_backward(g, indices, x_shape),
    None,
    doc="The elements at positions given by index tensors or masks, one for each of the leading axes; None "
    "takes an axis whole.",
)
index_backward = linear(
    "index_backward",
    _index_backward,
    "x *indices",
    lambda g, indices: index(g, indices),
    None,
    doc="Zeros of a given shape with `input` added at the positions `indices`, repeated ones included: the "
    "gradient of `index`.",
)


def add_at(out, indices, values) -> None:
    """`out[indices] += values`, in which a repeated position counts every time. The positions are known to exist.

    Half precision is added up in single: one by one it would stop at 2048.
    """
    if out.dtype == HALF:
        wide = out.astype(SINGLE)
        add_at(wide, indices, values)
        out[...] = wide
    elif all(index is None or index.dtype == bool for index in indices):
        out[key_of(indices)] += values  # masks do not repeat a position
    else:
        accumulate_at(np.add, out, indices, values)


def accumulate_at(ufunc, out, indices, values) -> None:
    """`ufunc.at` for integer indices.

    It is many times faster on one axis than on several, so the positions are counted along the flattened array where
    the indices stand side by side.
    """
    flat = _flat_positions(out.shape, indices) if out.flags.c_contiguous else None
    if flat is None:
        ufunc.at(out, key_of(indices), values)
    else:
        ufunc.at(out.reshape(-1), flat.reshape(-1), np.asarray(values, out.dtype).reshape(-1))


def _flat_positions(shape, indices):
    """Positions in the flattened array, in the order of the result; None where indices are not side by side."""
    before = next(k for k, index in enumerate(indices) if index is not None)
    arrays = indices[before:]
    if any(index is None or index.dtype == bool for index in arrays):
        return None
    rows: Any = None
    for n, index in zip(shape[before:], arrays):
        if index.min(initial=0) < 0:
            index = np.where(index < 0, index + n, index)
        rows = index if rows is None else rows * n + index
    after = math.prod(shape[before + len(arrays) :])
    if after != 1:
        rows = rows[..., None] * after + np.arange(after)
    if not before:
        return rows
    starts = np.arange(math.prod(shape[:before])) * math.prod(shape[before:])
    return starts.reshape(-1, *[1] * rows.ndim) + rows


def _check_same_type(x, values, indices):
    if isinstance(values, np.ndarray) and values.dtype != x.dtype:
        _spread_values(values, x[key_of(indices)].shape)
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {x.dtype} for the destination "
            f"and {values.dtype} for the source; convert the source with .to(...)."
        )


def _index_put(x, values, indices, accumulate=False):
    _check_same_type(x, values, indices)
    out = x.copy()
    _put(out, values, indices, accumulate)
    return out


@quiet
def _put(x, values, indices, accumulate):
    """Write into `x` itself. NumPy looks at all positions and shapes before it writes anything."""
    key = key_of(indices)
    if accumulate:
        add_at(x, indices, _spread_values(values, x[key].shape))
        return
    try:
        x[key] = values
    except ValueError:
        _spread_values(values, x[key].shape)
        raise


def _spread_values(values, shape):
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing "
            f"result of shape {list(shape)}"
        ) from None


put = linear(
    "index_put",
    _index_put,
    "x values *indices",
    lambda g, indices, accumulate: g if accumulate else put(g, 0.0, indices),
    lambda g, indices: index(g, indices),
    None,
    doc="A copy with `values` at the positions `indices`, or with `accumulate` added there.",
)
put_ = in_place(put)


@written_by(put)
def _put_into(x, values, indices, accumulate=False):
    _check_same_type(x, values, indices)
    return lambda: _put(x, values, indices, accumulate)


def index_put(input, indices, values, accumulate=False):
    """A copy with `values` written at the positions `indices`, or added there with `accumulate`.

    `indices` is a tuple with an integer or bool tensor (or None) for each of the leading axes. `values` broadcasts to
    the shape of `input[indices]` and has the dtype of `input`, else RuntimeError. Where positions repeat without
    `accumulate`, one of the values stays.

    >>> import autograd_core as ac
    >>> ac.index_put(ac.zeros(3), (ac.tensor([0, 2, 2]),), ac.tensor(1.0), accumulate=True)
    tensor([1., 0., 2.])
    """
    return put(input, values, _places(indices), accumulate)


def index_put_(input, indices, values, accumulate=False):
    """`index_put`, written into the tensor.

    >>> import autograd_core as ac
    >>> ac.zeros(3).index_put_((ac.tensor([0, 2]),), ac.tensor(1.0))
    tensor([1., 0., 1.])
    """
    return put_(input, values, _places(indices), accumulate)


def _places(indices) -> list:
    """The index tensors of a call; one of bytes is a mask."""
    places = list(indices)
    for k, item in enumerate(places):
        if item is not None and item.dtype is dtypes.uint8:
            places[k] = _item(item)
    return places


# -- reading a key


BYTES = (
    "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead: a tensor of bytes is "
    "read as a mask, not as positions. Write .bool() for a mask, .long() for positions."
)
NO_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated: this list is read as x[tuple(list)], one "
    "part for each axis, and PyTorch is going to read it as one index tensor. Write the tuple, or ac.tensor(list)."
)


def _parts(key: list) -> tuple:
    """The parts of a key that is a list. It is one part, unless other things than numbers are in it."""
    if len(key) < 32 and not _WHOLE.issuperset(map(type, key)) and any(map(_is_part, key)):
        warnings.warn(NO_TUPLE, UserWarning, stacklevel=4)
        return tuple(key)
    return (key,)


def _is_part(item) -> bool:
    """Whether something in a list makes it a list of parts, not of positions."""
    return item is None or item is Ellipsis or isinstance(item, (Tensor, np.ndarray, slice, list, tuple, range))


def position(i, axis: int, size: int) -> int:
    """An integer index as a plain int. IndexError where the axis has no such position."""
    i = int(_plain(i))
    if not -size <= i < size:
        raise IndexError(f"index {i} is out of bounds for dimension {axis} with size {size}")
    return i


def _region(item: slice, size: int) -> slice:
    if item.step is not None and int(item.step) <= 0:
        raise ValueError(f"step must be greater than zero, got {item.step}; use flip() to reverse an axis")
    start, stop, step = item.indices(size)
    return FULL if (start, step) == (0, 1) and stop == size else slice(start, stop, step)


def _item(item):
    """One part of a key as an int, a bool, a slice, None, Ellipsis, or an integer or bool tensor that has axes.

    A tensor of bytes is a mask still, as in PyTorch, with a warning.
    """
    if type(item) is int or item is None or item is Ellipsis or isinstance(item, (bool, int)):
        return item
    if isinstance(item, np.integer):
        return int(item)
    if isinstance(item, slice):
        return slice(_plain(item.start), _plain(item.stop), _plain(item.step))
    if isinstance(item, (list, tuple, range)):
        item = tensor(list(item)) if len(item) else wrap(np.zeros(0, np.int64))
    if isinstance(item, (np.ndarray, np.generic)):
        item = wrap(np.array(item))  # a copy: a node keeps it, and would not see a write
    if not isinstance(item, Tensor):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and integer or bool tensors, arrays and lists "
            "are valid indices, "
            f"not {type(item).__name__}"
        )
    if not item._array.ndim and item._array.dtype.kind in "iu" and item._array.dtype != np.uint8:
        return item._array.item()
    if item._array.dtype == np.uint8:
        warnings.warn(BYTES, UserWarning, stacklevel=4)
        item = wrap(item._array.astype(bool))
    if item._array.dtype not in (np.int64, np.int32, bool):
        raise IndexError(
            f"tensors used as indices must be long, int, byte or bool tensors, not {item.dtype.name}; use .long() for "
            f"positions, .bool() for a mask"
        )
    return item if item._array.ndim else _plain(item)


def _plain(part):
    """A 0-d integer or bool tensor as a number. Reading an index takes no value out of the graph: nobody is told."""
    return (
        part._array.item()
        if isinstance(part, Tensor) and part._array.ndim == 0 and not part.is_floating_point()
        else part
    )


def _with_ellipsis_expanded(items: list, ndim: int) -> list:
    if len(items) <= ndim and _PLAIN.issuperset(map(type, items)):
        return items
    taken = sum(0 if i is None or i is Ellipsis or i is True or i is False else _axes_taken(i) for i in items)
    if taken > ndim:
        if not ndim:
            raise IndexError("invalid index of a 0-dim tensor. Use item() to convert it to a number")
        raise IndexError(f"too many indices for tensor of dimension {ndim}: {taken} axes are indexed")
    dots = [k for k, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    return [*items[: dots[0]], *[FULL] * (ndim - taken), *items[dots[0] + 1 :]] if dots else items


_WHOLE = frozenset({bool, int})
_PLAIN = {int, slice}


def _axes_taken(item) -> int:
    return item._array.ndim if isinstance(item, Tensor) and item._array.dtype == bool else 1


def parse(key, shape) -> tuple[tuple, list]:
    """Split a key into its basic part and its index tensors.

    The basic part is a tuple of ints, slices and None. The index tensors are a list for the leading axes of the view it
    cuts, with None where an axis is taken whole; it is empty if the key has none.
    """
    if type(key) is not tuple:
        key = _parts(key) if isinstance(key, list) else (key,)
    items = _with_ellipsis_expanded(list(map(_item, key)), len(shape))
    basic: list = []
    arrays: list = []
    axis = 0
    for item in items:
        if item is None:
            basic.append(None)
            arrays.append(None)
        elif item is True or item is False:  # a mask of no axes: one new axis, taken or not
            basic.append(None)
            arrays.append(wrap(np.zeros(int(item), np.int64)))
        elif isinstance(item, int):
            basic.append(position(item, axis, shape[axis]))
            axis += 1
        elif isinstance(item, slice):
            basic.append(_region(item, shape[axis]))
            arrays.append(None)
            axis += 1
        else:
            n = _axes_taken(item)
            if item._array.dtype == bool and item._array.shape != tuple(shape[axis : axis + n]):
                raise IndexError(
                    f"The shape of the mask {list(item.shape)} at index {axis} does not match the shape of the "
                    f"indexed tensor {list(shape)}"
                )
            basic += [FULL] * n
            arrays.append(item)
            axis += n
    while basic and basic[-1] == FULL:
        basic.pop()
    while arrays and arrays[-1] is None:
        arrays.pop()
    return tuple(basic), arrays


def getitem(self, key):
    """`x[key]`: a view for integers, slices, None and Ellipsis; a copy where index tensors or masks take part."""
    array = self._array
    if type(key) is int and array.ndim and -(n := array.shape[0]) <= key < n:
        return select_view(self, (key,))
    if type(key) is Tensor and key._array.dtype == np.int64 and key._array.ndim and array.ndim:
        return index(self, [key])
    basic, arrays = parse(key, array.shape)
    source = cut(self, basic) if basic or not arrays else self
    return index(source, arrays) if arrays else source


def setitem(self, key, value) -> None:
    """`x[key] = value`: a write into this tensor. `value` is a number, or a tensor that broadcasts to `x[key]`."""
    if not isinstance(value, (Tensor, int, float, np.generic)):
        raise TypeError(f"can't assign a {type(value).__name__} to a tensor; wrap it in ac.tensor(...)")
    basic, arrays = parse(key, self._array.shape)
    target = cut(self, basic) if any(item != FULL for item in basic) else self
    if not isinstance(value, Tensor):
        put_(target, value, arrays) if arrays else target.fill_(value)
        return
    value = _without_leading_ones(value)
    put_(target, value, arrays) if arrays else target.copy_(value)


def delitem(self, key) -> None:
    """TypeError: a tensor keeps its length."""
    raise TypeError("Tensor does not support deleting items; index the part that is to stay, as in x[1:]")


def _without_leading_ones(value: Tensor) -> Tensor:
    """A value may have more axes than the place it is written to, if they have length 1."""
    shape = value._array.shape
    extra = next((k for k, n in enumerate(shape) if n != 1), len(shape))
    return reshape(value, shape[extra:]) if extra else value
