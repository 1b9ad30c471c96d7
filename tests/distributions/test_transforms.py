"""Transforms: values, inverses, slopes and shapes beside torch's, and what they make of distributions."""

import pickle

import numpy as np
import pytest
import torch

import autograd_core as ac

X = [[-1.0, 0.5, 2.0], [0.3, -0.2, 1.0]]
MAKERS = {
    "Exp": lambda d, T: d.ExpTransform(),
    "Power": lambda d, T: d.PowerTransform(T.tensor(2.0, dtype=T.float64)),
    "Sigmoid": lambda d, T: d.SigmoidTransform(),
    "Softplus": lambda d, T: d.SoftplusTransform(),
    "Tanh": lambda d, T: d.TanhTransform(),
    "Affine": lambda d, T: d.AffineTransform(T.tensor([1.0, 2.0, 3.0], dtype=T.float64), -2.0),
    "Affine of vectors": lambda d, T: d.AffineTransform(1.0, T.tensor([1.0, 2.0, 3.0], dtype=T.float64), event_dim=1),
    "StickBreaking": lambda d, T: d.StickBreakingTransform(),
    "Reshape": lambda d, T: d.ReshapeTransform((3,), (3, 1)),
    "Independent": lambda d, T: d.IndependentTransform(d.ExpTransform(), 1),
    "Compose": lambda d, T: d.ComposeTransform([d.AffineTransform(0.5, 2.0), d.TanhTransform(), d.ExpTransform()]),
    "Compose of vectors": lambda d, T: d.ComposeTransform([d.AffineTransform(0.5, 2.0), d.StickBreakingTransform()]),
    "nothing": lambda d, T: d.identity_transform,
}


def run(T, name, inverse):
    t = MAKERS[name](T.distributions.transforms, T)
    x = T.tensor(X, dtype=T.float64)
    x = (x.abs() + 0.1 if name == "Power" else x).requires_grad_()
    y = t(x)
    if inverse:
        t, x, y = t.inv, y.detach().requires_grad_(), None
        y = t(x)
    slope = t.log_abs_det_jacobian(x, y)
    (g,) = T.autograd.grad((slope.sin() + 0 * x.sum()).sum() + y.cos().sum(), x)
    shapes = tuple(t.forward_shape(x.shape)), tuple(t.inverse_shape(y.shape))
    sign = None
    if "Stick" not in name and "vectors" not in name and "Reshape" not in name:
        sign = float(t.sign)
    return [y.tolist(), slope.tolist(), g.tolist()], [
        shapes,
        sign,
        t.bijective,
        t.domain.event_dim,
        t.codomain.event_dim,
    ]


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("name", MAKERS)
def test_values_slopes_and_shapes_are_torchs(name, inverse):
    (ours, facts), (theirs, their_facts) = (run(T, name, inverse) for T in (ac, torch))
    for a, b in zip(ours, theirs):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)
    assert facts == their_facts


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "nothing"])
def test_a_density_is_that_of_the_base_by_the_slope(name):
    rows = []
    for T in (ac, torch):
        d = T.distributions
        base = (
            d.Normal(T.zeros(2, 3, dtype=T.float64), 1.0) if name != "Power" else d.Exponential(T.ones(2, 3).double())
        )
        made = d.TransformedDistribution(base, [MAKERS[name](d.transforms, T)])
        y = MAKERS[name](d.transforms, T)(T.tensor(X, dtype=T.float64).abs() + 0.1)
        row = [made.log_prob(y).tolist(), made.expand((4, *made.batch_shape)).log_prob(y).tolist()]
        rows.append(([tuple(made.batch_shape), tuple(made.event_shape)], row))
        assert tuple(made.sample((5,)).shape) == (5, *made.batch_shape, *made.event_shape)
    assert rows[0][0] == rows[1][0]
    for a, b in zip(rows[0][1], rows[1][1]):
        np.testing.assert_allclose(a, b, rtol=1e-9)


def test_distribution_functions_go_through_rising_and_falling_transforms():
    rows = []
    for T in (ac, torch):
        d = T.distributions
        made = d.TransformedDistribution(d.Normal(0.0, 1.0), [d.AffineTransform(1.0, -2.0), d.ExpTransform()])
        rows.append([made.cdf(T.tensor([0.5, 2.0])).tolist(), made.icdf(T.tensor([0.1, 0.9])).tolist()])
    np.testing.assert_allclose(*rows, rtol=1e-5)


def test_a_cache_returns_the_very_argument(T):
    t = T.distributions.TanhTransform(cache_size=1)
    x = T.tensor([20.0])
    y = t(x)
    assert t.inv(y) is x and t(x) is y and t.inv.inv is t
    assert y.tolist() == [1.0]  # from which the inverse alone could not tell
    assert t.with_cache(1) is t and t.with_cache(0)._cache_size == 0
    composed = T.distributions.ComposeTransform([t, T.distributions.ExpTransform()], cache_size=1)
    assert composed.inv(composed(x)) is x


def test_transforms_are_equal_by_what_they_do(T):
    d = T.distributions
    assert d.ExpTransform() == d.ExpTransform() != d.TanhTransform()
    assert d.AffineTransform(0.0, 2.0) == d.AffineTransform(0.0, 2.0) != d.AffineTransform(1.0, 2.0)
    assert d.ExpTransform().inv == d.ExpTransform().inv
    assert d.ComposeTransform([d.ExpTransform()]) == d.ComposeTransform([d.ExpTransform()])
    assert pickle.loads(pickle.dumps(d.ExpTransform())) == d.ExpTransform()


def test_a_transform_of_ones_own(T):
    class Cube(T.distributions.Transform):
        domain = codomain = T.distributions.constraints.real
        bijective, sign = True, +1

        def _call(self, x):
            return x**3

        def _inverse(self, y):
            return y.sign() * y.abs() ** (1 / 3)

        def log_abs_det_jacobian(self, x, y):
            return (3 * x**2).log()

    made = T.distributions.TransformedDistribution(T.distributions.Normal(0.0, 1.0), Cube())
    assert made.log_prob(T.tensor(8.0)).item() == pytest.approx(-0.9189385 - 2 - np.log(12), rel=1e-5)


@pytest.mark.parametrize(
    "name, inside, outside",
    [
        ("boolean", [0.0, 1.0], [0.5, 2.0]),
        ("positive", [0.5, 2.0], [0.0, -1.0]),
        ("nonnegative", [0.0, 2.0], [-0.5, -1.0]),
        ("unit_interval", [0.0, 1.0], [-0.5, 1.5]),
        ("nonnegative_integer", [0.0, 3.0], [-1.0, 0.5]),
        ("positive_integer", [1.0, 3.0], [0.0, 1.5]),
        ("real", [0.0, -3.0], [float("nan")] * 2),
        ("simplex", [[0.5, 0.5]], [[0.5, 0.4]]),
        ("one_hot", [[0.0, 1.0]], [[0.5, 0.5]]),
        ("real_vector", [[0.0, 1.0]], [[0.0, float("nan")]]),
        ("lower_triangular", [[1.0, 0.0], [3.0, -1.0]], [[1.0, 2.0], [0.0, 1.0]]),
        ("lower_cholesky", [[1.0, 0.0], [3.0, 1.0]], [[1.0, 0.0], [3.0, -1.0]]),
        ("corr_cholesky", [[1.0, 0.0], [0.6, 0.8]], [[1.0, 0.0], [0.6, 0.6]]),
        ("symmetric", [[1.0, 2.0], [2.0, 1.0]], [[1.0, 2.0], [0.0, 1.0]]),
        ("positive_definite", [[2.0, 1.0], [1.0, 2.0]], [[1.0, 2.0], [2.0, 1.0]]),
        ("positive_semidefinite", [[2.0, 1.0], [1.0, 2.0]], [[1.0, 2.0], [2.0, 1.0]]),
    ],
)
def test_constraints_know_what_is_inside(T, name, inside, outside):
    constraint = getattr(T.distributions.constraints, name)
    assert bool(constraint.check(T.tensor(inside)).all()) and not bool(constraint.check(T.tensor(outside)).any())


def test_constraints_with_bounds(T):
    c = T.distributions.constraints
    x = T.tensor([0.0, 1.0, 2.0])
    for constraint, expected in (
        (c.interval(0.0, 1.0), [True, True, False]),
        (c.half_open_interval(0.0, 1.0), [True, False, False]),
        (c.integer_interval(1, 2), [False, True, True]),
        (c.greater_than(1.0), [False, False, True]),
        (c.greater_than_eq(1.0), [False, True, True]),
        (c.less_than(1.0), [True, False, False]),
    ):
        assert constraint.check(x).tolist() == expected
    assert c.is_dependent(T.distributions.Uniform.support) and not c.is_dependent(c.real)
    with pytest.raises(ValueError, match="Cannot determine validity"):
        c.dependent.check(x)
