"""Samples of `ops.reductions.reduction`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(3)
A = rng.uniform(0.5, 2.0, (2, 3))
B = rng.uniform(-2.0, 2.0, (2, 3, 4))
SCALAR = np.array(1.7)
EMPTY = np.zeros((0, 3))
THIN = rng.uniform(0.5, 2.0, (3, 1, 2))
TIES = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 1.0]])
ZEROS = np.array([[0.0, 2.0, 3.0], [0.0, 4.0, 0.0], [1.0, 5.0, 0.5]])
WHOLE = np.arange(6).reshape(2, 3)

SAMPLES = [
    Sample("sum", lambda T, x: x.sum(), (B,)),
    Sample("sum dim", lambda T, x: T.sum(x, 1), (B,)),
    Sample("sum negative dim kept", lambda T, x: x.sum(-1, keepdim=True), (B,)),
    Sample("sum dims", lambda T, x: x.sum(dim=(0, -1)), (B,)),
    Sample("sum no dims", lambda T, x: x.sum(dim=()), (B,)),
    Sample("sum 0-d", lambda T, x: x.sum(0), (SCALAR,)),
    Sample("sum empty", lambda T, x: (x.sum(), x.sum(0), x.sum(1)), (EMPTY,)),
    Sample("sum thin", lambda T, x: x.sum(1), (THIN,)),
    Sample("sum dtype", lambda T, x: x.sum(0, dtype=T.float64), (A,)),
    Sample("sum int", lambda T, n: (n.sum(), n.int().sum(0), (n > 2).sum()), (WHOLE,), grad=False),
    Sample("mean", lambda T, x: x.mean(), (B,)),
    Sample("mean dim", lambda T, x: T.mean(x, 1, True), (B,)),
    Sample("mean dims", lambda T, x: x.mean((0, 2)), (B,)),
    Sample("mean 0-d", lambda T, x: x.mean(), (SCALAR,)),
    Sample("mean int", lambda T, n: n.mean(dtype=T.float32), (WHOLE,), grad=False),
    Sample("prod", lambda T, x: x.prod(), (A,)),
    Sample("prod dim", lambda T, x: x.prod(1), (A,)),
    Sample("prod kept", lambda T, x: T.prod(x, -2, keepdim=True), (B,)),
    Sample("prod 0-d", lambda T, x: x.prod(), (SCALAR,)),
    Sample("prod empty", lambda T, x: (x.prod(), x.prod(0)), (EMPTY,)),
    Sample("prod zeros", lambda T, x: x.prod(0), (ZEROS,)),
    Sample("prod zeros dim", lambda T, x: x.prod(1, keepdim=True), (ZEROS,)),
    Sample("prod one zero", lambda T, x: x.prod(), (np.array([2.0, 0.0, 3.0]),)),
    Sample("prod two zeros", lambda T, x: x.prod(), (np.array([0.0, 2.0, 0.0, 3.0]),)),
    Sample("prod int", lambda T, n: (n.prod(), n.int().prod(0), (n > 2).prod()), (WHOLE,), grad=False),
    Sample("var", lambda T, x: x.var(), (B,)),
    Sample("var dim", lambda T, x: x.var(1), (B,)),
    Sample("var dims kept", lambda T, x: x.var((0, 2), keepdim=True), (B,)),
    Sample("var correction", lambda T, x: T.var(x, dim=-1, correction=0), (B,)),
    Sample("var unbiased", lambda T, x: (x.var(unbiased=False), x.var(0, False), x.var(False)), (A,)),
    Sample("std", lambda T, x: x.std(), (B,)),
    Sample("std dim", lambda T, x: T.std(x, 1, unbiased=False), (B,)),
    Sample("std dims kept", lambda T, x: x.std(dim=(0, 1), keepdim=True), (B,)),
    Sample("std constant", lambda T, x: x.std(), (np.ones(3),), smooth=False, second=False),
    Sample("amax", lambda T, x: x.amax(), (B,)),
    Sample("amax dims", lambda T, x: x.amax((0, 2)), (B,)),
    Sample("amax ties", lambda T, x: x.amax(1, keepdim=True), (TIES,), smooth=False),
    Sample("amin", lambda T, x: T.amin(x, 0), (B,)),
    Sample("amin ties", lambda T, x: x.amin(dim=(0, 1)), (TIES,), smooth=False),
    Sample("amax int", lambda T, n: (n.amax(), n.amin(1)), (WHOLE,), grad=False),
    Sample("logsumexp", lambda T, x: x.logsumexp(1), (B,)),
    Sample("logsumexp dims", lambda T, x: T.logsumexp(x, (0, -1), keepdim=True), (B,)),
    Sample("logsumexp 0-d", lambda T, x: x.logsumexp(0), (SCALAR,)),
    Sample("logsumexp large", lambda T, x: x.logsumexp(0), (np.array([1000.0, 999.0]),)),
    Sample("logsumexp infinite", lambda T, x: x.logsumexp(0), (np.array([-np.inf, 1.0]),), smooth=False),
    Sample("logsumexp nothing", lambda T, x: (x.logsumexp(1), x.logsumexp(0)), (np.full((2, 2), -np.inf),), grad=False),
    Sample("logsumexp empty", lambda T, x: x.logsumexp(0), (EMPTY,)),
    Sample("logsumexp int", lambda T, n: n.logsumexp(0), (WHOLE,), grad=False),
    Sample("any", lambda T, n: (n.any(), T.any(n > 4, 0), n.any(1, keepdim=True)), (WHOLE,), grad=False),
    Sample("any and all over no axes", lambda T, n: (T.any(n, ()), T.all(n, (), True)), (WHOLE,), grad=False),
    Sample(
        "any and all of bytes",
        lambda T, n: (n.any(), T.all(n, 0), n.any((0, 1)), T.all(n, ())),
        (np.array([[0, 200], [3, 1]], np.uint8),),
        grad=False,
    ),
    Sample("all", lambda T, n: (n.all(), T.all(n > 0, 1), n.all(0, keepdim=True)), (WHOLE,), grad=False),
    Sample("any of nothing", lambda T, x: (x.any(), x.all(), x.any(0)), (EMPTY,), grad=False),
]
