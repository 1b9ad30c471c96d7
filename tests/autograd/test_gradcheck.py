"""gradcheck and gradgradcheck: what passes, what fails, what is refused, and what the report says."""

import re

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.core.table import general

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])

calls = []


def detached(value):
    return value.detach() if isinstance(value, ac.Tensor) else value


wrong_above_1 = general("gradcheck_wrong_above_1", lambda x: x * x, "x", lambda g, x: g * (2.0 * x + 0.25 * (x > 1)))
constant_slope = general("gradcheck_constant_slope", lambda x: x * x, "x", lambda g, x: g * detached(2.0 * x))
ignores_seed = general("gradcheck_ignores_seed", lambda x: x + 0.0, "x", lambda g: g * 0 + 1.0)
flickers = general(
    "gradcheck_flickers", lambda x: x * 2, "x", lambda g: g * (2 + 1e-9 * (calls.append(0) or len(calls)))
)


def leaf(T, *values, dtype="float64"):
    return T.tensor(list(values), dtype=getattr(T, dtype), requires_grad=True)


@LIBRARIES
def test_right_gradients_pass(T):
    x, y = leaf(T, 0.3, 1.7), leaf(T, -2.0, 0.5)
    check = T.autograd.gradcheck
    assert check(lambda x, y: (x * y).sum(), (x, y)) is True
    assert check(lambda x: (x * x, x.sin()), x)
    assert check(lambda x, n: x * n, (x, 3.0))
    assert check(lambda x, y: x * y.detach(), (x, T.ones(2, dtype=T.float64)))
    assert check(lambda x, y: x * x, (x, y))  # an input that is not used has gradient zero
    assert check(lambda x: x * x, (x * 2,))  # an input need not be a leaf
    assert check(lambda x: (x * x * x).sum(), (x,), fast_mode=True)
    assert T.autograd.gradgradcheck(lambda x: (x * x * x).sum(), (x,))
    assert T.autograd.gradgradcheck(lambda x, y: (x * y, x.sin()), (x, y), fast_mode=True)
    assert x.grad is None or T is torch


@LIBRARIES
def test_inputs_are_as_before(T):
    x = leaf(T, 0.1, 0.2, 0.3)
    before = x.tolist()
    T.autograd.gradcheck(lambda x: x.sin(), x)
    T.autograd.gradcheck(lambda x: x.sin(), x, fast_mode=True)
    assert x.tolist() == before


def test_inputs_are_as_before_where_the_function_raises():
    x = leaf(ac, 0.1, 0.2)
    seen = []

    def breaks(x):
        seen.append(0)
        if len(seen) == 3:
            raise KeyError("third call")
        return x * 2

    with pytest.raises(KeyError):
        ac.autograd.gradcheck(breaks, x)
    assert x.tolist() == [0.1, 0.2]


@pytest.mark.parametrize("fast_mode", [False, True])
def test_the_report_names_the_worst_entry(fast_mode):
    x = ac.tensor([[0.5, 0.7], [2.0, 0.1]], dtype=ac.float64, requires_grad=True)
    with pytest.raises(ac.autograd.GradcheckError) as error:
        ac.autograd.gradcheck(lambda n, x: (x * 3, wrong_above_1(x)), (1.0, x), fast_mode=fast_mode)
    report = str(error.value)
    for words in (
        "Jacobian mismatch for output 1 with respect to input 1",
        "worst of 1 wrong entries out of 16",
        "d(output 1[1, 0]) / d(input 1[1, 0])",
        "numerical 4",
        "analytical 4.25",
        "ratio analytical/numerical 1.0625",
        "numerical:[[",
        "analytical:[[",
    ):
        assert words in report
    assert ac.autograd.gradcheck(wrong_above_1, x, raise_exception=False, fast_mode=fast_mode) is False
    assert isinstance(error.value, RuntimeError)


def test_a_wrong_second_derivative_passes_gradcheck_and_fails_gradgradcheck():
    x = leaf(ac, 0.5, 2.0)
    assert ac.autograd.gradcheck(constant_slope, x)
    with pytest.raises(ac.autograd.GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0"):
        ac.autograd.gradgradcheck(constant_slope, x)


def test_a_backward_that_is_not_repeatable_is_named():
    x = leaf(ac, 0.3, 0.7)
    for fast_mode in (False, True):
        with pytest.raises(ac.autograd.GradcheckError, match="Backward is not reentrant"):
            ac.autograd.gradcheck(flickers, x, fast_mode=fast_mode)
    assert ac.autograd.gradcheck(flickers, x, nondet_tol=1e-6)


def test_a_backward_that_ignores_its_seed_is_named():
    with pytest.raises(ac.autograd.GradcheckError, match="backward not multiplied by grad_output"):
        ac.autograd.gradcheck(lambda x: ignores_seed(x).sum(), leaf(ac, 1.0))


@LIBRARIES
def test_a_forgotten_history_is_found(T):
    with pytest.raises(RuntimeError, match="Numerical gradient for function expected to be zero"):
        T.autograd.gradcheck(lambda x: x.detach() * 2, leaf(T, 1.0))
    assert T.autograd.gradcheck(lambda x: (x * 2, T.ones(2, dtype=T.float64)), leaf(T, 1.0))


@LIBRARIES
def test_a_kink_fails(T):
    assert T.autograd.gradcheck(T.relu, (leaf(T, 0.0),), raise_exception=False) is False


@LIBRARIES
def test_float32_warns_and_fails(T):
    x = leaf(T, 0.3, 1.7, dtype="float32")
    with pytest.warns(UserWarning, match="not a double precision"):
        assert T.autograd.gradcheck(lambda x: (x * x * x).sum() * 100, x, raise_exception=False) is False


@LIBRARIES
def test_refusals(T):
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        T.autograd.gradcheck(lambda x: x, (T.ones(2, dtype=T.float64),))
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        T.autograd.gradgradcheck(lambda x: x, (T.ones(2, dtype=T.float64),))
    expanded = T.ones(1, dtype=T.float64).expand(3).requires_grad_()
    with pytest.raises(RuntimeError, match="non-overlapping"):
        T.autograd.gradcheck(lambda x: x * 2, (expanded,))


def test_an_output_that_is_no_tensor_is_refused():
    with pytest.raises(TypeError, match="output 1 is float"):
        ac.autograd.gradcheck(lambda x: (x * 2, 3.0), leaf(ac, 1.0))


def test_gradient_dtypes_can_be_checked():
    x = leaf(ac, 1.0, 2.0)
    assert ac.autograd.gradcheck(lambda x: x * x, x, check_grad_dtypes=True)


def test_seeds_of_gradgradcheck_can_be_given():
    x, v = leaf(ac, 0.5, 2.0), leaf(ac, 1.0, -1.0)
    assert ac.autograd.gradgradcheck(lambda x: x.sin(), x, v)
    with pytest.raises(RuntimeError, match=re.escape("[3]")):
        ac.autograd.gradgradcheck(lambda x: x.sin(), x, leaf(ac, 1.0, 1.0, 1.0))


def test_memory_layout_of_an_input_does_not_matter():
    array = np.arange(6.0).reshape(2, 3).T
    x = ac.from_numpy(array).requires_grad_()
    assert ac.autograd.gradcheck(lambda x: x * x, x) and ac.autograd.gradcheck(lambda x: x * x, x, fast_mode=True)
