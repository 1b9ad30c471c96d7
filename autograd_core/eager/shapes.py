"""Operations that move, repeat, cut and join elements. Indices, reshapes included, are row-major, as NumPy's."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..ops.indexing.brackets import getitem
from ..ops.shapes.diagonals import diag_embed, diagonal
from ..ops.shapes.diagonals import tril as lower_triangle
from ..ops.shapes.diagonals import triu as upper_triangle
from ..ops.shapes.joining import cat
from ..ops.shapes.joining import stack as stacked
from ..ops.shapes.shape import broadcast_to, flip, movedim, permute
from ..ops.shapes.shape import reshape as reshaped
from ..ops.windows.borders import constant_pad
from .checks import (
    axis_from_either_end,
    distinct_axes,
    integer,
    integers,
    one_axis,
    permutation,
    promoted,
    require,
    same_rank,
)
from .configs import PadConfig, SliceConfig
from .errors import InvalidArgument, ShapeMismatch
from .operations import Operations
from .tensor import EagerTensor


class Shapes(Operations):
    """transpose to embed_diag. They see values only; tenferro's storage, and so its reshape, is column-major."""

    def transpose(self, x: EagerTensor, perm: Sequence[int]) -> EagerTensor:
        """The axes in another order: axis k of the result is axis `perm[k]` of x. Stands for `s.transpose(&x, &[1,
        0])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.transpose(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), (1, 0)).value()
        array([[1., 3.],
               [2., 4.]])
        """
        self._begin("transpose", x)
        order = permutation("transpose", perm, len(x.shape))
        return self._run("transpose", lambda tensor: permute(tensor, order), x)

    def reshape(self, x: EagerTensor, shape: Sequence[int]) -> EagerTensor:
        """The elements, read in row-major order, in another shape of as many. Stands for `s.reshape(&x, [2, 1])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.reshape(s.constant_from([1.0, 2.0]), (2, 1)).value()
        array([[1.],
               [2.]])
        """
        self._begin("reshape", x)
        lengths = integers("reshape", "shape", shape)
        if math.prod(lengths) != math.prod(x.shape) or min(lengths, default=0) < 0:
            raise ShapeMismatch(
                "reshape", f"reshape element-count mismatch: from {math.prod(x.shape)} to {math.prod(lengths)}"
            )
        return self._run("reshape", lambda tensor: reshaped(tensor, lengths), x)

    def slice(self, x: EagerTensor, config: SliceConfig) -> EagerTensor:
        """A part of every axis, from `starts` to `limits` in steps of `strides`. Stands for `s.slice(&x, SliceConfig {
        .. })?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.slice(s.constant_from([1.0, 2.0, 3.0, 4.0]), eager.SliceConfig([1], [4], [2])).value()
        array([2., 4.])
        """
        self._begin("slice", x)
        require("slice", "config", config, SliceConfig)
        parts = [integers("slice", "config", numbers) for numbers in (config.starts, config.limits, config.strides)]
        for numbers in parts:
            same_rank("slice", len(x.shape), len(numbers))
        for n, start, limit, stride in zip(x.shape, *parts):
            if not (0 <= start <= limit <= n and stride > 0):
                raise InvalidArgument(
                    "slice",
                    f"invalid argument config: {start}..{limit} by {stride} is no part of an axis of length {n}",
                )
        key = tuple([slice(*part) for part in zip(*parts)])
        return self._run("slice", lambda tensor: getitem(tensor, key), x)

    def slice_axis(self, x: EagerTensor, axis: int, positions: range) -> EagerTensor:
        """A part of one axis. Stands for `s.slice_axis(&x, 0, 1..3)?`; `positions` is a range, and may have a step.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.slice_axis(s.constant_from([1.0, 2.0, 3.0, 4.0]), 0, range(1, 3)).value()
        array([2., 3.])
        """
        self._begin("slice_axis", x)
        require("slice_axis", "positions", positions, range)
        axis = one_axis("slice_axis", axis, len(x.shape))
        starts, limits, strides = [0] * len(x.shape), list(x.shape), [1] * len(x.shape)
        starts[axis], limits[axis], strides[axis] = positions.start, positions.stop, positions.step
        return self.slice(x, SliceConfig(starts, limits, strides))

    def broadcast_in_dim(self, x: EagerTensor, shape: Sequence[int], dims: Sequence[int]) -> EagerTensor:
        """Copies of x in a larger shape, in which its axis k is axis `dims[k]`. Stands for `s.broadcast_in_dim(&x, &[2,
        3], &[0])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.broadcast_in_dim(s.constant_from([1.0, 2.0]), (2, 3), (0,)).value()
        array([[1., 1., 1.],
               [2., 2., 2.]])
        """
        self._begin("broadcast_in_dim", x)
        lengths, dims = (integers("broadcast_in_dim", *given) for given in (("shape", shape), ("dims", dims)))
        same_rank("broadcast_in_dim", len(x.shape), len(dims))
        places = distinct_axes("broadcast_in_dim", dims, len(lengths), "broadcast")
        between = [1] * len(lengths)
        for n, axis in zip(x.shape, places):
            if n not in (1, lengths[axis]):
                raise ShapeMismatch(
                    "broadcast_in_dim", f"incompatible shapes: lhs={list(x.shape)}, rhs={list(lengths)} at axis {axis}"
                )
            between[axis] = n
        order = sorted(range(len(places)), key=places.__getitem__)

        def compute(tensor):
            return broadcast_to(reshaped(permute(tensor, order), between), lengths)

        return self._run("broadcast_in_dim", compute, x)

    def pad(self, x: EagerTensor, config: PadConfig) -> EagerTensor:
        """Zeros before, behind and between the elements of every axis. Stands for `s.pad(&x, PadConfig { .. })?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.pad(s.constant_from([1.0, 2.0]), eager.PadConfig([1], [0], [2])).value()
        array([0., 1., 0., 0., 2.])
        """
        self._begin("pad", x)
        require("pad", "config", config, PadConfig)
        low, high, between = (
            integers("pad", "config", numbers)
            for numbers in (config.edge_padding_low, config.edge_padding_high, config.interior_padding)
        )
        for numbers in (low, high, between):
            same_rank("pad", len(x.shape), len(numbers))
        if any(n < 0 for n in between):
            raise InvalidArgument("pad", f"invalid argument interior_padding: {list(between)} has a negative number")
        around = [n for pair in reversed(list(zip(low, high))) for n in pair]

        def compute(tensor):
            for axis, gap in enumerate(between):
                tensor = _spread_out(tensor, axis, gap)
            return constant_pad(tensor, tuple(around))

        return self._run("pad", compute, x)

    def reverse(self, x: EagerTensor, axes: Sequence[int]) -> EagerTensor:
        """The elements in reverse order along axes. Stands for `s.reverse(&x, &[0])?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.reverse(s.constant_from([1.0, 2.0, 3.0]), (0,)).value()
        array([3., 2., 1.])
        """
        self._begin("reverse", x)
        turned = distinct_axes("reverse", axes, len(x.shape))
        return self._run("reverse", lambda tensor: flip(tensor, turned), x)

    def concatenate(self, tensors: Sequence[EagerTensor], axis: int) -> EagerTensor:
        """Tensors one behind the other along an axis, in the widest type. Stands for `s.concatenate(&[&x, &y], 0)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.concatenate([s.constant_from([1.0]), s.constant_from([2.0, 3.0])], 0).value()
        array([1., 2., 3.])
        """
        operands = self._operands("concatenate", tensors)
        rank = len(operands[0].shape)
        axis = one_axis("concatenate", axis, rank)
        for other in operands[1:]:
            same_rank("concatenate", rank, len(other.shape))
            if _without(other.shape, axis) != _without(operands[0].shape, axis):
                raise ShapeMismatch(
                    "concatenate", f"incompatible shapes: lhs={list(operands[0].shape)}, rhs={list(other.shape)}"
                )
        return self._run("concatenate", lambda *parts: cat(promoted(parts), axis), *operands)

    def stack(self, tensors: Sequence[EagerTensor], axis: int) -> EagerTensor:
        """Tensors of one shape along a new axis, which may be counted from the back. Stands for `s.stack(&[&x, &y],
        0)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.stack([s.constant_from([1.0, 2.0]), s.constant_from([3.0, 4.0])], -1).value()
        array([[1., 3.],
               [2., 4.]])
        """
        operands = self._operands("stack", tensors)
        axis = axis_from_either_end("stack", axis, len(operands[0].shape) + 1)
        for other in operands[1:]:
            if other.shape != operands[0].shape:
                raise ShapeMismatch(
                    "stack", f"shape mismatch: expected={list(operands[0].shape)}, actual={list(other.shape)}"
                )
        return self._run("stack", lambda *parts: stacked(promoted(parts), axis), *operands)

    def _operands(self, op: str, tensors: Sequence[EagerTensor]) -> list[EagerTensor]:
        operands = self._many(op, tensors)
        if not operands:
            raise InvalidArgument(op, "invalid argument inputs: at least one is needed")
        return operands

    def tril(self, x: EagerTensor, k: int) -> EagerTensor:
        """The matrices in the last two axes with zeros above diagonal number k. Stands for `s.tril(&x, 0)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.tril(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), 0).value()
        array([[1., 0.],
               [3., 4.]])
        """
        self._begin("tril", x)
        k = integer("tril", "k", k)
        return self._run("tril", lambda tensor: lower_triangle(tensor, k), x)

    def triu(self, x: EagerTensor, k: int) -> EagerTensor:
        """The matrices in the last two axes with zeros below diagonal number k. Stands for `s.triu(&x, 0)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.triu(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), 0).value()
        array([[1., 2.],
               [0., 4.]])
        """
        self._begin("triu", x)
        k = integer("triu", "k", k)
        return self._run("triu", lambda tensor: upper_triangle(tensor, k), x)

    def extract_diag(self, x: EagerTensor, axis_a: int, axis_b: int) -> EagerTensor:
        """The elements whose positions along two axes are equal: axis b goes, the diagonal is axis a.

        Stands for `s.extract_diag(&x, 0, 1)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.extract_diag(s.constant_from([[1.0, 2.0], [3.0, 4.0]]), 0, 1).value()
        array([1., 4.])
        """
        self._begin("extract_diag", x)
        a, b = distinct_axes("extract_diag", (axis_a, axis_b), len(x.shape))
        place = a - (b < a)
        return self._run("extract_diag", lambda tensor: movedim(diagonal(tensor, 0, a, b), -1, place), x)

    def embed_diag(self, x: EagerTensor, axis_a: int, axis_b: int) -> EagerTensor:
        """The inverse of `extract_diag`: zeros but for the diagonal of axes a and b, b being new.

        Stands for `s.embed_diag(&x, 0, 1)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.embed_diag(s.constant_from([1.0, 2.0]), 0, 1).value()
        array([[1., 0.],
               [0., 2.]])
        """
        self._begin("embed_diag", x)
        a, b = distinct_axes("embed_diag", (axis_a, axis_b), len(x.shape) + 1)
        place = a - (b < a)
        return self._run("embed_diag", lambda tensor: diag_embed(movedim(tensor, place, -1), 0, a, b), x)


def _without(shape: Sequence[int], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


def _spread_out(tensor, axis: int, gap: int):
    """`gap` zeros between the elements along an axis."""
    n = tensor.shape[axis]
    if gap == 0 or n == 0:
        return tensor
    units = reshaped(tensor, (*tensor.shape[: axis + 1], 1, *tensor.shape[axis + 1 :]))
    wide = constant_pad(units, (0, 0) * (tensor.ndim - axis - 1) + (0, gap))
    merged = reshaped(wide, (*tensor.shape[:axis], n * (gap + 1), *tensor.shape[axis + 1 :]))
    return getitem(merged, (slice(None),) * axis + (slice(0, n * (gap + 1) - gap),))
