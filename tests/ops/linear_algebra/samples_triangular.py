"""Samples of `ops.linear_algebra.triangular`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(41)


def normal(*shape):
    return rng.standard_normal(shape)


SQUARE = normal(3, 3) + 2 * np.eye(3)
LARGE = normal(20, 20) + 8 * np.eye(20)  # larger than a block of substitution and of elimination
B = normal(3, 2)


def triangular_solve(T, b, A, transpose):
    return list(T.triangular_solve(b, A, transpose=transpose))


SAMPLES = [
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
]
