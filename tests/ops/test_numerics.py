"""Where the plain formula overflows, cancels or divides 0 by 0: values and derivatives are PyTorch's all the same."""

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.ops import large_arrays

inf, nan = float("inf"), float("nan")
HUGE, TINY = [-1000.0, -40.0, 0.0, 40.0, 1000.0], [-1e-12, 0.0, 1e-12, 1e-3]
ROWS = [[1000.0, 1000.0, 999.0], [-1000.0, -1001.0, -1000.0], [0.0, 1000.0, -1000.0]]
EMPTY_ROWS = [[-inf, 0.0], [-inf, -inf]]

# name -> function of (T, x), values, and how many times it is compared with PyTorch after differentiating: 0, 1 or 2
CASES = {
    "log1p near 0": (lambda T, x: T.log1p(x), TINY, 2),
    "log1p near -1": (lambda T, x: T.log1p(x), [-1 + 1e-7, -0.5], 2),
    "expm1 near 0": (lambda T, x: T.expm1(x), TINY, 2),
    "expm1 far": (lambda T, x: T.expm1(x), [-1000.0, -40.0, 40.0], 2),
    "sigmoid far": (lambda T, x: T.sigmoid(x), HUGE, 2),
    "tanh far": (lambda T, x: T.tanh(x), HUGE, 2),
    "logsigmoid far": (lambda T, x: T.nn.functional.logsigmoid(x), HUGE, 2),
    "softplus far": (lambda T, x: T.nn.functional.softplus(x), HUGE, 2),
    "softplus at its threshold": (
        lambda T, x: T.nn.functional.softplus(x, beta=2.0, threshold=4.0),
        [1.9, 2.0, 2.1],
        1,
    ),
    "logaddexp far": (lambda T, x: T.logaddexp(x, -x), HUGE, 1),  # PyTorch's second derivative is NaN there
    "logsumexp far": (lambda T, x: x.logsumexp(1), ROWS, 2),
    "logsumexp of -inf": (lambda T, x: x.logsumexp(1), EMPTY_ROWS[:1], 1),
    "logsumexp of nothing but -inf": (lambda T, x: x.logsumexp(1), EMPTY_ROWS, 0),
    "softmax far": (lambda T, x: x.softmax(1), ROWS, 2),
    "log_softmax far": (lambda T, x: x.log_softmax(1), ROWS, 2),
    "log_softmax with -inf": (lambda T, x: x.log_softmax(1), EMPTY_ROWS[:1], 1),
    "cross_entropy far": (lambda T, x: T.nn.functional.cross_entropy(x, T.tensor([0, 1, 2])), ROWS, 2),
    "binary_cross_entropy_with_logits far": (
        lambda T, x: T.nn.functional.binary_cross_entropy_with_logits(x, T.ones_like(x), reduction="none"),
        HUGE,
        2,
    ),
    **{
        f"norm at zero, ord={p}": (lambda T, x, p=p: T.linalg.vector_norm(x, p, 1), [[0.0, 0], [3, 0]], int(p != 0))
        for p in (0, 0.5, 1, 1.5, 2, 3, inf, -inf)
    },
    "distance at zero": (lambda T, x: T.cdist(x, x.detach()), [[1.0, 2.0], [3.0, 4.0]], 1),
    "std of equal values": (lambda T, x: x.std(1), [[2.0, 2.0, 2.0], [1.0, 2.0, 3.0]], 1),
    "var of one element, uncorrected": (lambda T, x: x.var(1, correction=0), [[2.0], [3.0]], 2),
    "var far from 0": (lambda T, x: x.var(), [1e8, 1e8 + 1, 1e8 + 2], 1),
    "mean of nothing": (lambda T, x: x.mean(1), [[], []], 1),
    **{
        f"{name} with {n} zeros": (f, values, 2)
        for name, f in {
            "prod": lambda T, x: x.prod(),
            "prod along an axis": lambda T, x: x.reshape(2, 2).prod(1),
            "cumprod": lambda T, x: x.cumprod(0),
        }.items()
        for n, values in {"no": [1.0, 2.0, 3.0, 4.0], "one": [1.0, 0.0, 3.0, 4.0], "three": [0.0, 2.0, 0, 0]}.items()
    },
    "prod of nothing": (lambda T, x: x.prod(), [], 1),
    "xlogy at zero": (lambda T, x: T.xlogy(x, T.tensor([0.0, 2.0]).to(x.dtype)), [0.0, 0.0], 1),
    "sqrt at zero": (lambda T, x: x.sqrt(), [0.0, 4.0], 1),
    "pow at zero": (lambda T, x: T.pow(x, 2.0) + T.pow(x, 1.0) + T.pow(x, 0.0), [0.0, 4.0], 2),
}

LOOSE = {"var far from 0": 1e-6}  # in float64 eight of sixteen digits cancel; in float32 all do


def results(T, name: str, dtype: str, orders: int) -> list[np.ndarray]:
    """The value, and derivatives of the sum up to the order given, with weights so that none vanishes by symmetry."""
    f, values, _ = CASES[name]
    x = T.tensor(values, dtype=getattr(T, dtype)).requires_grad_()
    found = [f(T, x)]
    for order in range(orders):
        flat = found[-1].reshape(-1)
        (g,) = T.autograd.grad((flat * T.arange(1, flat.numel() + 1)).sum(), x, create_graph=order + 1 < orders)
        found.append(g)
    return [y.detach().numpy() for y in found]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", CASES)
def test_extremes_are_those_of_torch_in_the_dtype_given(name, dtype):
    if (name, dtype) == ("var far from 0", "float32"):
        pytest.skip("1e8 and 1e8 + 1 are one number in float32")
    with np.errstate(all="ignore"):
        ours, theirs = (results(T, name, dtype, CASES[name][2]) for T in (ac, torch))
    for order, (a, b) in enumerate(zip(ours, theirs)):
        assert a.dtype == b.dtype == dtype, f"order {order}"
        rtol = LOOSE.get(name, 1e-12 if dtype == "float64" else 2e-5)
        size = np.abs(b[np.isfinite(b)]).max(initial=0)  # terms as large as this cancel in the others
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol / 50 * size, err_msg=f"order {order}")


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
@pytest.mark.filterwarnings("ignore:var.*degrees of freedom", "ignore:std.*degrees of freedom")
@pytest.mark.parametrize("name", ["var", "std"])
def test_the_spread_of_one_element_is_nan(T, name):
    x = T.tensor([2.0], requires_grad=True)
    with np.errstate(all="ignore"):
        y = getattr(x, name)()
        y.backward()
    assert np.isnan([y.item(), x.grad.item()]).all()


HALF = {
    "sum": lambda T, x: x.sum(),
    "sum along an axis": lambda T, x: x.reshape(64, 256).sum(0),
    "mean": lambda T, x: x.mean(),
    "norm": lambda T, x: x.norm(),
    "var": lambda T, x: x.var(),
    "logsumexp": lambda T, x: x.logsumexp(0),
    "softmax": lambda T, x: x.softmax(0),
    "mse_loss": lambda T, x: T.nn.functional.mse_loss(x, T.zeros_like(x)),
    "smooth_l1_loss": lambda T, x: T.nn.functional.smooth_l1_loss(x, T.zeros_like(x)),
    "pairwise_distance": lambda T, x: T.pairwise_distance(x, T.zeros_like(x)),
}


@pytest.mark.parametrize("name", HALF)
def test_half_precision_is_added_up_in_single_and_comes_back(name):
    """16384 numbers near 1: added one by one in half precision the sum would stop at 2048."""
    x = np.linspace(0.5, 1.5, 16384).astype(np.float16)
    found = []
    for T in (ac, torch):
        leaf = T.tensor(x).requires_grad_()
        y = HALF[name](T, leaf)
        (g,) = T.autograd.grad(y.sum(), leaf)
        found.append([y.detach().numpy(), g.numpy()])
    for ours, theirs in zip(*found):
        assert ours.dtype == theirs.dtype == np.float16
        rtol = 5e-3 if name == "logsumexp" else 2e-3  # its gradient begins with the result, 10, rounded to 0.004
        np.testing.assert_allclose(ours.astype(float), theirs.astype(float), rtol=rtol, atol=1e-7)


def test_rows_in_blocks_are_the_rows(rng, monkeypatch):
    scores, seeds = rng.normal(size=(5, 7)), rng.normal(size=(5, 7))

    def results():
        x, g = ac.tensor(scores, requires_grad=True), ac.tensor(seeds)
        outputs = [f(x) for f in (lambda x: x.softmax(1), lambda x: x.log_softmax(1), lambda x: x.log_softmax(0))]
        outputs.append(ac.nn.functional.layer_norm(x, (7,)))
        return [t.detach().numpy() for y in outputs for t in (y, *ac.autograd.grad(y, x, g))]

    whole = results()
    monkeypatch.setattr(large_arrays, "CACHE", 14)  # two rows at a time, and one left over
    for got, wanted in zip(results(), whole, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12)
