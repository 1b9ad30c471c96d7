"""Operations that pick elements by position, and the one that adds elements at positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.tensor import wrap
from ..ops.indexing import gathering
from ..ops.indexing.brackets import getitem, index_put
from .checks import axis_from_either_end, common_dtype, distinct_axes, integers, one_axis, require, same_rank
from .configs import GatherConfig, ScatterConfig
from .errors import DTypeMismatch, InvalidArgument, ShapeMismatch
from .operations import Operations
from .tensor import EagerTensor


class Indexing(Operations):
    """index_select and its kin, gather and scatter. A position that repeats collects gradients."""

    def index_select(self, x: EagerTensor, axis: int, positions: Sequence[int]) -> EagerTensor:
        """The slices at positions along an axis, which may be counted from the back.

        Stands for `s.index_select(&x, 0, &[2, 0])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.index_select(s.constant_from([10.0, 20.0, 30.0]), 0, [2, 0, 2]).value()
        array([30., 10., 30.])
        """
        return self._select("index_select", x, axis, positions)

    def take_axis(self, x: EagerTensor, axis: int, positions: Sequence[int]) -> EagerTensor:
        """`index_select` along an axis counted from the front. Stands for `s.take_axis(&x, 1, &[3, 1])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.take_axis(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), 1, [1]).value()
        array([[2.],
               [4.]])
        """
        self._begin("take_axis", x)
        return self._select("take_axis", x, one_axis("take_axis", axis, len(x.shape)), positions)

    def take_rows(self, x: EagerTensor, positions: Sequence[int]) -> EagerTensor:
        """The slices at positions along axis 0. Stands for `s.take_rows(&x, &[1])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.take_rows(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), [1]).value()
        array([[3., 4.]])
        """
        return self._select("take_rows", x, 0, positions)

    def take_cols(self, x: EagerTensor, positions: Sequence[int]) -> EagerTensor:
        """The slices at positions along axis 1. Stands for `s.take_cols(&x, &[1])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.take_cols(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), [1]).value()
        array([[2.],
               [4.]])
        """
        return self._select("take_cols", x, 1, positions)

    def take_block(self, x: EagerTensor, rows: Sequence[int], columns: Sequence[int]) -> EagerTensor:
        """The elements of some rows and some columns. Stands for `s.take_block(&x, &[0, 1], &[1])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.take_block(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), [1, 0], [1]).value()
        array([[4.],
               [2.]])
        """
        return self._select("take_block", self._select("take_block", x, 0, rows), 1, columns)

    def _select(self, op: str, x: EagerTensor, axis: int, positions: Sequence[int]) -> EagerTensor:
        self._begin(op, x)
        axis = axis_from_either_end(op, axis, len(x.shape))
        places = np.array(integers(op, "positions", positions), np.int64)
        for place in places[(places < 0) | (places >= x.shape[axis])]:
            raise InvalidArgument(
                op,
                f"invalid argument positions: position {place} out of bounds for axis {axis} of length {x.shape[axis]}",
            )
        return self._run(op, lambda tensor: gathering.index_select(tensor, axis, wrap(places)), x)

    def take_along_axis(self, x: EagerTensor, indices: EagerTensor, axis: int) -> EagerTensor:
        """Element by element, what stands at the given position along an axis. Stands for `s.take_along_axis(&x, &idx,
        1)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.take_along_axis(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), s.constant_from([[1], [0]]), 1).value()
        array([[2.],
               [3.]])
        """
        self._begin("take_along_axis", x, indices)
        axis = axis_from_either_end("take_along_axis", axis, len(x.shape))
        same_rank("take_along_axis", len(x.shape), len(indices.shape))
        _check_integers("take_along_axis", indices)
        return self._run(
            "take_along_axis", lambda tensor, places: gathering.take_along_dim(tensor, places.long(), axis), x, indices
        )

    def dynamic_slice(self, x: EagerTensor, starts: EagerTensor, sizes: Sequence[int]) -> EagerTensor:
        """A window of x of shape `sizes` whose corner is a tensor of integers. It is moved to lie inside x.

        Stands for `s.dynamic_slice(&x, &starts, &[2])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.dynamic_slice(s.constant_from([1.0, 2.0, 3.0, 4.0]), s.constant_from([1]), [2]).value()
        array([2., 3.])
        """
        self._begin("dynamic_slice", x, starts)
        sizes = integers("dynamic_slice", "sizes", sizes)
        same_rank("dynamic_slice", len(x.shape), len(sizes))
        _check_integers("dynamic_slice", starts)
        if starts.shape != (len(x.shape),):
            raise ShapeMismatch(
                "dynamic_slice", f"shape mismatch: expected={[len(x.shape)]}, actual={list(starts.shape)}"
            )
        _check_window("dynamic_slice", sizes, x.shape)
        corner = np.clip(starts.value(), 0, np.subtract(x.shape, sizes))
        key = tuple([slice(int(start), int(start) + n) for start, n in zip(corner, sizes)])
        return self._run("dynamic_slice", lambda tensor, _: getitem(tensor, key), x, starts)

    def gather(self, x: EagerTensor, indices: EagerTensor, config: GatherConfig) -> EagerTensor:
        """Windows of x at the corners that `indices` holds, as XLA's gather. A window is moved to lie inside x.

        Stands for `s.gather(&x, &indices, GatherConfig { .. })?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> config = eager.GatherConfig((), (0,), (0,), 1, (1,))
        >>> s.gather(s.constant_from([10.0, 20.0, 30.0]), s.constant_from([[2], [0]]), config).value()
        array([30., 10.])
        """
        self._begin("gather", x, indices)
        require("gather", "config", config, GatherConfig)
        _check_integers("gather", indices)
        sizes = integers("gather", "slice_sizes", config.slice_sizes)
        same_rank("gather", len(x.shape), len(sizes))
        _check_window("gather", sizes, x.shape)
        corners = _corners("gather", indices, config.index_vector_dim, config.start_index_map, len(x.shape))
        corners = np.clip(corners, 0, np.subtract(x.shape, sizes))
        collapsed = distinct_axes("gather", config.collapsed_slice_dims, len(x.shape))
        if any(sizes[k] != 1 for k in collapsed):
            raise InvalidArgument(
                "gather",
                f"invalid argument collapsed_slice_dims: windows of {list(sizes)} are not 1 long in {list(collapsed)}",
            )
        window = [n for k, n in enumerate(sizes) if k not in collapsed]
        rank = corners.ndim - 1 + len(window)
        offset = distinct_axes("gather", config.offset_dims, rank)
        same_rank("gather", len(window), len(offset))
        places = _places(corners, window, offset, collapsed)
        return self._run("gather", lambda tensor, _: getitem(tensor, places), x, indices)

    def scatter(self, x: EagerTensor, indices: EagerTensor, updates: EagerTensor, config: ScatterConfig) -> EagerTensor:
        """A new tensor: x with windows of `updates` added at the corners that `indices` holds, as XLA's scatter.

        Positions outside are refused. Stands for `s.scatter(&x, &indices, &updates, ScatterConfig { .. })?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> config = eager.ScatterConfig((), (0,), (0,), 1)
        >>> x, updates = s.constant_from([0.0, 0.0, 0.0]), s.constant_from([5.0, 7.0])
        >>> s.scatter(x, s.constant_from([[1], [1]]), updates, config).value()
        array([ 0., 12.,  0.])
        """
        self._begin("scatter", x, indices, updates)
        require("scatter", "config", config, ScatterConfig)
        _check_integers("scatter", indices)
        corners = _corners(
            "scatter", indices, config.index_vector_dim, config.scatter_dims_to_operand_dims, len(x.shape)
        )
        inserted = distinct_axes("scatter", config.inserted_window_dims, len(x.shape))
        offset = distinct_axes("scatter", config.update_window_dims, len(updates.shape))
        same_rank("scatter", len(x.shape) - len(inserted), len(offset))
        window = [updates.shape[k] for k in sorted(offset)]
        places = _places(corners, window, offset, inserted)
        if np.broadcast_shapes(*(p.shape for p in places)) != updates.shape:
            raise ShapeMismatch("scatter", f"incompatible shapes: lhs={list(indices.shape)}, rhs={list(updates.shape)}")
        for axis, (place, n) in enumerate(zip(places, x.shape)):
            if ((place < 0) | (place >= n)).any():
                raise InvalidArgument(
                    "scatter", f"invalid argument indices: out of bounds for axis {axis} of length {n}"
                )
        keys = tuple([wrap(np.array(p)) for p in places])

        def compute(tensor, _, added):
            common = common_dtype((tensor, added))
            return index_put(tensor.to(common), keys, added.to(common), accumulate=True)

        return self._run("scatter", compute, x, indices, updates)


def _check_integers(op: str, indices: EagerTensor) -> None:
    if indices.dtype.name not in ("int32", "int64"):
        raise DTypeMismatch(op, f"dtype mismatch: expected I64, actual {indices.dtype.name}")


def _check_window(op: str, sizes: Sequence[int], shape: Sequence[int]) -> None:
    if any(not 0 <= size <= n for size, n in zip(sizes, shape)):
        raise InvalidArgument(op, f"invalid argument sizes: {list(sizes)} do not fit into shape {list(shape)}")


def _corners(op: str, indices: EagerTensor, vector_dim: int, axes: Sequence[int], rank: int) -> np.ndarray:
    """Start positions, an axis for each axis of the operand last; 0 along the axes that are not named."""
    named = distinct_axes(op, axes, rank)
    values = indices.value()
    vector_dim = one_axis(op, vector_dim, values.ndim + 1)
    values = values[..., None] if vector_dim == values.ndim else np.moveaxis(values, vector_dim, -1)
    if values.shape[-1] != len(named):
        raise ShapeMismatch(
            op, f"shape mismatch: expected={[len(named)]}, actual={[values.shape[-1]]} at axis {vector_dim}"
        )
    corners = np.zeros((*values.shape[:-1], rank), np.int64)
    corners[..., list(named)] = values
    return corners


def _places(corners: np.ndarray, window: list[int], offset: Sequence[int], dropped: Sequence[int]) -> tuple:
    """For every axis of the operand, the positions of the elements of all windows, in arrays that broadcast.

    `offset` says which axes of the result run through a window; the operand's axes `dropped` have no part in windows.
    """
    batch_rank, rank = corners.ndim - 1, corners.shape[-1]
    total = batch_rank + len(window)
    order = sorted(offset)
    batch_axes = [k for k in range(total) if k not in order]
    places, within = [], 0
    for axis in range(rank):
        shape = [1] * total
        for k, n in zip(batch_axes, corners.shape[:-1]):
            shape[k] = n
        place = corners[..., axis].reshape(shape)
        if axis not in dropped:
            steps = [1] * total
            steps[order[within]] = window[within]
            place = place + np.arange(window[within]).reshape(steps)
            within += 1
        places.append(place)
    return tuple(np.broadcast_arrays(*places))
