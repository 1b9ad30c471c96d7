"""Samples of products of vectors and matrices, Einstein sums, and softmax."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(6)


def normal(*shape):
    return rng.standard_normal(shape)


V, W = normal(3), normal(3)
M, N = normal(2, 3), normal(3, 4)
BATCH, OTHER = normal(2, 4, 3), normal(2, 3, 2)
SQUARE = normal(3, 3)

RANKS = {
    "1-1": (V, W),
    "2-1": (M, V),
    "1-2": (V, N),
    "2-2": (M, N),
    "3-1": (BATCH, V),
    "1-3": (V, OTHER),
    "3-2": (BATCH, N),
    "2-3": (normal(4, 3), OTHER),
    "3-3": (BATCH, OTHER),
    "broadcast": (normal(5, 1, 2, 3), normal(2, 3, 2)),
    "4-1": (normal(2, 1, 2, 3), V),
    "size 1": (normal(1, 1), normal(1, 2)),
    "no rows": (np.zeros((0, 3)), N),
    "no inner": (np.zeros((2, 0)), np.zeros((0, 3))),
    "no batch": (np.zeros((0, 2, 3)), N),
    "no inner, batch": (np.zeros((2, 3, 0)), np.zeros((0, 4))),
    "no inner, vector": (np.zeros((2, 3, 0)), np.zeros(0)),
}

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
    *[Sample(f"matmul {name}", lambda T, x, y: T.matmul(x, y), pair) for name, pair in RANKS.items()],
    Sample("@", lambda T, x, y: x @ y, (M, N)),
    Sample("matmul of one", lambda T, x: x @ x, (SQUARE,)),
    Sample("matmul int", lambda T, m, n: m @ n, (np.arange(6).reshape(2, 3), np.arange(3)), grad=False),
    Sample("mm", lambda T, x, y: x.mm(y), (M, N)),
    Sample("bmm", lambda T, x, y: T.bmm(x, y), (BATCH, OTHER)),
    Sample("mv", lambda T, x, y: x.mv(y), (M, V)),
    Sample("dot", lambda T, x, y: T.dot(x, y), (V, W)),
    Sample("outer", lambda T, x, y: T.outer(x, y), (V, normal(2))),
    *[Sample(f"einsum {eq}", lambda T, *xs, eq=eq: T.einsum(eq, *xs), xs) for eq, xs in EQUATIONS.items()],
    Sample("einsum list", lambda T, x, y: T.einsum("ij, jk -> ik", [x, y]), (M, N)),
    Sample("linear", lambda T, x, w, b: T.nn.functional.linear(x, w, b), (M, normal(4, 3), normal(4))),
    Sample("linear without bias", lambda T, x, w: T.nn.functional.linear(x, w), (M, normal(4, 3))),
    Sample("linear vector", lambda T, x, w, b: T.nn.functional.linear(x, w, b), (V, normal(4, 3), normal(4))),
    Sample("linear batch", lambda T, x, w, b: T.nn.functional.linear(x, w, bias=b), (BATCH, normal(2, 3), normal(2))),
    Sample(
        "linear empty", lambda T, x, w, b: T.nn.functional.linear(x, w, b), (np.zeros((0, 3)), normal(2, 3), normal(2))
    ),
    *[
        sample
        for f in ("softmax", "log_softmax")
        for sample in (
            Sample(f, lambda T, x, f=f: getattr(T, f)(x, 1), (BATCH,)),
            Sample(f"{f} negative dim", lambda T, x, f=f: getattr(x, f)(dim=-1), (BATCH,)),
            Sample(f"{f} 0-d", lambda T, x, f=f: getattr(x, f)(0), (np.array(2.0),)),
            Sample(f"{f} empty", lambda T, x, f=f: getattr(x, f)(0), (np.zeros((0, 2)),)),
            Sample(f"{f} size 1", lambda T, x, f=f: getattr(x, f)(0), (normal(1, 2),)),
            Sample(f"{f} large", lambda T, x, f=f: getattr(x, f)(0), (np.array([1000.0, 999.0, -1000.0]),)),
            Sample(f"{f} dtype", lambda T, x, f=f: getattr(x, f)(0, dtype=T.float64), (M,)),
            Sample(f"{f} int", lambda T, n, f=f: getattr(n, f)(0, dtype=T.float64), (np.arange(3),), grad=False),
            Sample(
                f"{f} -inf", lambda T, x, f=f: getattr(x, f)(0), (np.array([-np.inf, 1.0]),), smooth=False, second=False
            ),
        )
    ],
]
