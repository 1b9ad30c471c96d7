"""Samples of `nn.functional.normalization`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
MATRIX = rng.normal(size=(4, 3))
X3 = rng.normal(size=(2, 3, 4))
SCALE = rng.uniform(0.5, 1.5, 3)
SHIFT = rng.normal(size=3)
WEIGHT4 = rng.uniform(0.5, 1.5, 4)
X = rng.normal(size=(2, 4, 3))
X4 = rng.normal(size=(2, 4, 3, 2))
W, B = rng.uniform(0.5, 1.5, (2, 4))
POSITIVE = rng.uniform(0.5, 2.0, 4)
ROWS = rng.normal(size=(530, 500)).astype(np.float32)  # more than one block
SPREAD = rng.uniform(0.5, 1.5, (2, 500)).astype(np.float32)


def batch_norm(training, affine=True):
    def f(T, x, *rest):
        mean, var = T.from_numpy(SHIFT.copy()).to(x.dtype), T.from_numpy(SCALE.copy()).to(x.dtype)
        out = T.nn.functional.batch_norm(x, mean, var, *(rest if affine else ()), training=training, momentum=0.3)
        return out, mean.clone(), var.clone()

    return f


def call(name, *args, **options):
    return lambda T, x, *affine: getattr(T.nn.functional, name)(x, *args, *affine, **options)


def with_running(use_input_stats):
    """The result and the running statistics after it."""

    def f(T, x, weight, bias):
        mean, var = T.from_numpy(B.copy()).to(x.dtype), T.from_numpy(POSITIVE.copy()).to(x.dtype)
        out = T.nn.functional.instance_norm(x, mean, var, weight, bias, use_input_stats, 0.3)
        return out, mean.clone(), var.clone()

    return f


SAMPLES = [
    Sample("layer_norm", lambda T, x, w, b: T.nn.functional.layer_norm(x, (3,), w, b), (MATRIX, SCALE, SHIFT)),
    Sample("layer_norm plain", lambda T, x: T.nn.functional.layer_norm(x, (3,), eps=0.1), (MATRIX,)),
    Sample("layer_norm no bias", lambda T, x, w: T.nn.functional.layer_norm(x, (3,), w), (MATRIX, SCALE)),
    Sample("layer_norm two axes", lambda T, x, w, b: T.nn.functional.layer_norm(x, (3, 4), w, b), (X3, X3[0], X3[1])),
    Sample("layer_norm last of three", lambda T, x, w: T.nn.functional.layer_norm(x, (4,), w), (X3, WEIGHT4)),
    Sample("layer_norm all axes", lambda T, x: T.nn.functional.layer_norm(x, (3,)), (SHIFT,)),
    Sample("batch_norm train", batch_norm(True), (MATRIX, SCALE, SHIFT)),
    Sample("batch_norm train plain", batch_norm(True, affine=False), (MATRIX,)),
    Sample("batch_norm train weight", batch_norm(True), (MATRIX, SCALE)),
    Sample("batch_norm train sequences", batch_norm(True), (X3, SCALE, SHIFT)),
    Sample("batch_norm eval", batch_norm(False), (MATRIX, SCALE, SHIFT)),
    Sample("batch_norm eval plain", batch_norm(False, affine=False), (MATRIX,)),
    Sample("batch_norm eval sequences", batch_norm(False), (X3, SCALE, SHIFT)),
    Sample(
        "batch_norm no statistics", lambda T, x: T.nn.functional.batch_norm(x, None, None, training=True), (MATRIX,)
    ),
    Sample("layer_norm in blocks", call("layer_norm", (500,)), (ROWS, *SPREAD), smooth=False),
    Sample("layer_norm far from zero", call("layer_norm", (3,)), (X + 10,), smooth=False),
    Sample("layer_norm strided", lambda T, x: T.nn.functional.layer_norm(x.transpose(0, 2), (2,)), (X,)),
    Sample("layer_norm no rows", call("layer_norm", (3,)), (X[:0],)),
    Sample("batch_norm wide", call("batch_norm", None, None, training=True), (ROWS,), smooth=False),
    Sample("group_norm", call("group_norm", 2), (X4, W, B)),
    Sample("group_norm vectors", call("group_norm", 2), (X[..., 0], W, B)),
    Sample("instance_norm running", with_running(True), (X4, W, B)),
    Sample("instance_norm constants", with_running(False), (X4, W, B)),
    Sample("rms_norm", call("rms_norm", (4, 3)), (X, X[0])),
    Sample("rms_norm zeros", call("rms_norm", (3,), eps=0.1), (np.zeros((2, 3)),)),
    Sample("rms_norm float32", call("rms_norm", (3,)), (X.astype(np.float32),), smooth=False),
    Sample("local_response_norm even", call("local_response_norm", 4, alpha=0.5), (X4,)),
    Sample("normalize", call("normalize", p=3.0, dim=(0, 2)), (X,)),
    Sample("normalize zeros", call("normalize", eps=0.5), (np.zeros((2, 3)),), smooth=False, second=False),
    Sample("normalize below eps", call("normalize", dim=0, eps=10.0), (X,)),
]
