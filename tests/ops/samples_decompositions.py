"""Samples of decompositions, determinants, inverses and solutions: sizes past a block, batches, empty, singular."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(41)


def normal(*shape):
    return rng.standard_normal(shape)


def definite(*shape):
    A = normal(*shape)
    return A @ A.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])


SQUARE, BATCH, TALL, WIDE = normal(3, 3) + 2 * np.eye(3), normal(2, 3, 3) + 2 * np.eye(3), normal(4, 2), normal(2, 4)
ZEROS, NONE, EMPTY = np.zeros((2, 2)), np.zeros((0, 0)), np.zeros((0, 2, 2))
LARGE = normal(20, 20) + 8 * np.eye(20)  # larger than a block of substitution and of elimination
SHIFT = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [4.0, 0.0, 1.0]])  # needs every exchange of rows
RANK1 = np.outer([1.0, 2.0, 3.0], [1.0, -1.0])
B = normal(3, 2)


def symmetric(A):
    return A + A.mT


def reconstructed(T, A):
    U, S, Vh = T.linalg.svd(A, full_matrices=False)
    return (U @ (S.sqrt().unsqueeze(-1) * Vh)).sin()  # the signs of U and Vh cancel before anything is saved


def whole_svd(T, A):
    U, S, Vh = T.linalg.svd(A)
    k = S.shape[-1]
    return S, abs(U[..., :k]), abs(Vh[..., :k, :])


def of_eigenvectors(T, A):
    values, V = T.linalg.eigh(symmetric(A))
    return values, V @ (values.sin().unsqueeze(-1) * V.mT)


def both_of_qr(T, A):
    Q, R = T.linalg.qr(A)
    return Q, R


def with_factors(T, A, B, **how):
    return T.linalg.lu_solve(*T.linalg.lu_factor(A), B, **how)


def triangular_solve(T, b, A, transpose):
    return list(T.triangular_solve(b, A, transpose=transpose))


SAMPLES = [
    *(
        Sample(f"{name}, {case}", f, (A,))
        for name, f in {
            "svdvals": lambda T, A: T.linalg.svdvals(A),
            "singular vectors": reconstructed,
            "qr": both_of_qr,
            "lu": lambda T, A: list(T.linalg.lu(A)),
            "lu_factor": lambda T, A: list(T.linalg.lu_factor_ex(A)),
            "pinv": lambda T, A: T.linalg.pinv(A),
        }.items()
        for case, A in {"square": SQUARE, "tall": TALL, "wide": WIDE, "batch": BATCH, "no matrix": EMPTY}.items()
    ),
    *(
        Sample(f"{name}, {case}", f, (A,))
        for name, f in {
            "det": lambda T, A: T.linalg.det(A),
            "slogdet": lambda T, A: T.linalg.slogdet(A)[1],
            "inv": lambda T, A: T.linalg.inv(A),
            "cholesky": lambda T, A: T.linalg.cholesky(A @ A.mT),
            "cholesky upper": lambda T, A: T.linalg.cholesky(A @ A.mT, upper=True),
            "eigh": of_eigenvectors,
        }.items()
        for case, A in {"square": SQUARE, "batch": BATCH, "no size": NONE, "1 by 1": np.array([[-2.0]])}.items()
    ),
    *(Sample(f"svd, all of both, {case}", whole_svd, (A,)) for case, A in {"tall": TALL, "wide": WIDE}.items()),
    Sample("svdvals, equal ones", lambda T, A: T.linalg.svdvals(A), (2 * np.eye(2),), second=False, smooth=False),
    Sample("qr complete, wide", lambda T, A: T.linalg.qr(A, "complete").R, (WIDE,)),
    Sample("lu, exchanges", lambda T, A: list(T.linalg.lu(A)), (SHIFT,)),
    Sample("lu, past a block", lambda T, A: list(T.linalg.lu(A)), (LARGE,)),
    Sample("lu, past a block, wide", lambda T, A: list(T.linalg.lu(A)), (LARGE[:12],)),
    Sample("lu, past a block, tall", lambda T, A: list(T.linalg.lu(A)), (LARGE[:, :12],)),
    Sample("lu_factor_ex, singular", lambda T, A: T.linalg.lu_factor_ex(A)[2], (np.stack([ZEROS, SHIFT[:2, 1:]]),)),
    Sample("det, of zeros", lambda T, A: T.linalg.det(A), (ZEROS,), second=False),
    Sample("det, negative", lambda T, A: T.det(A), (SQUARE[[1, 0, 2]],)),
    Sample("logdet, positive", lambda T, A: T.logdet(A @ A.mT), (SQUARE,)),
    Sample("pinv, of rank 1", lambda T, A: T.linalg.pinv(A), (RANK1,), smooth=False),
    Sample("pinv, hermitian", lambda T, A: T.linalg.pinv(symmetric(A), hermitian=True), (SQUARE,)),
    Sample("pinverse", lambda T, A: T.pinverse(A), (TALL,)),
    Sample("matrix_rank, tolerance of each", lambda T, A, tol: T.linalg.matrix_rank(A, atol=tol), (BATCH, np.ones(2))),
    Sample("matrix_rank, of rank 1", lambda T, A: T.linalg.matrix_rank(A), (RANK1,)),
    *(
        Sample(f"{name}, {case}", f, (A, b))
        for name, f in {
            "solve": lambda T, A, b: T.linalg.solve(A, b),
            "lstsq": lambda T, A, b: T.linalg.lstsq(A, b).solution,
        }.items()
        for case, (A, b) in {
            "matrix": (SQUARE, B),
            "vector": (SQUARE, normal(3)),
            "vectors": (BATCH, normal(2, 3)),
            "batch": (BATCH, normal(2, 3, 1)),
        }.items()
    ),
    Sample("solve, broadcast", lambda T, A, b: T.linalg.solve(A, b), (BATCH[:, None], B)),
    Sample("solve, one vector for all", lambda T, A, b: T.linalg.solve(A, b), (BATCH, normal(3))),
    Sample("solve, right", lambda T, A, b: T.linalg.solve(A, b, left=False), (SQUARE, B.T)),
    Sample("lstsq, tall", lambda T, A, b: T.linalg.lstsq(A, b).solution, (TALL, normal(4, 2))),
    Sample("lstsq, wide", lambda T, A, b: T.linalg.lstsq(A, b, driver="gelsd").solution, (WIDE, normal(2, 2))),
    Sample("lstsq, residuals", lambda T, A, b: T.linalg.lstsq(A, b, driver="gelsd")[1], (TALL, normal(4, 2))),
    Sample("lstsq, residuals of vector", lambda T, A, b: T.linalg.lstsq(A, b, driver="gelss")[1], (TALL, normal(4))),
    *(
        Sample(
            f"solve_triangular, upper={upper}, left={left}, unitriangular={unit}",
            lambda T, A, b, upper=upper, left=left, unit=unit: T.linalg.solve_triangular(
                A, b, upper=upper, left=left, unitriangular=unit
            ),
            (SQUARE, B if left else B.T),
        )
        for upper in (False, True)
        for left in (False, True)
        for unit in (False, True)
    ),
    Sample(
        "solve_triangular, past a block, broadcast",
        lambda T, A, b: T.linalg.solve_triangular(A, b, upper=True),
        (LARGE, normal(2, 20, 1)),
    ),
    *(
        Sample(
            f"triangular_solve, transpose={transpose}",
            lambda T, b, A, transpose=transpose: triangular_solve(T, b, A, transpose),
            (B, SQUARE),
        )
        for transpose in (False, True)
    ),
    *(
        Sample(f"lu_solve, left={left}, adjoint={adjoint}", with_factors, (SQUARE, B if left else B.T))
        if left and not adjoint
        else Sample(
            f"lu_solve, left={left}, adjoint={adjoint}",
            lambda T, A, b, left=left, adjoint=adjoint: with_factors(T, A, b, left=left, adjoint=adjoint),
            (SQUARE, B if left else B.T),
        )
        for left in (True, False)
        for adjoint in (False, True)
    ),
    *(
        Sample(
            f"cholesky_solve, upper={upper}",
            lambda T, b, A, upper=upper: T.cholesky_solve(b, T.linalg.cholesky(A @ A.mT, upper=upper), upper),
            (B, SQUARE),
        )
        for upper in (False, True)
    ),
    *(
        Sample(
            f"cholesky_inverse, upper={upper}",
            lambda T, A, upper=upper: T.cholesky_inverse(T.linalg.cholesky(A @ A.mT, upper=upper), upper),
            (SQUARE,),
        )
        for upper in (False, True)
    ),
    Sample("geqrf", lambda T, A: list(T.geqrf(A)), (TALL,), grad=False),
]
