"""Samples of `ops.shapes.shape`."""

import numpy as np

from tests.ops.harness import Sample

V = np.array([1.0, -2.0, 3.0])
A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
SCALAR = np.array(1.5)
COLUMN = np.array([[1.0], [2.0]])
EMPTY = np.zeros((0, 3))


def _after(h, write):
    write(h)
    return h


SAMPLES = [
    Sample("write through t of a vector", lambda T, x: _after(x * 1.0, lambda h: h.t().mul_(3.0)), (V,)),
    Sample(
        "gradient of a write through t",
        lambda T, x, v: T.func.vjp(lambda x: _after(x * 1.0, lambda h: h.t().mul_(3.0)), x)[1](v),
        (A, A[::-1] * 2.0),
    ),
    Sample("view", lambda T, x: x.contiguous().view(3, 2), (A,)),
    Sample("view -1", lambda T, x: x.contiguous().view(-1), (A,)),
    Sample("view of a scalar", lambda T, x: x.view(1, 1), (SCALAR,)),
    Sample("view empty", lambda T, x: x.view(3, 0), (EMPTY,)),
    Sample("view_as", lambda T, x: x.contiguous().view_as(T.zeros(6)), (A,)),
    Sample("reshape", lambda T, x: T.reshape(x, (3, -1)), (A,)),
    Sample("reshape of a transpose", lambda T, x: x.T.reshape(2, 3), (A,)),
    Sample("reshape to a scalar", lambda T, x: x.reshape(()), (np.array([2.0]),)),
    Sample("reshape_as", lambda T, x: x.reshape_as(T.zeros(3, 2)), (A,)),
    Sample("ravel", lambda T, x: T.ravel(x), (B,)),
    Sample("flatten", lambda T, x: T.flatten(x, 1), (B,)),
    Sample("flatten middle", lambda T, x: x.flatten(0, -2), (B,)),
    Sample("flatten scalar", lambda T, x: x.flatten(), (SCALAR,)),
    Sample("unflatten", lambda T, x: x.unflatten(-1, (2, -1)), (B,)),
    Sample("permute", lambda T, x: x.permute(2, 0, -2), (B,)),
    Sample("permute tuple", lambda T, x: T.permute(x, (1, 0)), (A,)),
    Sample("permute scalar", lambda T, x: T.permute(x, ()), (SCALAR,)),
    Sample("transpose", lambda T, x: T.transpose(x, 0, -1), (B,)),
    Sample("transpose scalar", lambda T, x: x.transpose(0, -1), (SCALAR,)),
    Sample("swapaxes", lambda T, x: T.swapaxes(x, 0, 1), (A,)),
    Sample("swapdims", lambda T, x: x.swapdims(0, 2), (B,)),
    Sample("movedim", lambda T, x: T.movedim(x, 0, -1), (B,)),
    Sample("movedim several", lambda T, x: x.movedim((0, 1), (2, 0)), (B,)),
    Sample("moveaxis", lambda T, x: x.moveaxis(-1, 0), (B,)),
    Sample("T", lambda T, x: x.T, (A,)),
    Sample("mT", lambda T, x: x.mT, (B,)),
    Sample("t", lambda T, x: x.t(), (A,)),
    Sample("t of a vector", lambda T, x: T.t(x), (V,)),
    Sample("squeeze", lambda T, x: x.squeeze(), (A.reshape(1, 2, 1, 3),)),
    Sample("squeeze dim", lambda T, x: x.squeeze(-2), (A.reshape(1, 2, 1, 3),)),
    Sample("squeeze dims", lambda T, x: x.squeeze((0, 1, 2)), (A.reshape(1, 2, 1, 3),)),
    Sample("squeeze nothing", lambda T, x: x.squeeze(0), (A,)),
    Sample("squeeze scalar", lambda T, x: x.squeeze(0), (SCALAR,)),
    Sample("unsqueeze", lambda T, x: x.unsqueeze(1), (A,)),
    Sample("unsqueeze last", lambda T, x: T.unsqueeze(x, -1), (SCALAR,)),
    Sample("expand", lambda T, x: x.expand(3, -1, 4), (COLUMN,)),
    Sample("expand scalar", lambda T, x: x.expand(2, 3), (SCALAR,)),
    Sample("expand to nothing", lambda T, x: x.expand(0, 2, 1), (COLUMN,)),
    Sample("expand_as", lambda T, x: x.expand_as(T.zeros(2, 2, 3)), (V,)),
    Sample("broadcast_to", lambda T, x: T.broadcast_to(x, (2, 5)), (COLUMN,)),
    Sample("sum_to_size", lambda T, x: x.sum_to_size(3, 1), (B,)),
    Sample("sum_to_size same", lambda T, x: x.sum_to_size(2, 3), (A,)),
    Sample("clone", lambda T, x: T.clone(x), (A,)),
    Sample("contiguous", lambda T, x: x.T.contiguous(), (A,)),
    Sample("flip", lambda T, x: x.flip(0, -1), (B,)),
    Sample("flip tuple", lambda T, x: T.flip(x, (1,)), (A,)),
    Sample("flip nothing", lambda T, x: x.flip(()), (A,)),
    Sample("roll flat", lambda T, x: T.roll(x, 4), (A,)),
    Sample("roll one", lambda T, x: x.roll(-1, 1), (A,)),
    Sample("roll two", lambda T, x: x.roll((1, 2), (0, -1)), (B,)),
    Sample("repeat", lambda T, x: x.repeat(2, 3), (A,)),
    Sample("repeat in front", lambda T, x: x.repeat(2, 1, 3), (V.reshape(1, 3),)),
    Sample("repeat zero times", lambda T, x: x.repeat(0, 2), (A,)),
    Sample("repeat scalar", lambda T, x: x.repeat(3), (SCALAR,)),
    Sample("tile", lambda T, x: T.tile(x, (2,)), (A,)),
    Sample("tile in front", lambda T, x: x.tile(2, 1, 2), (A,)),
]
