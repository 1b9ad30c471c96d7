"""NumPy's functions and operators on tensors give tensors with history, or say why not."""

import inspect
import operator

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.ops import interop

A = np.array([[0.5, 1.5, 2.5], [0.25, 4.0, 3.0]])


def leaf(array=A):
    return ac.tensor(array, requires_grad=True)


def differences(f, array):
    """Central differences of the sum of f."""
    g = np.zeros(array.shape)
    for index in np.ndindex(array.shape):
        step = np.zeros(array.shape)
        step[index] = 1e-6
        g[index] = (np.sum(f(array + step)) - np.sum(f(array - step))) / 2e-6
    return g


SAME = {
    "np.sin": np.sin,
    "np.add, array first": lambda x: np.add(A, x),
    "np.divide": lambda x: np.divide(x, 3.0),
    "np.divide by a tensor": lambda x: np.divide(A, x),
    "np.power": lambda x: np.power(x, 3),
    "np.matmul": lambda x: np.matmul(x, A.T),
    "np.matmul, array first": lambda x: np.matmul(A.T, x),
    "np.maximum": lambda x: np.maximum(x, 1.0),
    "np.hypot": lambda x: np.hypot(x, 2.0),
    "np.arctan2": lambda x: np.arctan2(x, A + 1),
    "array * tensor": lambda x: A * x,
    "tensor * array": lambda x: x * A,
    "array - tensor": lambda x: A - x,
    "array / tensor": lambda x: A / x,
    "array ** tensor": lambda x: A**x,
    "array @ tensor": lambda x: A.T @ x,
    "float64 * tensor": lambda x: np.float64(2.0) * x,
    "tensor * float64": lambda x: x * np.float64(2.0),
    "float64 - tensor": lambda x: np.float64(2.0) - x,
    "np.sum": np.sum,
    "np.sum axis": lambda x: np.sum(x, axis=0, keepdims=True),
    "np.mean": lambda x: np.mean(x, axis=-1),
    "np.var": np.var,
    "np.std": lambda x: np.std(x, axis=1, ddof=1),
    "np.max": lambda x: np.max(x, axis=1),
    "np.min": np.min,
    "np.prod": np.prod,
    "np.prod axis": lambda x: np.prod(x, axis=0),
    "np.sort": np.sort,
    "np.cumsum": lambda x: np.cumsum(x),
    "np.cumprod": lambda x: np.cumprod(x, axis=1),
    "np.reshape": lambda x: np.reshape(x, (3, 2)),
    "np.ravel": np.ravel,
    "np.transpose": np.transpose,
    "np.swapaxes": lambda x: np.swapaxes(x, 0, 1),
    "np.moveaxis": lambda x: np.moveaxis(x, 0, -1),
    "np.expand_dims": lambda x: np.expand_dims(x, (0, 2)),
    "np.squeeze": lambda x: np.squeeze(x[None]),
    "np.broadcast_to": lambda x: np.broadcast_to(x, (2, 2, 3)),
    "np.flip": np.flip,
    "np.roll": lambda x: np.roll(x, 1, axis=1),
    "np.tile": lambda x: np.tile(x, 2),
    "np.diagonal": np.diagonal,
    "np.diag": np.diag,
    "np.tril": np.tril,
    "np.triu": lambda x: np.triu(x, 1),
    "np.copy": np.copy,
    "np.concatenate": lambda x: np.concatenate([x, A], axis=1),
    "np.concatenate flat": lambda x: np.concatenate([x, x], axis=None),
    "np.stack": lambda x: np.stack([A, x], axis=-1),
    "np.hstack": lambda x: np.hstack([x, x]),
    "np.vstack": lambda x: np.vstack((x, A)),
    "np.take_along_axis": lambda x: np.take_along_axis(x, np.array([[2], [0]]), axis=1),
    "np.where": lambda x: np.where(A > 1, x, 0.0),
    "np.clip": lambda x: np.clip(x, 1.0, 2.75),
    "np.dot": lambda x: np.dot(x, A.T),
    "np.dot number": lambda x: np.dot(2.0, x),
    "np.outer": lambda x: np.outer(x, A),
    "np.einsum": lambda x: np.einsum("ij,kj->ik", x, A),
}


@pytest.mark.parametrize("f", SAME.values(), ids=SAME)
def test_a_numpy_function_on_a_tensor_is_recorded(f):
    x = leaf()
    y = f(x)
    assert isinstance(y, ac.Tensor)
    np.testing.assert_allclose(y.detach().numpy(), f(A), rtol=1e-12)
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), differences(f, A), rtol=1e-6, atol=1e-7)


PLAIN = {
    "np.any": lambda x: np.any(x > 2),
    "np.all": lambda x: np.all(x > 2, axis=0),
    "np.argmax": lambda x: np.argmax(x, axis=1),
    "np.argmin": np.argmin,
    "np.argsort": np.argsort,
    "np.zeros_like": np.zeros_like,
    "np.ones_like": np.ones_like,
    "np.full_like": lambda x: np.full_like(x, 2.0),
    "np.greater": lambda x: np.greater(x, 1.0),
    "array == tensor": lambda x: A == x,  # noqa: SIM300 (the array comes first on purpose)
    "array < tensor": lambda x: A[0] < x,
}


@pytest.mark.parametrize("f", PLAIN.values(), ids=PLAIN)
def test_a_numpy_function_without_a_gradient_gives_a_plain_tensor(f):
    y = f(leaf())
    assert isinstance(y, ac.Tensor)
    assert not y.requires_grad
    np.testing.assert_array_equal(y.numpy(), f(A))


def test_shape_questions_are_answered():
    assert np.shape(leaf()) == (2, 3)
    assert np.ndim(leaf()) == 2
    assert np.size(leaf()) == 6
    assert np.size(leaf(), 1) == 3


def test_every_numpy_function_in_the_table_is_tried_here():
    source = inspect.getsource(inspect.getmodule(test_every_numpy_function_in_the_table_is_tried_here))
    missing = {f.__name__ for f in interop.FUNCTIONS if f"np.{f.__name__}" not in source} - {"amax", "amin"}
    assert not missing


def test_a_float32_tensor_stays_float32_beside_a_numpy_number():
    x = ac.ones(2, requires_grad=True)
    assert (np.float64(2.0) * x).dtype is ac.float32
    assert np.multiply(x, np.float64(2.0)).dtype is ac.float32


def test_writing_a_tensor_into_an_array_is_refused():
    a, x = A.copy(), leaf()
    with pytest.raises(TypeError, match="history would be lost"):
        a += x
    with pytest.raises(TypeError, match="history would be lost"):
        np.multiply(x, 2.0, out=a)
    np.testing.assert_array_equal(a, A)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: np.sin(x, where=A > 1), "np.sin on tensors takes no where"),
        (lambda x: np.add.reduce(x), "np.add.reduce"),
        (lambda x: np.sum(x, where=A > 1), "np.sum"),
        (lambda x: np.median(x), "np.median has no gradient here"),
        (lambda x: np.concatenate([x, A], dtype=float), "np.concatenate"),
        (lambda x: np.heaviside(x, 0.5), "np.heaviside has no gradient here"),
    ],
    ids=["where", "reduce", "sum where", "median", "concatenate dtype", "heaviside"],
)
def test_what_is_not_supported_is_named(call, words):
    with pytest.raises(TypeError, match=words):
        call(leaf())


def test_a_tensor_without_gradients_is_an_array_to_the_rest_of_numpy():
    x = ac.tensor(A)
    assert np.median(x) == np.median(A)
    assert np.allclose(x, A)
    np.testing.assert_array_equal(np.heaviside(x, 0.5), np.heaviside(A, 0.5))


def test_a_tensor_with_gradients_does_not_become_an_array_unnoticed():
    with pytest.raises(RuntimeError, match="requires grad"):
        np.asarray(leaf())
    with pytest.raises(RuntimeError, match="requires grad"):
        np.testing.assert_allclose(leaf(), A)


LEFT = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")},
    **{name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    **{name: getattr(operator, name) for name in ("and_", "or_", "xor", "lshift", "rshift")},
}
SCALARS = [np.float32(2), np.float64(2), np.float16(2), np.int64(2), np.int32(2), np.int8(2), np.uint8(2)]
ON_THE_RIGHT = {
    "float32": lambda T: T.tensor([3.0, 5.0]),
    "float64": lambda T: T.tensor([3.0, 5.0], dtype=T.float64),
    "int64": lambda T: T.tensor([3, 5]),
    "uint8": lambda T: T.tensor([3, 5], dtype=T.uint8),
    "bool": lambda T: T.tensor([True, True]),
    "0-d": lambda T: T.tensor(3.0),
}


@pytest.mark.parametrize("name", LEFT)
@pytest.mark.parametrize("scalar", SCALARS, ids=lambda scalar: type(scalar).__name__)
@pytest.mark.parametrize("kind", ON_THE_RIGHT)
def test_a_numpy_scalar_on_the_left_is_the_number_that_it_is_for_torch(name, scalar, kind):
    found = []
    for T in (torch, ac):
        try:
            result = LEFT[name](scalar, ON_THE_RIGHT[kind](T))
            found.append((type(result) is T.Tensor, str(result.dtype).partition(".")[2], result.tolist()))
        except (TypeError, RuntimeError) as error:
            found.append(type(error))
    assert same(*found), found


def same(theirs, ours):
    """Whether two outcomes are alike: an error of either type is one."""
    if isinstance(theirs, type):
        return isinstance(ours, type)
    return theirs[:2] == ours[:2] and np.allclose(theirs[2], ours[2], rtol=1e-3 if theirs[1] == "float16" else 1e-6)


@pytest.mark.parametrize("name", LEFT)
@pytest.mark.parametrize(
    "array", [np.array(2), np.array([1, 2]), np.array([True, False])], ids=["0-d", "integers", "bools"]
)
def test_an_array_on_the_left_is_an_operand_and_never_an_array_of_objects(name, array):
    tensor = ac.tensor([3, 5])
    try:
        expected = LEFT[name](ac.tensor(array), tensor)
    except RuntimeError as error:
        with pytest.raises(type(error)):
            LEFT[name](array, tensor)
        return
    result = LEFT[name](array, tensor)
    assert type(result) is ac.Tensor and result.dtype is expected.dtype and result.tolist() == expected.tolist()


@pytest.mark.parametrize("name", ["sign", "floor", "ceil", "trunc", "rint", "absolute"])
def test_numpys_functions_of_steps_stay_in_the_graph(name):
    x = ac.tensor([-1.5, 2.5], dtype=ac.float64, requires_grad=True)
    y = getattr(np, name)(x)
    assert isinstance(y, ac.Tensor) and y.tolist() == getattr(np, name)(x.detach().numpy()).tolist()
    y.sum().backward()
    assert x.grad.tolist() == ([-1.0, 1.0] if name == "absolute" else [0.0, 0.0])
