"""Samples of `linalg.systems`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(41)


def normal(*shape):
    return rng.standard_normal(shape)


SQUARE = normal(3, 3) + 2 * np.eye(3)
BATCH = normal(2, 3, 3) + 2 * np.eye(3)
TALL = normal(4, 2)
WIDE = normal(2, 4)
EMPTY = np.zeros((0, 2, 2))
RANK1 = np.outer([1.0, 2.0, 3.0], [1.0, -1.0])
B = normal(3, 2)


def symmetric(A):
    return A + A.mT


def with_factors(T, A, B, **how):
    return T.linalg.lu_solve(*T.linalg.lu_factor(A), B, **how)


SAMPLES = [
    *(
        Sample(f"pinv, {case}", lambda T, A: T.linalg.pinv(A), (A,))
        for case, A in {"square": SQUARE, "tall": TALL, "wide": WIDE, "batch": BATCH, "no matrix": EMPTY}.items()
    ),
    Sample("pinv, of rank 1", lambda T, A: T.linalg.pinv(A), (RANK1,), smooth=False),
    Sample("pinv, hermitian", lambda T, A: T.linalg.pinv(symmetric(A), hermitian=True), (SQUARE,)),
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
    Sample(
        "linalg.tensorsolve, dims",
        lambda T, a, b: T.linalg.tensorsolve(a, b, (0, 2)),
        (normal(2, 3, 3, 2), normal(3, 2)),
    ),
]
