"""Sums of float16 are carried in float32: the result is that of float32, rounded once at the end."""

import numpy as np
import pytest

import autograd_core as ac

SUMS = {
    "sum": lambda x: (x.sum(), x.sum(0), x.sum(1)),
    "mean": lambda x: (x.mean(), x.mean(0)),
    "prod": lambda x: (x[:4].prod(0), x[:4, :2].prod()),
    "cumsum": lambda x: (x.cumsum(0), x.cumsum(1)),
    "cumprod": lambda x: x[:6].cumprod(0),
    "norm": lambda x: (x.norm(), x.norm(dim=0), x.norm(3, 1)),
    "var": lambda x: (x.var(), x.std(0), *ac.var_mean(x, 1)),
    "softmax": lambda x: (x.softmax(0), x.log_softmax(1)),
    "logsumexp": lambda x: (x.logsumexp(0), x.logsumexp((0, 1))),
    "logcumsumexp": lambda x: x.logcumsumexp(0),
    "nansum": lambda x: (x.nansum(), x.nansum(0)),
    "sum_to_size": lambda x: x.sum_to_size(1, 64),
    "masked.mean": lambda x: ac.masked.mean(x, 0, mask=x > 1),
}


def parts(result) -> list:
    return list(result) if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("name", SUMS)
def test_float16_is_carried_in_float32(name):
    x = np.random.default_rng(0).uniform(0.5, 2.0, (400, 64)).astype(np.float16)
    got = parts(SUMS[name](ac.from_numpy(x)))
    wanted = parts(SUMS[name](ac.from_numpy(x.astype(np.float32))))
    for a, b in zip(got, wanted, strict=True):
        assert a.dtype is ac.float16
        np.testing.assert_allclose(a.numpy(), b.numpy().astype(np.float16), rtol=1e-3)  # one unit in the last place


def test_a_long_float16_sum_does_not_stick():
    ones = ac.ones(40_000, 2, dtype=ac.float16)
    assert ones.sum(0).tolist() == [40_000.0, 40_000.0]  # alone in float16 it would stop at 2048
    assert ones.sum(0, dtype=ac.float32).dtype is ac.float32
    x = ac.ones(1, 2, dtype=ac.float16, requires_grad=True)
    x.expand(40_000, 2).sum(0).backward(ac.ones(2, dtype=ac.float16))
    assert x.grad.tolist() == [[40_000.0, 40_000.0]]


@pytest.mark.parametrize(
    ("shape", "axis"), [((4096, 100), 0), ((3, 1500, 80), 1), ((3, 1500, 80), (0, 1)), ((60000, 3), 0)]
)
def test_a_sum_over_very_many_rows_of_float32_keeps_its_digits(shape, axis):
    seed = np.random.default_rng().integers(1 << 32)
    print("seed", seed)
    x = np.random.default_rng(seed).random(shape, np.float32)
    exact = x.astype(np.float64).sum(axis)
    for layout in (x, np.asfortranarray(x)):
        for kept in (False, True):
            total = ac.from_numpy(layout).sum(axis, keepdim=kept).numpy()
            assert total.dtype == np.float32 and total.shape == x.sum(axis, keepdims=kept).shape
            np.testing.assert_allclose(total.reshape(exact.shape), exact, rtol=5e-7)
