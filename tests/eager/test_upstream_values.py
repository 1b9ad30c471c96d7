"""tenferro's own cases of single operations, with its numbers: what a program gives, and its gradients.

A row names the upstream test. The program gets a session and its leaves; what it returns is compared bit for bit, so
is the gradient of the sum over it, for each variable. Arrays are written here row by row.
"""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from autograd_core import eager
from autograd_core.eager import CompareDir, DotGeneralConfig, GatherConfig, PadConfig, ScatterConfig, SliceConfig
from tests.eager.harness import equal

MATMUL = DotGeneralConfig([1], [0])
A = [[1.0, 3.0], [2.0, 4.0]]  # from_vec_col_major([2, 2], [1, 2, 3, 4])
TALL = eager.from_vec_col_major([4, 3], np.arange(1.0, 13.0))


@dataclass
class Row:
    name: str
    program: object
    value: object
    variables: tuple = ()
    gradients: tuple = ()
    constants: tuple = field(default=())
    tolerance: float = 0.0


ROWS = [
    # leaf_session.rs
    Row("unary: neg", lambda s, x: s.neg(x), -2.0, (2.0,), (-1.0,)),
    Row("unary: neg of neg", lambda s, x: s.neg(s.neg(x)), 2.0, (2.0,), (1.0,)),
    Row("unary: abs of neg", lambda s, x: s.abs(s.neg(x)), 2.0, (2.0,), (1.0,)),
    Row("unary: exp of neg", lambda s, x: s.exp(s.neg(x)), math.exp(-2), (2.0,), (-math.exp(-2),), tolerance=1e-12),
    Row("unary: conj", lambda s, x: s.conj(x), 2.0, (2.0,), (1.0,)),
    Row("unary: sqrt", lambda s, x: s.sqrt(x), math.sqrt(2), (2.0,), (0.5 / math.sqrt(2),), tolerance=1e-12),
    Row("unary: rsqrt", lambda s, x: s.rsqrt(x), 2**-0.5, (2.0,), (-0.5 * 2**-1.5,), tolerance=1e-12),
    Row("unary: cos", lambda s, x: s.cos(x), math.cos(2), (2.0,), (-math.sin(2),), tolerance=1e-12),
    Row("unary: tanh", lambda s, x: s.tanh(x), math.tanh(2), (2.0,), (1 - math.tanh(2) ** 2,), tolerance=1e-12),
    Row("unary: expm1", lambda s, x: s.expm1(x), math.expm1(2), (2.0,), (math.exp(2),), tolerance=1e-12),
    Row("unary: log1p", lambda s, x: s.log1p(x), math.log1p(2), (2.0,), (1 / 3,), tolerance=1e-12),
    Row(
        "unary: sin + log",
        lambda s, x: s.add(s.sin(x), s.log(x)),
        math.sin(2) + math.log(2),
        (2.0,),
        (math.cos(2) + 0.5,),
        tolerance=1e-12,
    ),
    Row("diagonals: extract", lambda s, x: s.extract_diag(x, 0, 1), [1.0, 4.0], (A,), ([[1.0, 0.0], [0.0, 1.0]],)),
    Row(
        "diagonals: embed what was extracted",
        lambda s, x: s.embed_diag(s.extract_diag(x, 0, 1), 0, 1),
        [[1.0, 0.0], [0.0, 4.0]],
        (A,),
        ([[1.0, 0.0], [0.0, 1.0]],),
    ),
    Row(
        "gather and concatenate: repeated gather",
        lambda s, x, i: s.concatenate([s.gather(x, i, GatherConfig((), (0,), (0,), 1, (1,)))] * 2, 0),
        [30.0, 10.0, 30.0, 10.0],
        ([10.0, 20.0, 30.0],),
        ([2.0, 0.0, 2.0],),
        ([[2], [0]],),
    ),
    Row("scaling", lambda s, x: s.scale_real(x, 2.5), [2.5, 5.0], ([1.0, 2.0],), ([2.5, 2.5],)),
    Row(
        "matmul",
        lambda s, x, b: s.matmul(x, b),
        [[23.0], [34.0]],
        (A,),
        ([[5.0, 6.0], [5.0, 6.0]],),
        ([[5.0], [6.0]],),
    ),
    Row("reductions: prod", lambda s, x: s.reduce_prod(x, None), 30.0, ([2.0, 3.0, 5.0],), ([15.0, 10.0, 6.0],)),
    Row("reductions: max", lambda s, x: s.reduce_max(x, None), 5.0, ([2.0, 3.0, 5.0],), ([0.0, 0.0, 1.0],)),
    Row("reductions: min", lambda s, x: s.reduce_min(x, None), 2.0, ([2.0, 3.0, 5.0],), ([1.0, 0.0, 0.0],)),
    Row("triangles: tril", lambda s, x: s.tril(x, 0), [[1.0, 0.0], [2.0, 4.0]], (A,), ([[1.0, 0.0], [1.0, 1.0]],)),
    Row("triangles: triu", lambda s, x: s.triu(x, 0), [[1.0, 3.0], [0.0, 4.0]], (A,), ([[1.0, 1.0], [0.0, 1.0]],)),
    Row(
        "padding and reverse",
        lambda s, x: s.reverse(s.pad(x, PadConfig([1], [1], [1])), [0]),
        [0.0, 2.0, 0.0, 1.0, 0.0],
        ([1.0, 2.0],),
        ([1.0, 1.0],),
    ),
    Row(
        "dynamic_slice",
        lambda s, x, i: s.dynamic_slice(x, i, [2]),
        [2.0, 3.0],
        ([1.0, 2.0, 3.0, 4.0],),
        ([0.0, 1.0, 1.0, 0.0],),
        ([1],),
    ),
    Row(
        "scatter",
        lambda s, updates, x, i: s.scatter(x, i, updates, ScatterConfig((), (0,), (0,), 1)),
        [0.0, 5.0, 0.0, 7.0],
        ([5.0, 7.0],),
        ([1.0, 1.0],),
        ([0.0] * 4, [[1], [3]]),
    ),
    Row(
        "scatter at one position twice",
        lambda s, updates, x, i: s.scatter(x, i, updates, ScatterConfig((), (0,), (0,), 1)),
        [0.0, 12.0, 0.0],
        ([5.0, 7.0],),
        ([1.0, 1.0],),
        ([0.0] * 3, [[1], [1]]),
    ),
    Row(
        "dot_general",
        lambda s, x, b: s.dot_general(x, b, MATMUL),
        [[23.0, 31.0], [34.0, 46.0]],
        (A,),
        ([[12.0, 14.0], [12.0, 14.0]],),
        ([[5.0, 7.0], [6.0, 8.0]],),
    ),
    Row("binary: add a scalar", lambda s, x, c: s.add(x, c), [4.0, 5.0], ([1.0, 2.0], 3.0), ([1.0, 1.0], 2.0)),
    Row("binary: sub a scalar", lambda s, x, c: s.sub(x, c), [-2.0, -1.0], ([1.0, 2.0], 3.0), ([1.0, 1.0], -2.0)),
    Row("binary: mul a scalar", lambda s, x, c: s.mul(x, c), [3.0, 6.0], ([1.0, 2.0], 3.0), ([3.0, 3.0], 3.0)),
    Row("binary: div", lambda s, x, c: s.div(x, c), [3.0, 4.0], ([6.0, 8.0], 2.0), ([0.5, 0.5], -3.5)),
    Row("binary: rem", lambda s, x, c: s.rem(x, c), [0.0, 0.0], ([6.0, 8.0], 2.0), (None, None)),
    Row(
        "binary: pow",
        lambda s, x, c: s.pow(x, c),
        [36.0, 64.0],
        ([6.0, 8.0], 2.0),
        ([12.0, 16.0], 36 * math.log(6) + 64 * math.log(8)),
        tolerance=1e-12,
    ),
    Row("binary: maximum", lambda s, x, c: s.maximum(x, c), [6.0, 8.0], ([6.0, 8.0], 2.0), ([1.0, 1.0], 0.0)),
    Row("binary: minimum", lambda s, x, c: s.minimum(x, c), [2.0, 2.0], ([6.0, 8.0], 2.0), ([0.0, 0.0], 2.0)),
    Row(
        "select",
        lambda s, x, zero: s.select(s.compare(x, zero, CompareDir.Gt), x, zero),
        [0.0, 0.5, 5.0],
        ([-2.0, 0.5, 5.0],),
        ([0.0, 1.0, 1.0],),
        (0.0,),
    ),
    Row(
        "clamp",
        lambda s, x, low, high: s.clamp(x, low, high),
        [-1.0, 0.5, 4.0],
        ([-2.0, 0.5, 5.0],),
        ([0.0, 1.0, 0.0],),
        (-1.0, 4.0),
    ),
    Row("cast", lambda s, x: s.cast(x, np.int32), np.array([1, -2], np.int32), constants=([1.2, -2.8],)),
    Row(
        "transpose and slice",
        lambda s, x: s.slice(s.transpose(x, (1, 0)), SliceConfig([0, 0], [2, 1], [1, 1])),
        [[1.0], [3.0]],
        (A,),
        ([[1.0, 1.0], [0.0, 0.0]],),
    ),
    Row(
        "views: broadcast_in_dim",
        lambda s, x: s.broadcast_in_dim(x, (2, 2), (0,)),
        [[1.0, 1.0], [2.0, 2.0]],
        ([1.0, 2.0],),
        ([2.0, 2.0],),
    ),
    Row("views: reshape", lambda s, x: s.reshape(x, (1, 2)), [[1.0, 2.0]], ([1.0, 2.0],), ([1.0, 1.0],)),
    # integration/eager_tensor.rs
    Row("x squared", lambda s, x: s.mul(x, x), [1.0, 4.0, 9.0], ([1.0, 2.0, 3.0],), ([2.0, 4.0, 6.0],)),
    Row("exp", lambda s, x: s.exp(x), np.exp([0.0, 1.0, 2.0]), ([0.0, 1.0, 2.0],), (np.exp([0.0, 1.0, 2.0]),)),
    Row("fan out", lambda s, x: s.add(x, x), [2.0, 4.0, 6.0], ([1.0, 2.0, 3.0],), ([2.0, 2.0, 2.0],)),
    Row(
        "index_select of repeated positions",
        lambda s, x, w: s.mul(s.index_select(x, 0, [1, 1, 2]), w),
        [20.0, 40.0, 90.0],
        ([1.0, 2.0, 3.0],),
        ([0.0, 30.0, 30.0],),
        ([10.0, 20.0, 30.0],),
    ),
    Row(
        "stack along the last axis, then index_select",
        lambda s, a, b: s.index_select(s.stack([a, b], -1), -1, [1, 0, 1]),
        [[3.0, 1.0, 3.0], [4.0, 2.0, 4.0]],
        ([1.0, 2.0], [3.0, 4.0]),
        ([1.0, 1.0], [2.0, 2.0]),
    ),
    Row(
        "stack along axis 0",
        lambda s, a, b: s.stack([a, b], 0),
        [[1.0, 2.0], [3.0, 4.0]],
        constants=([1.0, 2.0], [3.0, 4.0]),
    ),
    Row(
        "reduce_sum_squares",
        lambda s, x: s.reduce_sum_squares(x, (0,)),
        17.8125,
        ([1.25, -2.0, 3.5],),
        ([2.5, -4.0, 7.0],),
    ),
    Row(
        "reduce_sum_squares of None",
        lambda s, x: s.reduce_sum_squares(x, None),
        14.25,
        constants=([[1.0, 3.0], [-2.0, 0.5]],),
    ),
    Row(
        "reduce_sum_squares of all axes",
        lambda s, x: s.reduce_sum_squares(x, (0, 1)),
        14.25,
        constants=([[1.0, 3.0], [-2.0, 0.5]],),
    ),
    Row("all axes: sum", lambda s, x: s.reduce_sum(x, None), 10.0, (A,), ([[1.0, 1.0], [1.0, 1.0]],)),
    Row("all axes: prod", lambda s, x: s.reduce_prod(x, None), 24.0, constants=(A,)),
    Row("no axes: sum is the identity", lambda s, x: s.reduce_sum(x, ()), A, (A,), ([[1.0, 1.0], [1.0, 1.0]],)),
    Row("column maxima", lambda s, x: s.reduce_max(x, (0,)), [2.0, 4.0], constants=(A,)),
    Row("row minima", lambda s, x: s.reduce_min(x, (1,)), [1.0, 2.0], constants=(A,)),
    Row("sum of a scalar", lambda s, x: s.reduce_sum(x, None), 3.0, (3.0,), (1.0,)),
    Row("prod, both axes named", lambda s, x: s.reduce_prod(x, (0, 1)), 24.0, constants=(A,)),
    Row("scaling integers rounds the factor", lambda s, x: s.scale_real(x, 2.5), [9], constants=([3],)),
    Row("div", lambda s, x, y: s.div(x, y), [4.0, -2.0, 3.0], constants=([8.0, -6.0, 9.0], [2.0, 3.0, 3.0])),
    Row("abs", lambda s, x: s.abs(x), [8.0, 6.0, 9.0], constants=([8.0, -6.0, 9.0],)),
    Row("sin", lambda s, x: s.sin(x), [0.0, 1.0], constants=([0.0, math.pi / 2],), tolerance=1e-5),
    Row(
        "diagonal of a matrix",
        lambda s, x: s.extract_diag(x, 0, 1),
        [1.0, 5.0, 9.0],
        constants=(np.arange(1.0, 10.0).reshape(3, 3),),
    ),
    Row(
        "slice in steps",
        lambda s, x: s.slice(x, SliceConfig([0, 0], [4, 3], [2, 2])),
        [[1.0, 9.0], [3.0, 11.0]],
        constants=(TALL,),
    ),
    Row(
        "slice_axis",
        lambda s, x: s.slice_axis(x, 0, range(1, 3)),
        [[2.0, 5.0, 8.0, 11.0], [3.0, 6.0, 9.0, 12.0]],
        constants=(eager.from_vec_col_major([3, 4], np.arange(1.0, 13.0)),),
    ),
    Row(
        "slice_axis, then take_axis",
        lambda s, x: s.take_axis(s.slice_axis(x, 0, range(2)), 1, [3, 1, 3]),
        [[10.0, 4.0, 10.0], [11.0, 5.0, 11.0]],
        constants=(eager.from_vec_col_major([3, 4], np.arange(1.0, 13.0)),),
    ),
    Row(
        "broadcast_in_dim",
        lambda s, x: s.broadcast_in_dim(x, (3, 2), (0,)),
        [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],
        constants=([1.0, 2.0, 3.0],),
    ),
    Row("transpose", lambda s, x: s.transpose(x, (1, 0)), [[1.0, 2.0], [3.0, 4.0]], (A,), ([[1.0, 1.0], [1.0, 1.0]],)),
    Row(
        "column-major input",
        lambda s, x: s.add(x, x),
        [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]],
        constants=(eager.from_vec_col_major([2, 3], [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),),
    ),
    Row(
        "a product of untracked tensors",
        lambda s, x, y: s.mul(x, y),
        [4.0, 10.0, 18.0],
        constants=([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]),
    ),
    # residuals.rs, multi_input.rs, the guides
    Row("a fourth power", lambda s, x: s.mul(y := s.mul(x, x), y), [16.0, 81.0], ([2.0, 3.0],), ([32.0, 108.0],)),
    Row(
        "a product of two variables",
        lambda s, x, y: s.mul(x, y),
        [10.0, 21.0],
        ([2.0, 3.0], [5.0, 7.0]),
        ([5.0, 7.0], [2.0, 3.0]),
    ),
    Row("reduce_mean", lambda s, x: s.reduce_mean(x, None), 2.5, ([1.0, 2.0, 3.0, 4.0],), ([0.25] * 4,)),
    Row("reduce_max of a tie", lambda s, x: s.reduce_max(x, None), 2.0, ([2.0, 1.0, 2.0],), ([0.5, 0.0, 0.5],)),
    Row("maximum of a tie", lambda s, x, y: s.maximum(x, y), [1.0], ([1.0], [1.0]), ([0.5], [0.5])),
    Row(
        "clamp at its bounds",
        lambda s, x, a, b: s.clamp(x, a, b),
        [0.0, 1.0],
        ([0.0, 1.0], 0.0, 1.0),
        ([0.0, 0.0], 0.0, 0.0),
    ),
    Row("prod with one zero", lambda s, x: s.reduce_prod(x, None), 0.0, ([2.0, 0.0, 5.0],), ([0.0, 10.0, 0.0],)),
    Row("prod with two zeros", lambda s, x: s.reduce_prod(x, None), 0.0, ([0.0, 0.0, 5.0],), ([0.0, 0.0, 0.0],)),
    Row("abs at 0", lambda s, x: s.abs(x), 0.0, (0.0,), (0.0,)),
    Row("pow at 0, by the exponent", lambda s, x, y: s.pow(x, y), 0.0, (0.0, 2.0), (0.0, math.nan)),
    Row("erf", lambda s, x: s.erf(x), [0.0], ([0.0],), ([2 / math.sqrt(math.pi)],), tolerance=1e-15),
    Row(
        "einsum",
        lambda s, a, b: s.einsum([a, b], "ij,jk->ik"),
        [[23.0], [34.0]],
        (A, [[5.0], [6.0]]),
        ([[5.0, 6.0], [5.0, 6.0]], [[3.0], [7.0]]),
    ),
    Row(
        "einsum that embeds a diagonal",
        lambda s, x: s.einsum([x], "i->ii"),
        [[1.0, 0.0], [0.0, 2.0]],
        ([1.0, 2.0],),
        ([1.0, 1.0],),
    ),
    Row("tensordot by count", lambda s, a, b: s.tensordot(a, b, 1), [[23.0], [34.0]], constants=(A, [[5.0], [6.0]])),
]


@pytest.fixture(autouse=True)
def without_numpy_warnings():
    """log(0) is -inf here, in silence."""
    with np.errstate(divide="ignore", invalid="ignore"):
        yield


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_an_operation_gives_upstream_numbers(world, row):
    variables = [world.var(v) for v in row.variables]
    constants = [world.const(c) for c in row.constants]
    out = world.run(row.program, *variables, *constants)
    check = equal if not row.tolerance else lambda a, b: np.testing.assert_allclose(a, b, rtol=0, atol=row.tolerance)
    check(out.value(), row.value)
    assert out.tracks_grad() is bool(variables)
    total = world.total(out)
    for x, gradient in zip(variables, row.gradients):
        found = world.rt.grad_optional(world.engine, total, x)
        if gradient is None:
            assert found is None
        else:
            check(found.value(), gradient)


@pytest.mark.parametrize("row", [row for row in ROWS if row.variables], ids=lambda row: row.name)
def test_backward_fills_the_slots_with_what_grad_returns(world, row):
    variables = [world.var(v) for v in row.variables]
    total = world.total(world.run(row.program, *variables, *[world.const(c) for c in row.constants]))
    found = total.backward(world.engine)
    assert len(found) == sum(g is not None for g in row.gradients)
    for x in variables:
        expected = world.rt.grad_optional(world.engine, total, x)
        if expected is None:
            assert x.grad() is None and x not in found
        else:
            equal(x.grad(), expected.value())
            equal(found[x], expected.value())
