"""Elementwise ops where samples do not reach: errors, infinities, the fallback without SciPy, refused writes."""

import math

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.ops.elementwise import arithmetic, comparison, piecewise, trigonometry
from autograd_core.ops.nn import nonlinearities

ERRORS = {
    "shapes that do not broadcast": lambda T: T.ones(2) + T.ones(3),
    "integers divided by zero, floored": lambda T: T.tensor([1]) // 0,
    "integer remainder by zero": lambda T: T.tensor([1]) % 0,
    "integer fmod by zero": lambda T: T.fmod(T.tensor([1]), 0),
    "a negative integer power": lambda T: T.tensor([2]) ** -1,
    "difference of bools": lambda T: T.tensor([True]) - T.tensor([True]),
    "negative of bools": lambda T: -T.tensor([True]),
    "bits of floats": lambda T: T.ones(2) & T.ones(2),
    "inverted floats": lambda T: ~T.ones(2),
    "where with a float condition": lambda T: T.where(T.ones(2), T.ones(2), T.ones(2)),
    "clamp without bounds": lambda T: T.clamp(T.ones(2)),
    "an unknown rounding mode": lambda T: T.div(T.ones(2), 2, rounding_mode="up"),
    "an unknown approximation": lambda T: T.nn.functional.gelu(T.ones(2), approximate="cubic"),
    "isclose of two dtypes": lambda T: T.isclose(T.ones(2), T.ones(2, dtype=T.float64)),
    "equal to a number": lambda T: T.equal(T.ones(2), 1.0),
    "text as an operand": lambda T: T.ones(2) + "text",
    "None in a comparison": lambda T: T.ones(2) < None,
    "copy_ of the wrong shape": lambda T: T.zeros(2).copy_(T.zeros(3)),
    "fill_ with a vector": lambda T: T.zeros(2).fill_(T.zeros(1)),
    "a float added to ints in place": lambda T: T.tensor([1]).add_(1.5),
    "a broader result in place": lambda T: T.ones(2).mul_(T.ones(3, 2)),
    "a write to a leaf": lambda T: T.ones(2, requires_grad=True).exp_(),
    "zeros into a leaf": lambda T: T.ones(2, requires_grad=True).zero_(),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_of_torch_s_type(name):
    with pytest.raises(Exception) as wanted:
        ERRORS[name](torch)
    with pytest.raises(type(wanted.value)):
        ERRORS[name](ac)


def test_a_tensor_differs_from_none():
    assert (ac.ones(2) == None) is False  # noqa: E711
    assert (ac.ones(2) != None) is True  # noqa: E711


REFUSED = {
    "copy_": lambda x: x.copy_(ac.zeros(3)),
    "fill_": lambda x: x.fill_(ac.zeros(1)),
    "add_": lambda x: x.add_(ac.zeros(3)),
    "div_": lambda x: x.div_(2.0, rounding_mode="up"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_write_changes_nothing(name):
    x = ac.tensor([1.0, 2.0])
    with pytest.raises(RuntimeError):
        REFUSED[name](x)
    assert x.tolist() == [1.0, 2.0] and x._version == 0


def test_a_floored_quotient_has_no_derivative():
    x = ac.tensor([3.0], requires_grad=True)
    y = x // 2
    assert y.requires_grad
    with pytest.raises(RuntimeError, match=r"floor_divide is not implemented.*rounding_mode") as caught:
        y.sum().backward()
    assert caught.type is RuntimeError  # as in PyTorch, which raises NotImplementedError for others


@pytest.mark.parametrize("seed", [math.inf, -math.inf, math.nan])
def test_no_part_of_an_infinite_gradient_reaches_the_branch_not_taken(seed):
    ops = {
        "relu": lambda T, x: T.relu(x),
        "clamp": lambda T, x: T.clamp(x, 0.0, 1.0),
        "where": lambda T, x: T.where(x > 0, x, 0.0),
        "hardtanh": lambda T, x: T.nn.functional.hardtanh(x, 0.0, 5.0),
        "maximum": lambda T, x: T.maximum(x, T.tensor([1.0, 0.5], dtype=x.dtype)),
    }
    for name, f in ops.items():
        grads = []
        for T in (ac, torch):
            x = T.tensor([-1.0, 0.75], dtype=T.float64, requires_grad=True)
            grads += T.autograd.grad(f(T, x), x, T.full((2,), seed, dtype=T.float64))
        np.testing.assert_array_equal(grads[0].numpy(), grads[1].numpy(), err_msg=name)


def test_keep_where_keeps_every_bit():
    x = np.array([1.5, -0.0, np.inf, np.nan, 5e-324])
    for dtype in (np.float16, np.float32, np.float64):
        with np.errstate(under="ignore"):
            values = x.astype(dtype)
        kept = piecewise.keep_where(values, np.ones(5, bool))
        assert kept.dtype == dtype and kept.tobytes() == values.tobytes()
        assert piecewise.keep_where(values, np.zeros(5, bool)).tobytes() == np.zeros(5, dtype).tobytes()


def test_functions_far_from_zero_neither_overflow_nor_warn():
    x = ac.tensor([-1e4, 1e4], dtype=ac.float64, requires_grad=True)
    F = ac.nn.functional
    for f, values in (
        (ac.sigmoid, [0.0, 1.0]),
        (F.softplus, [0.0, 1e4]),
        (F.logsigmoid, [-1e4, 0.0]),
        (ac.tanh, [-1.0, 1.0]),
    ):
        y = f(x)
        assert y.tolist() == values
        (g,) = ac.autograd.grad(y.sum(), x)
        assert np.isfinite(g.numpy()).all()
    assert ac.expm1(ac.tensor(1e-20, dtype=ac.float64)).item() == 1e-20
    assert ac.log1p(ac.tensor(1e-20, dtype=ac.float64)).item() == 1e-20


def test_every_in_place_form_of_torch_is_here():
    families = (arithmetic, piecewise, trigonometry, comparison, nonlinearities)
    names = sorted({name + "_" for family in families for name in family.__all__})
    assert [n for n in names if hasattr(torch.Tensor, n) and not hasattr(ac.Tensor, n)] == []
    assert [n for n in names if hasattr(ac.Tensor, n) and not hasattr(torch.Tensor, n)] == []


def test_in_place_operators_write_into_the_same_memory():
    x = ac.tensor([6.0, 7.0])
    pointer = x.data_ptr()
    x += 1
    x -= 2
    x *= 3
    x /= 2
    x **= 2
    x %= 50
    x //= 2
    assert x.data_ptr() == pointer and x._version == 7
    assert x.tolist() == [((((v + 1 - 2) * 3) / 2) ** 2 % 50) // 2 for v in (6.0, 7.0)]


BOOLS = {
    "two": (lambda T, b: b - b, r"two bool tensors is not supported. Use the `\^` or `logical_xor\(\)`"),
    "with True": (lambda T, b: b - True, "two bool tensors"),
    "from True": (lambda T, b: True - b, "two bool tensors"),
    "sub": (lambda T, b: T.sub(b, b), "two bool tensors"),
    "in place": (lambda T, b: b.sub_(b), "two bool tensors"),
    "with an int": (lambda T, b: b - 1, "Subtraction, the `-` operator, with a bool tensor .*logical_not"),
    "from an int": (lambda T, b: 1 - b, "Subtraction, the `-` operator, with a bool tensor"),
    "a float less a bool": (lambda T, b: T.ones(1) - b, "Subtraction, the `-` operator, with a bool tensor"),
    "a float less True": (lambda T, b: T.ones(1) - True, "Subtraction, the `-` operator, with a bool tensor"),
    "negation": (lambda T, b: -b, "Negation, the `-` operator, on a bool tensor"),
}


@pytest.mark.parametrize("name", BOOLS)
def test_bools_are_not_subtracted(T, name):
    call, words = BOOLS[name]
    with pytest.raises(RuntimeError, match=words):
        call(T, T.tensor([True]))


def test_numpy_s_error_state_can_make_a_computation_stop():
    x = ac.tensor(-1.0)
    with np.errstate(invalid="ignore"):
        assert math.isnan(ac.log(x).item())
    with np.errstate(invalid="raise"), pytest.raises(FloatingPointError, match="invalid value"):
        ac.log(x)


def test_the_slope_of_acosh_is_its_formula_below_minus_one(T):
    x = T.tensor([-2.0, 0.5, 2.0], dtype=T.float64, requires_grad=True)
    T.acosh(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [3**-0.5, np.nan, 3**-0.5])
