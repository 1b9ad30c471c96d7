"""Special functions and activations where samples do not reach: without SciPy, errors, extremes, documentation."""

import doctest
import math
import sys

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.ops.elementwise import blending, conjugation, floating, integers
from autograd_core.ops.special import bessel, entropies, error_functions, gamma_functions
from autograd_core.ops.special.through_scipy import compiled

NAMED = {f"special.{name}": getattr(ac.special, name) for name in ac.special.__all__}


@pytest.fixture
def no_scipy(monkeypatch):
    """SciPy as if it were not installed."""
    compiled.cache_clear()
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    yield
    compiled.cache_clear()


@pytest.mark.parametrize("name", ["erf", "erfc", "lgamma"])
def test_without_scipy_it_is_the_same_function(name, no_scipy):
    x = np.linspace(-4, 4, 33)
    got = getattr(ac, name)(ac.from_numpy(x))
    np.testing.assert_allclose(got.numpy(), getattr(torch, name)(torch.from_numpy(x)).numpy(), rtol=1e-13, atol=1e-14)
    assert getattr(ac, name)(ac.tensor(0.5)).dtype is ac.float32


def test_without_scipy_the_error_says_what_to_install(no_scipy):
    with pytest.raises(ImportError, match=r"scipy\.special\.psi; .*pip install scipy"):
        ac.digamma(ac.ones(1))


@pytest.mark.parametrize("name", sorted(NAMED))
def test_a_special_function_has_an_example_that_runs(name):
    test = doctest.DocTestParser().get_doctest(NAMED[name].__doc__, {}, name, None, None)
    report = []
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test, out=report.append).failed == 0, "".join(report)


def test_the_namespace_is_that_of_torch():
    theirs = {n for n in torch.special.__all__ if not n.startswith("_")}
    assert set(ac.special.__all__) == theirs


ERRORS = {
    "a negative order": lambda T: T.polygamma(-1, T.ones(1)),
    "mvlgamma of dimension 0": lambda T: T.mvlgamma(T.ones(1), 0),
    "shifted floats": lambda T: T.ones(1) << T.ones(1),
    "gcd of floats": lambda T: T.gcd(T.ones(1), T.ones(1)),
    "gcd of bools": lambda T: T.gcd(T.tensor([True]), T.tensor([True])),
    "frexp of ints": lambda T: T.frexp(T.tensor([1])),
    "nextafter of ints": lambda T: T.nextafter(T.tensor([1]), T.tensor([2])),
    "heaviside of two dtypes": lambda T: T.heaviside(T.ones(1), T.tensor([1])),
    "addcdiv of ints": lambda T: T.addcdiv(T.tensor([1]), T.tensor([1]), T.tensor([1])),
    "+ of bools": lambda T: T.positive(T.tensor([True])),
    "H of a batch": lambda T: T.ones(2, 3, 4).H,
    "H of a vector": lambda T: T.ones(3).H,
    "mH of a vector": lambda T: T.ones(3).mH,
    "float_power of two numbers": lambda T: T.float_power(2.0, 3.0),
    "float_power_ of float32": lambda T: T.ones(1).float_power_(2),
    "a negative tolerance": lambda T: T.isclose(T.ones(1), T.ones(1), rtol=-1),
    "glu of an odd length": lambda T: T.nn.functional.glu(T.ones(3)),
    "glu of a number": lambda T: T.nn.functional.glu(T.tensor(1.0)),
    "glu along no axis": lambda T: T.nn.functional.glu(T.ones(4), 2),
    "a negative lambd": lambda T: T.nn.functional.softshrink(T.ones(3), -1),
    "prelu with too many weights": lambda T: T.prelu(T.ones(2, 3), T.ones(2)),
    "prelu with a matrix": lambda T: T.prelu(T.ones(2, 3), T.ones(3, 1)),
    "prelu of two dtypes": lambda T: T.prelu(T.ones(2, 3), T.ones(1, dtype=T.float64)),
    "prelu of a number with two weights": lambda T: T.prelu(T.tensor(1.0), T.ones(2)),
    "celu with alpha 0": lambda T: T.celu(T.ones(1), 0),
    "rrelu with bounds exchanged": lambda T: T.nn.functional.rrelu(T.ones(1), 1, 0.5),
    **{
        f"{n} of ints": lambda T, n=n: getattr(T.nn.functional, n)(T.tensor([1]))
        for n in ("elu", "silu", "mish", "hardswish", "hardsigmoid", "hardshrink", "softshrink", "softplus", "gelu")
    },
    "the gradient of heaviside": lambda T: T.heaviside(T.ones(1, requires_grad=True), T.ones(1)).sum().backward(),
    "the gradient of zeta in its first argument": lambda T: T.special.zeta(
        T.ones(1, requires_grad=True), T.ones(1)
    ).backward(),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_of_torch_s_type(name):
    with pytest.raises(Exception) as wanted:
        ERRORS[name](torch)
    with pytest.raises(type(wanted.value)):
        ERRORS[name](ac)


def test_every_in_place_form_of_torch_is_here():
    families = (bessel, blending, conjugation, floating, integers, error_functions, gamma_functions, entropies)
    names = sorted({name + "_" for family in families for name in family.__all__})
    assert [n for n in names if hasattr(torch.Tensor, n) and not hasattr(ac.Tensor, n)] == []
    assert [n for n in names if hasattr(ac.Tensor, n) and not hasattr(torch.Tensor, n)] == []


EDGES = {
    "logit beyond 0 and 1": (lambda T, x: T.logit(x), [-1.0, 0.0, 1.0, 2.0]),
    "entr at 0 and below": (lambda T, x: T.special.entr(x), [-1.0, 0.0, math.nan]),
    "xlogy at 0": (lambda T, x: T.xlogy(x, T.tensor([0.0, -1.0], dtype=T.float64)), [0.0, 0.0]),
    "xlog1py at 0": (lambda T, x: T.special.xlog1py(x, T.tensor([-1.0, -2.0], dtype=T.float64)), [0.0, 0.0]),
    "lgamma and digamma at poles": (lambda T, x: T.lgamma(x) + T.digamma(x), [0.0, -0.0, math.inf]),
    "ndtri at 0, 1 and beyond": (lambda T, x: T.special.ndtri(x), [-1.0, 0.0, 1.0]),
    "mish and softplus of NaN": (lambda T, x: T.nn.functional.mish(x) + T.nn.functional.softplus(x), [math.nan]),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", EDGES)
def test_at_the_edge_of_a_domain_value_and_gradient_are_those_of_torch(name):
    f, points = EDGES[name]
    results = []
    for T in (ac, torch):
        x = T.tensor(points, dtype=T.float64, requires_grad=True)
        y = f(T, x)
        results.append([y.detach().numpy(), T.autograd.grad(y.sum(), x)[0].numpy()])
    np.testing.assert_allclose(results[0], results[1], rtol=1e-9)


def test_an_integer_power_of_two_below_one_is_not_lost():
    # PyTorch's gradient is 0 here, though its value is right.
    x = ac.ones(1, requires_grad=True)
    ac.ldexp(x, ac.tensor([-2])).backward()
    assert x.grad.tolist() == [0.25]


def test_float_power_in_place_needs_float64():
    x = ac.tensor([4.0], dtype=ac.float64, requires_grad=True)
    y = (x * 1).float_power_(1.5)
    y.backward()
    assert y.item() == 8 and x.grad.item() == 3


@pytest.mark.parametrize("x", [-2.9, 0.0, 2.9])
def test_hardsigmoid_has_the_slope_of_its_dtype(x):
    # PyTorch multiplies by a float32 sixth, whatever the dtype.
    x = ac.tensor(x, dtype=ac.float64, requires_grad=True)
    ac.nn.functional.hardsigmoid(x).backward()
    assert x.grad.item() == 1 / 6


def test_the_tails_of_the_normal_distribution_keep_their_digits():
    x = ac.tensor([-30.0], dtype=ac.float64, requires_grad=True)
    assert ac.special.ndtr(x).item() == pytest.approx(math.erfc(30 / math.sqrt(2)) / 2, rel=1e-12)
    (g,) = ac.autograd.grad(ac.special.log_ndtr(x), x)
    inverse_of_mills_ratio = 30 + 1 / 30 - 2 / 30**3 + 10 / 30**5 - 74 / 30**7  # from DLMF 7.12.1
    assert g.item() == pytest.approx(inverse_of_mills_ratio, rel=1e-11)


def test_sinc_has_its_second_derivative_at_0():
    x = ac.zeros(1, dtype=ac.float64, requires_grad=True)
    (g,) = ac.autograd.grad(ac.sinc(x), x, create_graph=True)
    (gg,) = ac.autograd.grad(g, x)
    assert g.item() == 0 and gg.item() == pytest.approx(-(math.pi**2) / 3)


def test_rrelu_in_training_draws_a_slope_for_each_element():
    x = ac.full((1000,), -1.0, requires_grad=True)
    y = ac.nn.functional.rrelu(x, 0.1, 0.3, training=True)
    assert 0.1 <= -y.max().item() < -y.min().item() <= 0.3
    y.sum().backward()
    assert ac.equal(x.grad, -y.detach())


def test_a_real_tensor_is_its_own_conjugate(T):
    x = T.ones(2)
    assert all(f(x) is x for f in (T.real, T.conj, T.conj_physical, T.resolve_conj, T.resolve_neg, T.positive))
    assert x.real is x and +x is x and x.conj() is x
    assert not (T.is_complex(x) or x.is_conj() or x.is_neg())
