"""NumPy's numbers where a parameter is meant are the numbers that they hold: their own type promotes nothing."""

import numpy as np
import pytest

CALLS = {
    "add": lambda T, x, number: T.add(x, x, alpha=number),
    "sub": lambda T, x, number: T.sub(x, x, alpha=number),
    "add_": lambda T, x, number: x.clone().add_(x, alpha=number),
    "addcmul": lambda T, x, number: T.addcmul(x, x, x, value=number),
    "addcdiv": lambda T, x, number: T.addcdiv(x, x, x, value=number),
    "lerp": lambda T, x, number: T.lerp(x, 2 * x, number),
    "lerp_": lambda T, x, number: x.clone().lerp_(2 * x, number),
    "leaky_relu": lambda T, x, number: T.nn.functional.leaky_relu(-x, number),
    "elu": lambda T, x, number: T.nn.functional.elu(-x, number),
    "softplus": lambda T, x, number: T.nn.functional.softplus(x, number),
    "threshold": lambda T, x, number: T.nn.functional.threshold(x, number, number),
    "hardtanh": lambda T, x, number: T.nn.functional.hardtanh(x, -1.0, number),
    "logit": lambda T, x, number: T.logit(x / 8, number / 4),
    "nan_to_num": lambda T, x, number: T.nan_to_num(x, number),
    "huber_loss": lambda T, x, number: T.nn.functional.huber_loss(x, 2 * x, delta=number),
    "cosine_similarity": lambda T, x, number: T.cosine_similarity(x[None], x[None], eps=number),
    "norm": lambda T, x, number: T.norm(x, number),
    "vector_norm": lambda T, x, number: T.linalg.vector_norm(x, number),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("number", [np.float64(0.5), np.float32(0.5), np.int64(2), np.uint8(2)], ids=repr)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_a_numpy_number_counts_as_a_python_number(T, call, number, dtype):
    x = T.tensor([1.0, 2.0, 3.0], dtype=getattr(T, dtype), requires_grad=True)
    found, wanted = call(T, x, number), call(T, x, number.item())
    assert found.dtype == wanted.dtype == x.dtype
    assert found.tolist() == wanted.tolist()
    found.sum().backward()
    assert x.grad.dtype == x.dtype


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int16, np.int64])
def test_a_numpy_integer_is_a_position(T, kind):
    x = T.arange(6).reshape(3, 2)
    assert x[kind(1)].tolist() == x[kind(1) :][0].tolist() == [2, 3]
    assert x[:, kind(1)].tolist() == [1, 3, 5] and x[kind(1), 0].item() == 2
    x[kind(1)] = 7
    assert x.tolist() == [[0, 1], [7, 7], [4, 5]]
