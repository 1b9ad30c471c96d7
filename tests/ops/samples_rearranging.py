"""Samples of diagonals, windows, grids, turns and repeats, and of what is written over a view in a copy."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0])
SCALAR = np.array(1.5)
EMPTY = np.zeros((0, 3))


def _moved():
    yield "diag_embed above, other axes", lambda T, x: T.diag_embed(x, 1, 0, -1), (A,)
    yield "diagflat below", lambda T, x: T.diagflat(x, -1), (A,)
    yield "fliplr", lambda T, x: T.fliplr(x), (A,)
    yield "flipud", lambda T, x: x.flipud(), (V,)
    yield "rot90 back", lambda T, x: T.rot90(x, -1, (1, 2)), (B,)
    yield "rot90 four times", lambda T, x: x.rot90(4), (A,)
    yield "repeat_interleave", lambda T, x: T.repeat_interleave(x, 2, 1), (A,)
    yield "repeat_interleave flat", lambda T, x: x.repeat_interleave(2), (A,)
    yield "repeat_interleave each", lambda T, x, n: x.repeat_interleave(n, 0), (A, np.array([0, 2]))
    yield "repeat_interleave of a scalar", lambda T, x: x.repeat_interleave(3), (SCALAR,)
    yield "unfold, overlapping", lambda T, x: x.unfold(1, 2, 1), (B,)
    yield "unfold, gaps", lambda T, x: x.unfold(-1, 1, 3), (B,)
    yield "unfold of a scalar", lambda T, x: x.unfold(0, 1, 1), (SCALAR,)
    yield "unfold, empty windows", lambda T, x: x.unfold(0, 0, 1), (V,)
    yield "broadcast_tensors", lambda T, x, y: T.broadcast_tensors(x, y), (V, A[:, :1])
    yield "meshgrid", lambda T, x, y: T.meshgrid(x, y, indexing="ij"), (V, SCALAR)
    yield "meshgrid xy", lambda T, x, y: T.meshgrid([x, y, x], indexing="xy"), (V, A[0])
    yield "cartesian_prod", lambda T, x, y: T.cartesian_prod(x, y), (V, A[0])
    yield "combinations", lambda T, x: T.combinations(x), (V,)
    yield "combinations again", lambda T, x: T.combinations(x, 3, with_replacement=True), (V,)
    yield "combinations of too few", lambda T, x: T.combinations(x, 4), (V,)
    yield "block_diag", lambda T, x, y, z: T.block_diag(x, y, z), (A, V, SCALAR)
    yield "block_diag, promoted", lambda T, x, y: T.block_diag(x, y), (A, np.array([[1, 2]]))
    yield "column_stack", lambda T, x, y: T.column_stack((x, y)), (A, A[:, 0])
    yield "dstack", lambda T, x, y: T.dstack((x, y)), (A, A)
    yield "row_stack", lambda T, x, y: T.row_stack((x, y)), (A, V)
    yield "atleast_3d", lambda T, x, y, z: T.atleast_3d(x, y, z), (A, V, SCALAR)
    yield "tensor_split, uneven", lambda T, x: T.tensor_split(x, 3, 2), (B,)
    yield "tensor_split, crossed positions", lambda T, x: x.tensor_split((2, 1, 9), 2), (B,)
    yield "hsplit", lambda T, x: T.hsplit(x, 3), (A,)
    yield "dsplit", lambda T, x: x.dsplit([1]), (B,)
    yield "split_with_sizes", lambda T, x: x.split_with_sizes([0, 3], 1), (A,)
    yield "unsafe_chunk", lambda T, x: T.unsafe_chunk(x, 2, 1), (A,)
    yield "unsafe_split written", lambda T, x: T.unsafe_split(x * 1.0, 2, 1)[0].mul_(2.0), (A,)
    yield "diagonals of nothing", lambda T, x: T.diag_embed(x), (EMPTY,)


def _written():
    yield "select_scatter", lambda T, x, s: T.select_scatter(x, s, 1, -1), (A, V[:2])
    yield "slice_scatter", lambda T, x, s: T.slice_scatter(x, s, 1, start=-2), (A, A[:, :2])
    yield "slice_scatter, steps", lambda T, x, s: x.slice_scatter(s, 1, 0, None, 2), (A, A[:, :2])
    yield "diagonal_scatter", lambda T, x, s: T.diagonal_scatter(x, s, 1), (A, V[:2])
    yield "diagonal_scatter, other axes", lambda T, x, s: x.diagonal_scatter(s, -1, 2, 0), (B, B[0, :, :2])


def _written_through():
    """A write through a view of an intermediate result, which is replayed."""
    yield "write through unfold", lambda T, x: _after(x * 1.0, lambda h: h.unfold(1, 1, 2).mul_(3.0)), (A,)
    yield "write through tensor_split", lambda T, x: _after(x * 1.0, lambda h: h.tensor_split(2, 1)[0].mul_(3.0)), (A,)
    yield "write through t of a vector", lambda T, x: _after(x * 1.0, lambda h: h.t().mul_(3.0)), (V,)


def _after(h, write):
    write(h)
    return h


def _without_gradients():
    integers = np.array([2, 0, 1])
    yield "repeat_interleave of counts", lambda T, n: T.repeat_interleave(n), (integers,)
    yield "tril_indices", lambda T: T.tril_indices(3, 4, 1), ()
    yield "triu_indices", lambda T: T.triu_indices(3, 2, -1), ()
    yield "unravel_index", lambda T, n: T.unravel_index(n, (2, 2)), (integers,)


SAMPLES = [
    *(Sample(name, f, inputs) for name, f, inputs in (*_moved(), *_written(), *_written_through())),
    *(Sample(name, f, inputs, grad=False) for name, f, inputs in _without_gradients()),
]
