"""Samples of `linalg.decompositions`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(41)


def normal(*shape):
    return rng.standard_normal(shape)


SQUARE = normal(3, 3) + 2 * np.eye(3)
BATCH = normal(2, 3, 3) + 2 * np.eye(3)
TALL = normal(4, 2)
WIDE = normal(2, 4)
ZEROS = np.zeros((2, 2))
NONE = np.zeros((0, 0))
EMPTY = np.zeros((0, 2, 2))
LARGE = normal(20, 20) + 8 * np.eye(20)  # larger than a block of substitution and of elimination
SHIFT = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [4.0, 0.0, 1.0]])  # needs every exchange of rows


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


SAMPLES = [
    *(
        Sample(f"{name}, {case}", f, (A,))
        for name, f in {
            "singular vectors": reconstructed,
            "qr": both_of_qr,
            "lu": lambda T, A: list(T.linalg.lu(A)),
            "lu_factor": lambda T, A: list(T.linalg.lu_factor_ex(A)),
        }.items()
        for case, A in {"square": SQUARE, "tall": TALL, "wide": WIDE, "batch": BATCH, "no matrix": EMPTY}.items()
    ),
    *(
        Sample(f"{name}, {case}", f, (A,))
        for name, f in {
            "cholesky": lambda T, A: T.linalg.cholesky(A @ A.mT),
            "cholesky upper": lambda T, A: T.linalg.cholesky(A @ A.mT, upper=True),
            "eigh": of_eigenvectors,
        }.items()
        for case, A in {"square": SQUARE, "batch": BATCH, "no size": NONE, "1 by 1": np.array([[-2.0]])}.items()
    ),
    *(Sample(f"svd, all of both, {case}", whole_svd, (A,)) for case, A in {"tall": TALL, "wide": WIDE}.items()),
    Sample("qr complete, wide", lambda T, A: T.linalg.qr(A, "complete").R, (WIDE,)),
    Sample("lu, exchanges", lambda T, A: list(T.linalg.lu(A)), (SHIFT,)),
    Sample("lu, past a block", lambda T, A: list(T.linalg.lu(A)), (LARGE,)),
    Sample("lu, past a block, wide", lambda T, A: list(T.linalg.lu(A)), (LARGE[:12],)),
    Sample("lu, past a block, tall", lambda T, A: list(T.linalg.lu(A)), (LARGE[:, :12],)),
    Sample("lu_factor_ex, singular", lambda T, A: T.linalg.lu_factor_ex(A)[2], (np.stack([ZEROS, SHIFT[:2, 1:]]),)),
]
