"""Samples of sums with products, tensor products, matrix functions, reflections and matrix norms."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)


def normal(*shape):
    return rng.standard_normal(shape)


def single(*shape):
    return normal(*shape).astype(np.float32)


M, N, SQUARE = normal(2, 3), normal(3, 4), normal(3, 3)
BATCH, OTHER = normal(2, 4, 3), normal(2, 3, 2)
NAN = np.full((2, 4), np.nan)
SUMS = {
    "addmm": (normal(2, 4), M, N),
    "addmv": (normal(2), M, normal(3)),
    "addbmm": (normal(4, 2), BATCH, OTHER),
    "baddbmm": (normal(2, 4, 2), BATCH, OTHER),
    "addr": (normal(3, 2), normal(3), normal(2)),
}
MIXED = np.stack([np.zeros((3, 3)), np.triu(normal(3, 3), 1), 0.01 * SQUARE, 12.0 * SQUARE])
TAU = np.array([0.7, 0.0, 1.3])
TIES = np.array([[1.0, -1.0], [-2.0, 2.0]])

SAMPLES = [
    *(
        Sample(f"{name}, scaled", lambda T, x, a, b, f=name: getattr(T, f)(x, a, b, beta=0.5, alpha=-2), arguments)
        for name, arguments in SUMS.items()
    ),
    *(
        Sample(f"{name}_", lambda T, x, a, b, f=name: getattr(x * 1, f + "_")(a, b, alpha=3), arguments)
        for name, arguments in SUMS.items()
    ),
    Sample("addmm, a row added", lambda T, x, a, b: T.addmm(x, a, b), (normal(4), M, N)),
    Sample("addmm, a number added", lambda T, x, a, b: T.addmm(x, a, b), (np.array(2.0), M, N)),
    Sample("addmm, beta 0 of nan", lambda T, x, a, b: T.addmm(x, a, b, beta=0), (NAN, M, N), smooth=False),
    Sample("addmm, no inner", lambda T, x, a, b: T.addmm(x, a, b), (normal(2, 4), np.zeros((2, 0)), np.zeros((0, 4)))),
    Sample(
        "addmm of float32",
        lambda T, x, a, b: T.addmm(x, a, b, alpha=0.3),
        (single(2, 4), single(2, 3), single(3, 4)),
        smooth=False,
    ),
    Sample("addmm of integers", lambda T, x, a, b: T.addmm(x, a, b, beta=2.9), (np.eye(2, dtype=int),) * 3, grad=False),
    Sample(
        "addbmm, no batch",
        lambda T, x, a, b: T.addbmm(x, a, b),
        (normal(2, 2), np.zeros((0, 2, 3)), np.zeros((0, 3, 2))),
    ),
    Sample(
        "addr, promoted", lambda T, x, a, b: T.addr(x, a, b), (np.ones((2, 2), int), normal(2), single(2)), grad=False
    ),
    Sample(
        "addr of bools",
        lambda T, x, a, b: T.addr(x, a, b),
        (np.eye(2) > 0, np.arange(2) > 0, np.ones(2) > 0),
        grad=False,
    ),
    Sample("vdot", lambda T, x, y: T.vdot(x, y), (normal(3), normal(3))),
    Sample("ger", lambda T, x, y: T.ger(x, y), (normal(3), normal(2))),
    Sample("cross", lambda T, x, y: T.linalg.cross(x, y), (normal(2, 3), normal(2, 3))),
    Sample(
        "cross, the first axis of 3",
        lambda T, x, y: T.cross(x, y),
        (normal(2, 3, 3), normal(2, 3, 3)),
        torch_f=lambda T, x, y: T.cross(x, y, dim=1),  # PyTorch warns where the axis is left out
    ),
    Sample("cross, broadcast", lambda T, x, y: T.linalg.cross(x, y, dim=0), (normal(3, 1, 2), normal(3, 4, 1))),
    Sample(
        "linalg.vecdot, broadcast", lambda T, x, y: T.linalg.vecdot(x, y, dim=0), (normal(3, 1, 2), normal(3, 4, 1))
    ),
    Sample("kron, ranks", lambda T, x, y: T.kron(x, y), (M, normal(2))),
    Sample("kron of a number", lambda T, x, y: T.kron(x, y), (np.array(3.0), M)),
    Sample("inner", lambda T, x, y: T.inner(x, y), (BATCH, M)),
    Sample("inner with a number", lambda T, x, y: T.inner(x, y), (M, np.array(2.0))),
    Sample("tensordot, no axes", lambda T, x, y: T.tensordot(x, y, 0), (normal(2), M)),
    Sample("tensordot, all axes", lambda T, x, y: T.tensordot(x, y), (M, normal(2, 3))),
    Sample("tensordot, crossed", lambda T, x, y: T.tensordot(x, y, ([0, -1], [2, 1])), (BATCH, normal(5, 3, 2))),
    Sample("tensordot, a stretched axis", lambda T, x, y: T.tensordot(x, y, ([1], [0])), (M, normal(1, 4))),
    Sample("linalg.multi_dot", lambda T, *xs: T.linalg.multi_dot(xs), (M, N, normal(4, 1), normal(1, 5))),
    Sample("linalg.multi_dot of vectors", lambda T, *xs: T.linalg.multi_dot(xs), (normal(3), N, normal(4))),
    Sample(
        "chain_matmul",
        lambda T, *xs: T.chain_matmul(*xs),
        (M, N, normal(4, 2)),
        torch_f=lambda T, *xs: T.linalg.multi_dot(xs),
    ),
    Sample("linalg.vander with 0", lambda T, x: T.linalg.vander(x, N=4), (np.array([0.0, 2.0, -1.0]),)),
    Sample(
        "bilinear",
        lambda T, *xs: T.nn.functional.bilinear(*xs),
        (normal(2, 2, 3), normal(2, 2, 4), normal(5, 3, 4), normal(5)),
    ),
    Sample(
        "bilinear of vectors", lambda T, *xs: T.nn.functional.bilinear(*xs), (normal(3), normal(4), normal(5, 3, 4))
    ),
    Sample("einsum by lists", lambda T, x, y: T.einsum(x, [..., 0, 1], y, [1, 2], [2, ..., 0]), (BATCH, N)),
    Sample("matrix_exp, nothing", lambda T, x: T.matrix_exp(x), (np.zeros((0, 3, 3)),)),
    Sample("matrix_exp of float32", lambda T, x: T.linalg.matrix_exp(x), (single(2, 2),), smooth=False),
    Sample("matrix_exp, sizes mixed", lambda T, x: T.matrix_exp(x[:3]), (MIXED,)),
    Sample("matrix_exp, large", lambda T, x: T.matrix_exp(x), (MIXED[3:],), second=False, smooth=False),
    *(Sample(f"matrix_power {n}", lambda T, x, n=n: T.matrix_power(x, n), (SQUARE,)) for n in (0, 1, 2, 3, 6, -1, -2)),
    Sample("matrix_power of integers", lambda T, x: T.matrix_power(x, 5), (np.array([[1, 1], [1, 0]]),), grad=False),
    Sample("linalg.householder_product", lambda T, x, t: T.linalg.householder_product(x, t), (normal(4, 3), TAU)),
    Sample(
        "linalg.householder_product, few",
        lambda T, x, t: T.linalg.householder_product(x, t),
        (normal(2, 4, 3), normal(2, 1)),
    ),
    Sample("ormqr", lambda T, x, t, y: T.ormqr(x, t, y, False, True), (normal(4, 3), TAU, normal(2, 4))),
    *(
        Sample(f"linalg.matrix_norm {p}", lambda T, x, p=p: T.linalg.matrix_norm(x, p, (2, 0), keepdim=True), (BATCH,))
        for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)
    ),
    Sample(
        "linalg.matrix_norm at ties",
        lambda T, x: (T.linalg.matrix_norm(x, 1), T.linalg.matrix_norm(x, -np.inf)),
        (TIES,),
        smooth=False,
    ),
    Sample(
        "linalg.matrix_norm of no columns",
        lambda T, x: (T.linalg.matrix_norm(x, 1), T.linalg.matrix_norm(x, 2)),
        (np.zeros((2, 0)),),
        grad=False,
    ),
    Sample("norm nuc", lambda T, x: T.norm(x, "nuc", (1, 2)), (BATCH,)),
    *(Sample(f"linalg.cond {p}", lambda T, x, p=p: T.linalg.cond(x, p), (SQUARE,)) for p in (None, -2)),
    *(
        Sample(
            f"linalg.cond {p}",
            lambda T, x, p=p: T.linalg.cond(x, p),
            (SQUARE,),
            # PyTorch's own has no gradient: it writes into the inverse, which is saved
            torch_f=lambda T, x, p=p: T.linalg.matrix_norm(x, p) * T.linalg.matrix_norm(T.linalg.inv(x), p),
        )
        for p in ("fro", "nuc", 1, -np.inf)
    ),
    Sample("linalg.cond of a singular matrix", lambda T, x: T.linalg.cond(x, 1), (np.ones((2, 2)),), grad=False),
    Sample(
        "linalg.tensorsolve, dims",
        lambda T, a, b: T.linalg.tensorsolve(a, b, (0, 2)),
        (normal(2, 3, 3, 2), normal(3, 2)),
    ),
]
