"""Decompositions and solutions where there is none, where PyTorch's gradient is not the derivative, and without it."""

import numpy as np
import pytest
import torch

import autograd_core as ac

SINGULAR = [[[2.0, 0.0], [0.0, 2.0]], [[1.0, 2.0], [2.0, 4.0]]]
INDEFINITE = [[[2.0, 0.0], [0.0, 2.0]], [[1.0, 2.0], [2.0, 1.0]]]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda T: T.linalg.inv(T.tensor(SINGULAR)),
            r"linalg.inv: \(Batch element 1\): The diagonal element 2 is zero",
        ),
        (
            lambda T: T.linalg.inv_ex(T.tensor(SINGULAR), check_errors=True),
            r"\(Batch element 1\): The diagonal element",
        ),
        (lambda T: T.linalg.solve(T.tensor(SINGULAR), T.ones(2, 2)), r"linalg.solve: \(Batch element 1\): The solver"),
        (
            lambda T: T.linalg.solve_ex(T.tensor(SINGULAR), T.ones(2, 2), check_errors=True),
            r"the input matrix is singular",
        ),
        (
            lambda T: T.linalg.cholesky(T.tensor(INDEFINITE)),
            r"\(Batch element 1\): .* minor of order 2 is not positive",
        ),
        (lambda T: T.cholesky(T.tensor(INDEFINITE[1])), r"cholesky: The factorization .* minor of order 2"),
        (lambda T: T.linalg.cholesky(T.full((2, 2), float("nan"))), r"leading minor of order 1 is not positive"),
        (lambda T: T.linalg.svd(T.full((2, 2), float("nan"))), "contained non-finite values"),
        (lambda T: T.linalg.svdvals(T.full((2, 2), float("nan"))), "contained non-finite values"),
    ],
)
@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
def test_a_matrix_without_a_result_is_named(T, call, words):
    with pytest.raises(T.linalg.LinAlgError, match=words):
        call(T)


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
@pytest.mark.parametrize(
    "call",
    [
        lambda T: T.linalg.inv(T.ones(2, 3)),
        lambda T: T.linalg.inv(T.ones(2)),
        lambda T: T.linalg.det(T.ones(2, 2, dtype=T.int32)),
        lambda T: T.linalg.qr(T.ones(2, 2, dtype=T.float16)),
        lambda T: T.linalg.qr(T.ones(2, 2), "thin"),
        lambda T: T.linalg.eigh(T.ones(2, 2), "X"),
        lambda T: T.linalg.solve(T.eye(2), T.ones(3, 1)),
        lambda T: T.linalg.solve(T.eye(2), T.ones(2, dtype=T.float64)),
        lambda T: T.linalg.solve(T.eye(2), T.ones(2), left=False),
        lambda T: T.linalg.solve_triangular(T.ones(3, 2, 2), T.ones(2, 2, 1), upper=True),
        lambda T: T.linalg.lu(T.eye(2), pivot=False),
        lambda T: T.linalg.lu_factor(T.ones(2, 2)),
        lambda T: T.lu_unpack(T.eye(2), T.tensor([1, 2])),
        lambda T: T.lu_unpack(T.eye(2), T.tensor([1, 3], dtype=T.int32)),
        lambda T: T.linalg.svd(T.eye(2), driver="gesvd"),
        lambda T: T.linalg.lstsq(T.ones(3, 2), T.ones(4)),
        lambda T: T.linalg.lstsq(T.ones(3, 2), T.ones(3), driver="qr"),
        lambda T: T.linalg.lstsq(T.ones(3, 2), T.ones(3, 1, 1)),
        lambda T: T.linalg.qr(T.ones(3, 2, requires_grad=True), "r").R.sum().backward(),
        lambda T: T.linalg.qr(T.ones(3, 2, requires_grad=True), "complete").R.sum().backward(),
    ],
)
def test_what_does_not_fit_is_refused(T, call):
    with pytest.raises(RuntimeError):
        call(T)


def test_only_the_element_that_fails_is_lost():
    L, info = ac.linalg.cholesky_ex(ac.tensor(INDEFINITE))
    assert info.tolist() == [0, 2] and ac.allclose(L[0] @ L[0].mT, ac.tensor(INDEFINITE[0])) and L[1].isnan().all()
    inverse, info = ac.linalg.inv_ex(ac.tensor(SINGULAR))
    assert info.tolist() == [0, 2] and inverse[0].tolist() == [[0.5, 0.0], [0.0, 0.5]]


@pytest.mark.parametrize("A", [[[1.0, 1.0], [1.0, 1.0]], [[0.0]], [[1.0, 2.0], [2.0, 4.0]]])
def test_the_gradient_of_a_determinant_of_zero_is_the_cofactors(A):
    x = ac.tensor(A, dtype=ac.float64, requires_grad=True)
    assert ac.autograd.gradcheck(ac.linalg.det, [x])
    assert ac.autograd.gradgradcheck(ac.linalg.det, [x])


def test_a_batch_with_singular_and_regular_matrices_has_both_gradients():
    x = ac.tensor([np.eye(2).tolist(), [[1.0, 1.0], [1.0, 1.0]]], dtype=ac.float64, requires_grad=True)
    assert ac.autograd.gradcheck(ac.linalg.det, [x])
    assert ac.autograd.gradgradcheck(ac.linalg.det, [x])


@pytest.mark.parametrize("upper", [False, True])
def test_the_tangent_of_cholesky_inverse_is_its_derivative(upper):
    seed = 5
    print(f"numpy seed {seed}")
    triangle = np.triu if upper else np.tril
    L = triangle(np.random.default_rng(seed).normal(size=(3, 3)) + 3 * np.eye(3))
    direction = triangle(np.ones((3, 3)))
    _, tangent = ac.func.jvp(lambda x: ac.cholesky_inverse(x, upper), (ac.from_numpy(L),), (ac.from_numpy(direction),))
    ahead, behind = (ac.cholesky_inverse(ac.from_numpy(L + h * direction), upper).numpy() for h in (1e-6, -1e-6))
    np.testing.assert_allclose(tangent.numpy(), (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-8)


def test_values_without_vectors_are_the_same():
    A = ac.tensor([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]], dtype=ac.float64)
    tracked = A.clone().requires_grad_()
    assert ac.allclose(ac.linalg.svdvals(A), ac.linalg.svdvals(tracked), rtol=1e-12)
    assert ac.allclose(ac.linalg.eigvalsh(A.mT @ A), ac.linalg.eigvalsh(tracked.mT @ tracked), rtol=1e-12)
