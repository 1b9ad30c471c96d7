"""Samples of `ops.linear_algebra.einstein_sums`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(6)


def normal(*shape):
    return rng.standard_normal(shape)


V = normal(3)
W = normal(3)
M = normal(2, 3)
N = normal(3, 4)
BATCH = normal(2, 4, 3)
OTHER = normal(2, 3, 2)
SQUARE = normal(3, 3)
EQUATIONS = {
    "ij,jk->ik": (M, N),
    "ij,jk": (M, N),
    "ij,kj->ki": (M, normal(4, 3)),
    "i,i->": (V, W),
    "i,i": (V, W),
    "i,j->ij": (V, W),
    "i,i->i": (V, W),
    "ij,ij->i": (M, normal(2, 3)),
    "ij->ji": (M,),
    "ij->": (M,),
    "ij->j": (M,),
    "ba": (M,),
    "ii->i": (SQUARE,),
    "ii": (SQUARE,),
    "ii,i->i": (SQUARE, V),
    "iij->j": (normal(2, 2, 3),),
    "iii->i": (normal(2, 2, 2),),
    "i->": (V,),
    "bij,bjk->bik": (BATCH, OTHER),
    "bij,bjk->ki": (BATCH, OTHER),
    "...ij->...ji": (BATCH,),
    "...ij,...jk": (normal(5, 1, 2, 3), normal(2, 3, 2)),
    "...i,i->...": (BATCH, V),
    "i...->...": (BATCH,),
    "ij,jk,kl->il": (M, N, normal(4, 2)),
    "i,ij,j": (normal(2), M, V),
    "ij,kj->ik": (M, normal(4, 1)),
    "a,b->": (V, normal(2)),
    "i,->i": (V, np.array(2.0)),
}

SAMPLES = [
    *[Sample(f"einsum {eq}", lambda T, *xs, eq=eq: T.einsum(eq, *xs), xs) for eq, xs in EQUATIONS.items()],
    Sample("einsum list", lambda T, x, y: T.einsum("ij, jk -> ik", [x, y]), (M, N)),
    Sample("einsum by lists", lambda T, x, y: T.einsum(x, [..., 0, 1], y, [1, 2], [2, ..., 0]), (BATCH, N)),
]
