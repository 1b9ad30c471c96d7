"""Products of several tensors, functions of matrices and matrix norms: what samples do not show."""

import numpy as np
import pytest
import torch

import autograd_core as ac

ERRORS = {
    "addmm, a vector for the matrix": lambda T: T.addmm(T.ones(2, 3), T.ones(3), T.ones(3, 3)),
    "addmm, inner axes": lambda T: T.addmm(T.ones(2, 3), T.ones(2, 3), T.ones(2, 3)),
    "addmm, the input too short": lambda T: T.addmm(T.ones(2), T.ones(2, 3), T.ones(3, 3)),
    "addmm, the input too deep": lambda T: T.addmm(T.ones(1, 2, 3), T.ones(2, 3), T.ones(3, 3)),
    "addmm, two dtypes": lambda T: T.addmm(T.ones(2, 3, dtype=T.float64), T.ones(2, 3), T.ones(3, 3)),
    "addmm of bools": lambda T: T.addmm(*[T.ones(2, 2) > 0] * 3),
    "mm of bools": lambda T: T.mm(*[T.ones(2, 2) > 0] * 2),
    "addmv, a matrix for the vector": lambda T: T.addmv(T.ones(2), T.ones(2, 3), T.ones(3, 1)),
    "addmv, inner axes": lambda T: T.addmv(T.ones(2), T.ones(2, 3), T.ones(2)),
    "addbmm, batches": lambda T: T.addbmm(T.ones(2, 2), T.ones(2, 2, 3), T.ones(3, 3, 2)),
    "baddbmm, no batch": lambda T: T.baddbmm(T.ones(2, 2), T.ones(2, 2), T.ones(2, 2, 2)),
    "addmm_, the result of another shape": lambda T: T.ones(3).addmm_(T.ones(2, 3), T.ones(3, 3)),
    "addr, a matrix": lambda T: T.addr(T.ones(2, 2), T.ones(2, 2), T.ones(2)),
    "addr, a fraction for integers": lambda T: T.addr(T.eye(2).long(), *[T.ones(2).long()] * 2, alpha=0.5),
    "cross, no 3": lambda T: T.cross(T.ones(2, 2), T.ones(2, 2)),
    "linalg.cross, ranks": lambda T: T.linalg.cross(T.ones(2, 3), T.ones(3)),
    "linalg.cross, no such axis": lambda T: T.linalg.cross(T.ones(2, 3), T.ones(2, 3), dim=5),
    "linalg.vecdot of integers": lambda T: T.linalg.vecdot(T.arange(2), T.arange(2)),
    "linalg.vecdot, two dtypes": lambda T: T.linalg.vecdot(T.ones(2), T.ones(2, dtype=T.float64)),
    "inner": lambda T: T.inner(T.ones(2), T.ones(3)),
    "tensordot, lengths": lambda T: T.tensordot(T.ones(2, 3), T.ones(2, 3), 1),
    "tensordot, too many": lambda T: T.tensordot(T.ones(2, 3), T.ones(2, 3), 3),
    "tensordot, less than none": lambda T: T.tensordot(T.ones(2, 3), T.ones(2, 3), -1),
    "tensordot, unpaired": lambda T: T.tensordot(T.ones(2, 3), T.ones(2, 3), ([0], [0, 1])),
    "tensordot, an axis twice": lambda T: T.tensordot(T.ones(2, 2), T.ones(2, 2), ([1, 1], [1, 0])),
    "chain_matmul of nothing": lambda T: T.chain_matmul(),
    "chain_matmul, a vector": lambda T: T.chain_matmul(T.ones(2, 2), T.ones(2)),
    "linalg.multi_dot of one": lambda T: T.linalg.multi_dot([T.ones(2, 2)]),
    "linalg.multi_dot, a vector inside": lambda T: T.linalg.multi_dot([T.ones(2, 2), T.ones(2), T.ones(2, 2)]),
    "linalg.multi_dot, sizes": lambda T: T.linalg.multi_dot([T.ones(2, 2), T.ones(3, 2)]),
    "linalg.vander of bools": lambda T: T.linalg.vander(T.ones(2) > 0),
    "linalg.vander, one column": lambda T: T.linalg.vander(T.ones(2), N=1),
    "bilinear, a size": lambda T: T.nn.functional.bilinear(T.ones(2, 3), T.ones(2, 4), T.ones(5, 3, 3)),
    "bilinear, batches": lambda T: T.nn.functional.bilinear(T.ones(2, 3), T.ones(3, 4), T.ones(5, 3, 4)),
    "bilinear, the bias": lambda T: T.nn.functional.bilinear(T.ones(3), T.ones(4), T.ones(5, 3, 4), T.ones(1)),
    "einsum of nothing": lambda T: T.einsum("ij->ij"),
    "matrix_power, a fraction": lambda T: T.matrix_power(T.eye(2), 0.5),
    "matrix_power, not square": lambda T: T.matrix_power(T.ones(2, 3), 2),
    "matrix_exp, not square": lambda T: T.matrix_exp(T.ones(2, 3)),
    "matrix_exp, a vector": lambda T: T.matrix_exp(T.ones(2)),
    "matrix_exp of integers": lambda T: T.matrix_exp(T.eye(2).long()),
    "linalg.householder_product, wide": lambda T: T.linalg.householder_product(T.ones(2, 3), T.ones(2)),
    "linalg.householder_product, dtypes": lambda T: T.linalg.householder_product(
        T.ones(3, 2), T.ones(2, dtype=T.float64)
    ),
    "ormqr, sizes": lambda T: T.ormqr(T.ones(3, 2), T.ones(2), T.ones(2, 3)),
    "linalg.norm, a word for a vector": lambda T: T.linalg.norm(T.ones(3), "nuc"),
    "linalg.norm, an order for a batch": lambda T: T.linalg.norm(T.ones(2, 2, 2), 2),
    "linalg.norm, three axes": lambda T: T.linalg.norm(T.ones(2, 2, 2), dim=(0, 1, 2)),
    "linalg.norm to a narrower type": lambda T: T.linalg.norm(T.ones(2), dtype=T.float16),
    "linalg.matrix_norm, an unknown order": lambda T: T.linalg.matrix_norm(T.eye(2), 3),
    "linalg.matrix_norm, one axis": lambda T: T.linalg.matrix_norm(T.eye(2), dim=(0,)),
    "linalg.matrix_norm, an axis twice": lambda T: T.linalg.matrix_norm(T.eye(2), dim=(0, 0)),
    "linalg.matrix_norm, the least of nothing": lambda T: T.linalg.matrix_norm(T.ones(0, 3), -2),
    "linalg.matrix_norm of integers": lambda T: T.linalg.matrix_norm(T.eye(2).long(), dtype=T.float32),
    "norm, an unknown word": lambda T: T.norm(T.eye(2), "spectral"),
    "linalg.cond, an unknown order": lambda T: T.linalg.cond(T.eye(2), 3),
    "linalg.cond, not square": lambda T: T.linalg.cond(T.ones(2, 3), 1),
    "linalg.tensorinv, ind 0": lambda T: T.linalg.tensorinv(T.ones(2, 3, 6), 0),
    "linalg.tensorinv, not square": lambda T: T.linalg.tensorinv(T.ones(2, 3, 5)),
    "linalg.tensorsolve, not square": lambda T: T.linalg.tensorsolve(T.ones(2, 3, 5), T.ones(2, 3)),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_of_torch_s_type(name):
    with pytest.raises(Exception) as wanted:
        ERRORS[name](torch)
    with pytest.raises(type(wanted.value)):
        ERRORS[name](ac)


def test_a_chain_is_multiplied_in_the_cheapest_order():
    shapes = []

    def note(tensor):
        shapes.append(tuple(tensor.shape))
        return tensor

    factors = [ac.ones(*shape, requires_grad=True) for shape in ((50, 2), (2, 60), (60, 3), (3, 40))]
    with ac.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        ac.linalg.multi_dot(factors)
    assert (2, 3) in shapes and (50, 60) not in shapes and (60, 40) not in shapes


def test_the_gradient_of_matrix_exp_is_as_precise_for_a_large_cotangent():
    rng = np.random.default_rng(3)
    x = ac.tensor(rng.normal(size=(2, 4, 4)), requires_grad=True)
    g = rng.normal(size=(2, 4, 4))
    small, large = (ac.autograd.grad(ac.matrix_exp(x), x, ac.tensor(g * 2.0**k))[0].numpy() for k in (0, 40))
    np.testing.assert_array_equal(large, small * 2.0**40)


def test_matrix_exp_of_a_matrix_with_nan_is_nan_and_leaves_its_neighbors():
    x = ac.eye(2).repeat(3, 1, 1)
    x[1, 0, 0] = ac.nan
    finite = ac.matrix_exp(x).isfinite().all(-1).all(-1)
    assert finite.tolist() == [True, False, True]


def test_matrix_exp_of_float16_does_not_overflow_on_the_way():
    out = ac.matrix_exp(ac.eye(2, dtype=ac.float16))
    assert out.dtype == ac.float16
    np.testing.assert_allclose(out.numpy(), np.e * np.eye(2), rtol=1e-3)


def test_the_condition_number_of_a_singular_matrix_is_infinite():
    assert ac.linalg.cond(ac.ones(2, 2), 1) == ac.inf
    assert ac.linalg.cond(ac.zeros(0, 0)) == 0


def test_a_singular_matrix_has_no_negative_power():
    with pytest.raises(ac.linalg.LinAlgError, match="singular"):
        ac.matrix_power(ac.zeros(2, 2), -1)


@pytest.mark.parametrize("p", ["fro", "nuc", 1, 2])
def test_the_subgradient_of_a_matrix_norm_at_zero_is_that_of_torch(p):
    def gradient(T):
        x = T.zeros(3, 2, requires_grad=True)
        return T.autograd.grad(T.linalg.matrix_norm(x, p), x)[0].numpy()

    np.testing.assert_allclose(gradient(ac), gradient(torch))
