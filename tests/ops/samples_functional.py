"""Samples of nn.functional: losses, normalization, embedding. Activations and linear are sampled with their ops."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
X = rng.normal(size=(4, 3))
Y = rng.normal(size=(4, 3))
X3 = rng.normal(size=(2, 3, 4))
LABELS = np.array([0, 2, 1, 2])
LABELS3 = rng.integers(0, 3, (2, 4))
P = rng.uniform(0.1, 0.9, (4, 3))
Q = rng.uniform(0.1, 0.9, (4, 3))
W = rng.uniform(0.5, 1.5, 3)
B = rng.normal(size=3)
WEIGHT4 = rng.uniform(0.5, 1.5, 4)
TABLE = rng.normal(size=(5, 2))
INDEX = np.array([[1, 1, 0], [3, 1, 4]])
FAR = np.array([800.0, -800.0])


def call(name, *constants, **options):
    """The function `name`, on the inputs and then on constants (arrays), with keyword options (arrays become constant
    tensors).
    """

    def f(T, *tensors):
        kind = tensors[0].dtype

        def as_given(value):
            if not isinstance(value, np.ndarray):
                return value
            tensor = T.from_numpy(value.copy())
            return tensor.to(kind) if value.dtype.kind == "f" else tensor

        named = {key: as_given(value) for key, value in options.items()}
        return getattr(T.nn.functional, name)(*tensors, *[as_given(value) for value in constants], **named)

    return f


def embedding(**options):
    return lambda T, index, table: T.nn.functional.embedding(index, table, **options)


def each_reduction(title, name, inputs, *constants, second=True, **options):
    return [
        Sample(f"{title} {reduction}", call(name, *constants, reduction=reduction, **options), inputs, second=second)
        for reduction in ("mean", "sum", "none")
    ]


def batch_norm(training, affine=True):
    def f(T, x, *rest):
        mean, var = T.from_numpy(B.copy()).to(x.dtype), T.from_numpy(W.copy()).to(x.dtype)
        out = T.nn.functional.batch_norm(x, mean, var, *(rest if affine else ()), training=training, momentum=0.3)
        return out, mean.clone(), var.clone()

    return f


SAMPLES = [
    *each_reduction("mse_loss", "mse_loss", (X, Y)),
    Sample("mse_loss 0-d", call("mse_loss"), (np.array(2.0), np.array(0.5))),
    Sample("mse_loss constant target", call("mse_loss", Y), (X,)),
    Sample("mse_loss empty sum", call("mse_loss", reduction="sum"), (np.zeros((0, 3)), np.zeros((0, 3)))),
    *[
        Sample(f"l1_loss {r}", lambda T, x, y, r=r: T.nn.functional.l1_loss(x * x, y * y, reduction=r), (X, Y))
        for r in ("mean", "sum", "none")
    ],
    *each_reduction("nll_loss", "nll_loss", (X,), LABELS),
    *each_reduction("nll_loss weight", "nll_loss", (X,), LABELS, weight=W),
    *each_reduction("nll_loss ignored", "nll_loss", (X,), LABELS, ignore_index=2),
    *each_reduction("nll_loss ignored weight", "nll_loss", (X,), LABELS, ignore_index=2, weight=W),
    *each_reduction("nll_loss images", "nll_loss", (X3,), LABELS3, weight=W),
    *each_reduction("nll_loss one row", "nll_loss", (B,), np.array(1)),
    Sample("nll_loss bytes", call("nll_loss", LABELS.astype(np.uint8)), (X,)),
    *each_reduction("cross_entropy", "cross_entropy", (X,), LABELS),
    *each_reduction("cross_entropy weight", "cross_entropy", (X,), LABELS, weight=W),
    *each_reduction("cross_entropy images", "cross_entropy", (X3,), LABELS3, ignore_index=1),
    *each_reduction("cross_entropy smoothed", "cross_entropy", (X,), LABELS, label_smoothing=0.2),
    *each_reduction("cross_entropy smoothed weight", "cross_entropy", (X,), LABELS, label_smoothing=0.2, weight=W),
    *each_reduction("cross_entropy smoothed skip", "cross_entropy", (X,), LABELS, label_smoothing=0.2, ignore_index=0),
    *each_reduction("cross_entropy smoothed images", "cross_entropy", (X3,), LABELS3, label_smoothing=0.1, weight=W),
    *each_reduction("cross_entropy probabilities", "cross_entropy", (X, P)),
    *each_reduction("cross_entropy probabilities weight", "cross_entropy", (X, P), weight=W, label_smoothing=0.3),
    *each_reduction("cross_entropy one row", "cross_entropy", (B,), np.array(1)),
    *each_reduction("bce_with_logits", "binary_cross_entropy_with_logits", (X, P)),
    *each_reduction("bce_with_logits weight", "binary_cross_entropy_with_logits", (X, P), weight=W),
    *each_reduction("bce_with_logits pos_weight", "binary_cross_entropy_with_logits", (X, P), pos_weight=W),
    *each_reduction("bce_with_logits both", "binary_cross_entropy_with_logits", (X, P), weight=Q, pos_weight=W),
    Sample("bce_with_logits 0-d", call("binary_cross_entropy_with_logits"), (np.array(2.0), np.array(0.5))),
    Sample("bce_with_logits large", call("binary_cross_entropy_with_logits"), (FAR, np.zeros(2))),
    # torch adds 1e-12 to factors of the second derivative; tests/nn checks ours by central differences
    *each_reduction("binary_cross_entropy", "binary_cross_entropy", (P, Q), second=False),
    *each_reduction("binary_cross_entropy weight", "binary_cross_entropy", (P, Q), weight=W, second=False),
    Sample(
        "binary_cross_entropy certain",
        call("binary_cross_entropy", np.array([0.0, 1.0, 1.0, 0.0])),
        (np.array([0.0, 1.0, 0.0, 1.0]),),
        grad=False,  # torch bounds a denominator by 1e-12 in float32: tests/nn has the gradient
    ),
    Sample("layer_norm", lambda T, x, w, b: T.nn.functional.layer_norm(x, (3,), w, b), (X, W, B)),
    Sample("layer_norm plain", lambda T, x: T.nn.functional.layer_norm(x, (3,), eps=0.1), (X,)),
    Sample("layer_norm no bias", lambda T, x, w: T.nn.functional.layer_norm(x, (3,), w), (X, W)),
    Sample("layer_norm two axes", lambda T, x, w, b: T.nn.functional.layer_norm(x, (3, 4), w, b), (X3, X3[0], X3[1])),
    Sample("layer_norm last of three", lambda T, x, w: T.nn.functional.layer_norm(x, (4,), w), (X3, WEIGHT4)),
    Sample("layer_norm all axes", lambda T, x: T.nn.functional.layer_norm(x, (3,)), (B,)),
    Sample("batch_norm train", batch_norm(True), (X, W, B)),
    Sample("batch_norm train plain", batch_norm(True, affine=False), (X,)),
    Sample("batch_norm train weight", batch_norm(True), (X, W)),
    Sample("batch_norm train sequences", batch_norm(True), (X3, W, B)),
    Sample("batch_norm eval", batch_norm(False), (X, W, B)),
    Sample("batch_norm eval plain", batch_norm(False, affine=False), (X,)),
    Sample("batch_norm eval sequences", batch_norm(False), (X3, W, B)),
    Sample("batch_norm no statistics", lambda T, x: T.nn.functional.batch_norm(x, None, None, training=True), (X,)),
    Sample("embedding", embedding(), (INDEX, TABLE)),
    Sample("embedding 0-d index", embedding(), (np.array(2), TABLE)),
    Sample("embedding no index", embedding(), (INDEX[:0], TABLE), second=False),  # torch fails there
    # the padding row has no gradient, though the value depends on it
    Sample("embedding padding", embedding(padding_idx=1), (INDEX, TABLE), smooth=False),
    Sample("embedding padding negative", embedding(padding_idx=-1), (np.array([4, 0, 4]), TABLE), smooth=False),
    Sample("one_hot", lambda T, i: T.nn.functional.one_hot(i), (LABELS3,), grad=False),
    Sample("one_hot classes", lambda T, i: T.nn.functional.one_hot(i, 5), (LABELS,), grad=False),
    Sample("dropout off", lambda T, x: T.nn.functional.dropout(x, 0.7, training=False) * 1.0, (X,)),
    Sample("dropout all", lambda T, x: T.nn.functional.dropout(x, 1.0), (X,)),
    Sample("relu in place", lambda T, x: T.nn.functional.relu(x * 2, inplace=True), (X,)),
    Sample("leaky_relu in place", lambda T, x: T.nn.functional.leaky_relu(x * 2, 0.1, inplace=True), (X,)),
    Sample("hardtanh in place", lambda T, x: T.nn.functional.hardtanh(x * 2, -0.5, 0.7, inplace=True), (X,)),
]  # fmt: skip
