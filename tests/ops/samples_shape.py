"""Samples of the ops that move elements: views, rearranged copies, padding, conversions."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0])
SCALAR = np.array(1.5)
EMPTY = np.zeros((0, 3))
COLUMN = np.array([[1.0], [2.0]])


def _views():
    yield "view", lambda T, x: x.contiguous().view(3, 2), A
    yield "view -1", lambda T, x: x.contiguous().view(-1), A
    yield "view of a scalar", lambda T, x: x.view(1, 1), SCALAR
    yield "view empty", lambda T, x: x.view(3, 0), EMPTY
    yield "view_as", lambda T, x: x.contiguous().view_as(T.zeros(6)), A
    yield "reshape", lambda T, x: T.reshape(x, (3, -1)), A
    yield "reshape of a transpose", lambda T, x: x.T.reshape(2, 3), A
    yield "reshape to a scalar", lambda T, x: x.reshape(()), np.array([2.0])
    yield "reshape_as", lambda T, x: x.reshape_as(T.zeros(3, 2)), A
    yield "ravel", lambda T, x: T.ravel(x), B
    yield "flatten", lambda T, x: T.flatten(x, 1), B
    yield "flatten middle", lambda T, x: x.flatten(0, -2), B
    yield "flatten scalar", lambda T, x: x.flatten(), SCALAR
    yield "unflatten", lambda T, x: x.unflatten(-1, (2, -1)), B
    yield "permute", lambda T, x: x.permute(2, 0, -2), B
    yield "permute tuple", lambda T, x: T.permute(x, (1, 0)), A
    yield "permute scalar", lambda T, x: T.permute(x, ()), SCALAR
    yield "transpose", lambda T, x: T.transpose(x, 0, -1), B
    yield "transpose scalar", lambda T, x: x.transpose(0, -1), SCALAR
    yield "swapaxes", lambda T, x: T.swapaxes(x, 0, 1), A
    yield "swapdims", lambda T, x: x.swapdims(0, 2), B
    yield "movedim", lambda T, x: T.movedim(x, 0, -1), B
    yield "movedim several", lambda T, x: x.movedim((0, 1), (2, 0)), B
    yield "moveaxis", lambda T, x: x.moveaxis(-1, 0), B
    yield "T", lambda T, x: x.T, A
    yield "mT", lambda T, x: x.mT, B
    yield "t", lambda T, x: x.t(), A
    yield "t of a vector", lambda T, x: T.t(x), V
    yield "squeeze", lambda T, x: x.squeeze(), A.reshape(1, 2, 1, 3)
    yield "squeeze dim", lambda T, x: x.squeeze(-2), A.reshape(1, 2, 1, 3)
    yield "squeeze dims", lambda T, x: x.squeeze((0, 1, 2)), A.reshape(1, 2, 1, 3)
    yield "squeeze nothing", lambda T, x: x.squeeze(0), A
    yield "squeeze scalar", lambda T, x: x.squeeze(0), SCALAR
    yield "unsqueeze", lambda T, x: x.unsqueeze(1), A
    yield "unsqueeze last", lambda T, x: T.unsqueeze(x, -1), SCALAR
    yield "expand", lambda T, x: x.expand(3, -1, 4), COLUMN
    yield "expand scalar", lambda T, x: x.expand(2, 3), SCALAR
    yield "expand to nothing", lambda T, x: x.expand(0, 2, 1), COLUMN
    yield "expand_as", lambda T, x: x.expand_as(T.zeros(2, 2, 3)), V
    yield "broadcast_to", lambda T, x: T.broadcast_to(x, (2, 5)), COLUMN
    yield "sum_to_size", lambda T, x: x.sum_to_size(3, 1), B
    yield "sum_to_size same", lambda T, x: x.sum_to_size(2, 3), A
    yield "diagonal", lambda T, x: T.diagonal(x), A
    yield "diagonal above", lambda T, x: x.diagonal(1, 0, 2), B
    yield "diagonal below", lambda T, x: x.diagonal(-1, -1, 0), B
    yield "diagonal outside", lambda T, x: x.diagonal(7), A
    yield "select", lambda T, x: T.select(x, 1, -1), B
    yield "narrow", lambda T, x: T.narrow(x, 1, 1, 2), B
    yield "narrow from the end", lambda T, x: x.narrow(-1, -2, 2), A


def _copies():
    yield "clone", lambda T, x: T.clone(x), A
    yield "contiguous", lambda T, x: x.T.contiguous(), A
    yield "diag of a vector", lambda T, x: T.diag(x), V
    yield "diag of a vector below", lambda T, x: T.diag(x, -2), V
    yield "diag of a matrix", lambda T, x: x.diag(1), A
    yield "flip", lambda T, x: x.flip(0, -1), B
    yield "flip tuple", lambda T, x: T.flip(x, (1,)), A
    yield "flip nothing", lambda T, x: x.flip(()), A
    yield "roll flat", lambda T, x: T.roll(x, 4), A
    yield "roll one", lambda T, x: x.roll(-1, 1), A
    yield "roll two", lambda T, x: x.roll((1, 2), (0, -1)), B
    yield "repeat", lambda T, x: x.repeat(2, 3), A
    yield "repeat in front", lambda T, x: x.repeat(2, 1, 3), V.reshape(1, 3)
    yield "repeat zero times", lambda T, x: x.repeat(0, 2), A
    yield "repeat scalar", lambda T, x: x.repeat(3), SCALAR
    yield "tile", lambda T, x: T.tile(x, (2,)), A
    yield "tile in front", lambda T, x: x.tile(2, 1, 2), A
    yield "to double", lambda T, x: x.to(T.float64), A
    yield "double", lambda T, x: x.double(), A
    yield "float and back", lambda T, x: x.to(T.float32).to(T.float64), np.array([0.5, 0.25])
    yield "long", lambda T, x: x.long(), A
    yield "bool", lambda T, x: x.bool(), A
    yield "int to float", lambda T, x: x.float(), np.array([1, 2])
    yield "type_as", lambda T, x: x.type_as(T.zeros(1, dtype=T.float64)), A
    yield "double of a leaf", lambda T, x: x.double().sum(), A


def _pads():
    for mode in ("reflect", "replicate", "circular"):
        yield f"pad {mode}", lambda T, x, mode=mode: T.nn.functional.pad(x, (2, 1), mode=mode), A
        yield f"pad {mode} 2-D", lambda T, x, mode=mode: T.nn.functional.pad(x, (1, 3, 2, 0), mode=mode), B
    yield "pad", lambda T, x: T.nn.functional.pad(x, (1, 2)), A
    yield "pad value", lambda T, x: T.nn.functional.pad(x, (1, 0, 0, 2), value=-3.0), A
    yield "pad negative", lambda T, x: T.nn.functional.pad(x, (-1, 2, 1, -1)), A
    yield "pad away", lambda T, x: T.nn.functional.pad(x, (-2, -1)), A
    yield "pad reflect negative", lambda T, x: T.nn.functional.pad(x, (-1, 1), mode="reflect"), A
    yield "pad scalar", lambda T, x: T.nn.functional.pad(x, ()), SCALAR


NO_GRADIENT = ("long", "bool", "int to float")
SAMPLES = [
    Sample(name, f, (x,), grad=name not in NO_GRADIENT, smooth=name != "float and back")
    for family in (_views(), _copies(), _pads())
    for name, f, x in family
]
