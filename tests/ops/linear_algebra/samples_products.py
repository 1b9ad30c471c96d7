"""Samples of `ops.linear_algebra.products`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(6)


def normal(*shape):
    return rng.standard_normal(shape)


M = normal(2, 3)
N = normal(3, 4)
BATCH = normal(2, 4, 3)
OTHER = normal(2, 3, 2)
NAN = np.full((2, 4), np.nan)
SUMS = {
    "addmm": (normal(2, 4), M, N),
    "addmv": (normal(2), M, normal(3)),
    "addbmm": (normal(4, 2), BATCH, OTHER),
    "baddbmm": (normal(2, 4, 2), BATCH, OTHER),
    "addr": (normal(3, 2), normal(3), normal(2)),
}


def single(*shape):
    return normal(*shape).astype(np.float32)


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
    Sample(
        "tensordot of small integers, one repeated",
        lambda T, x, y: T.tensordot(x, y, 1),
        (np.array([3, -2, 2], np.int16), np.array([[1, 3, -4]], np.int16)),
        grad=False,
    ),
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
    Sample(
        "bilinear",
        lambda T, *xs: T.nn.functional.bilinear(*xs),
        (normal(2, 2, 3), normal(2, 2, 4), normal(5, 3, 4), normal(5)),
    ),
    Sample(
        "bilinear of vectors", lambda T, *xs: T.nn.functional.bilinear(*xs), (normal(3), normal(4), normal(5, 3, 4))
    ),
]
