"""Sums of products: dot_general, which is the general one, and the product of two matrices."""

from __future__ import annotations

import math

from ..ops.linear_algebra.matmul import matmul as matrix_product
from ..ops.shapes.shape import permute, reshape
from .checks import distinct_axes, integers, promoted, require, same_rank
from .configs import DotGeneralConfig
from .errors import ShapeMismatch
from .operations import Operations
from .tensor import EagerTensor


class Contractions(Operations):
    """dot_general, matmul."""

    def dot_general(self, a: EagerTensor, b: EagerTensor, config: DotGeneralConfig) -> EagerTensor:
        """Products summed over pairs of axes, batch by batch. The axes of the result are the free ones of a, those of
        b, and the batch axes *last*, as in column-major storage. Stands for `s.dot_general(&a, &b, config)?`.

        AxisOutOfBounds and InvalidArgument for axes that are not there or repeat, ShapeMismatch where lengths differ.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> a, b = s.constant_from([[1.0, 2.0], [3.0, 4.0]]), s.constant_from([[5.0, 7.0], [6.0, 8.0]])
        >>> s.dot_general(a, b, eager.DotGeneralConfig([1], [0])).value()
        array([[17., 23.],
               [39., 53.]])
        >>> s.dot_general(a, b, eager.DotGeneralConfig([1], [1], [0], [0])).value()
        array([19., 50.])
        """
        return self._dot("dot_general", a, b, config)

    def dot_general_with_conj(
        self, a: EagerTensor, b: EagerTensor, config: DotGeneralConfig, lhs_conj: bool, rhs_conj: bool
    ) -> EagerTensor:
        """`dot_general` of the conjugates: of real numbers, the same. Stands for `s.dot_general_with_conj(..)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> a = s.constant_from([1.0, 2.0])
        >>> s.dot_general_with_conj(a, a, eager.DotGeneralConfig([0], [0]), True, False).value()
        array(5.)
        """
        return self._dot("dot_general_with_conj", a, b, config)

    def matmul(self, a: EagerTensor, b: EagerTensor) -> EagerTensor:
        """The product of two matrices; RankMismatch for anything else. Stands for `s.matmul(&a, &b)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.matmul(s.constant_from([[1.0, 3.0], [2.0, 4.0]]), s.constant_from([[5.0], [6.0]])).value()
        array([[23.],
               [34.]])
        """
        self._begin("matmul", a, b)
        for operand in (a, b):
            same_rank("matmul", 2, len(operand.shape))
        if a.shape[1] != b.shape[0]:
            raise ShapeMismatch("matmul", f"incompatible shapes: lhs={list(a.shape)}, rhs={list(b.shape)}")
        return self._run("matmul", lambda *operands: matrix_product(*promoted(operands)), a, b)

    def _dot(self, op: str, a: EagerTensor, b: EagerTensor, config: DotGeneralConfig) -> EagerTensor:
        self._begin(op, a, b)
        require(op, "config", config, DotGeneralConfig)
        sides = []
        for side, x, summed, batch in (
            ("lhs", a, config.lhs_contracting_dims, config.lhs_batch_dims),
            ("rhs", b, config.rhs_contracting_dims, config.rhs_batch_dims),
        ):
            summed, batch = integers(op, "axes", summed), integers(op, "axes", batch)
            named = distinct_axes(op, summed + batch, len(x.shape), side)
            sides.append((list(summed), list(batch), [k for k in range(len(x.shape)) if k not in named]))
        for k, what in ((0, "contracted"), (1, "batch")):
            if len(sides[0][k]) != len(sides[1][k]):
                raise ShapeMismatch(op, f"{what} dimensions differ: lhs {sides[0][k]}, rhs {sides[1][k]}")
            for i, j in zip(sides[0][k], sides[1][k]):
                if a.shape[i] != b.shape[j]:
                    raise ShapeMismatch(
                        op,
                        f"{what} dimensions differ: lhs axis {i} has length {a.shape[i]}, rhs axis {j} {b.shape[j]}",
                    )
        return self._run(op, lambda *operands: _batched(*promoted(operands), *sides), a, b)


def _batched(a, b, of_a, of_b):
    """One matrix product a batch: (batch, free, summed) times (batch, summed, free), the batch axes moved behind."""
    (summed, batch, rows), (summed_b, batch_b, columns) = of_a, of_b
    kept = [tuple(x.shape[k] for k in axes) for x, axes in ((a, batch), (a, rows), (b, columns))]
    n_batch, n_rows, n_columns = map(math.prod, kept)
    n_summed = math.prod(a.shape[k] for k in summed)
    left = reshape(permute(a, (*batch, *rows, *summed)), (n_batch, n_rows, n_summed))
    right = reshape(permute(b, (*batch_b, *summed_b, *columns)), (n_batch, n_summed, n_columns))
    product = reshape(matrix_product(left, right), sum(kept, ()))
    first = len(batch)
    return permute(product, (*range(first, product.ndim), *range(first)))
