"""Reductions. `axes` is None for all axes, which gives the shape [], or a sequence; `()` folds nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ops.elementwise.arithmetic import mul
from ..ops.reductions import reduction
from ..ops.shapes.shape import clone
from . import launch
from .checks import distinct_axes
from .operations import Operations
from .tensor import EagerTensor

Axes = Sequence[int] | None


class Reductions(Operations):
    """reduce_sum to reduce_mean. Axes are counted from the front, each once; folded ones go."""

    def _reduce(self, op: str, fold: Callable, x: EagerTensor, axes: Axes, unfolded: Callable = clone) -> EagerTensor:
        """`fold` of x over axes; `unfolded` of x where there are none."""
        self._begin(op, x)
        rank = len(x.shape)
        folded = distinct_axes(op, range(rank) if axes is None else axes, rank)
        return self._run(op, lambda tensor: fold(tensor, folded) if folded else unfolded(tensor), x)

    def _reduce_by(self, op: str, function: Callable, x: EagerTensor, axes: Axes) -> EagerTensor:
        return self._reduce(
            op, lambda tensor, folded: launch.reduction(self._engine, function, tensor, folded), x, axes
        )

    def reduce_sum(self, x: EagerTensor, axes: Axes) -> EagerTensor:
        """The sum over axes. Stands for `s.reduce_sum(&x, None)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.reduce_sum(s.constant_from([[1.0, 2.0], [3.0, 5.0]]), None).value()
        array(11.)
        """
        return self._reduce_by("reduce_sum", reduction.sum, x, axes)

    def reduce_mean(self, x: EagerTensor, axes: Axes) -> EagerTensor:
        """The mean over axes. Stands for `s.reduce_mean(&x, Some(&[0]))?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.reduce_mean(s.constant_from([[1.0, 2.0], [3.0, 5.0]]), (0,)).value()
        array([2. , 3.5])
        """
        return self._reduce_by("reduce_mean", reduction.mean, x, axes)

    def reduce_max(self, x: EagerTensor, axes: Axes) -> EagerTensor:
        """The largest element along axes. Equal ones share the gradient. Stands for `s.reduce_max(&x, None)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.reduce_max(s.constant_from([[1.0, 2.0], [3.0, 5.0]]), (0,)).value()
        array([3., 5.])
        """
        return self._reduce_by("reduce_max", reduction.amax, x, axes)

    def reduce_min(self, x: EagerTensor, axes: Axes) -> EagerTensor:
        """The smallest element along axes. Equal ones share the gradient. Stands for `s.reduce_min(&x, None)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.reduce_min(s.constant_from([[1.0, 2.0], [3.0, 5.0]]), (0,)).value()
        array([1., 2.])
        """
        return self._reduce_by("reduce_min", reduction.amin, x, axes)

    def reduce_sum_squares(self, x: EagerTensor, axes: Axes) -> EagerTensor:
        """The sum of squares over axes. Stands for `s.reduce_sum_squares(&x, None)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.reduce_sum_squares(s.constant_from([3.0, 4.0]), None).value()
        array(25.)
        """

        def squares(tensor):
            return launch.elementwise(self._engine, mul, tensor, tensor)

        def fold(tensor, folded):
            return launch.reduction(self._engine, reduction.sum, squares(tensor), folded)

        return self._reduce("reduce_sum_squares", fold, x, axes, squares)

    def reduce_prod(self, x: EagerTensor, axes: Axes) -> EagerTensor:
        """The product over axes. Its derivative is right where elements are 0, too. Stands for `s.reduce_prod(&x,
        None)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.reduce_prod(s.constant_from([2.0, 3.0, 5.0]), None).value()
        array(30.)
        """

        def fold(tensor, folded):
            for axis in sorted(folded, reverse=True):
                tensor = reduction.prod(tensor, axis)
            return tensor

        return self._reduce("reduce_prod", fold, x, axes)
