"""Distributions: densities, moments, entropies and their gradients beside torch's, and samples by their moments."""

import copy
import math
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
import torch

import autograd_core as ac
import autograd_core.distributions

LOC, SCALE = [-1.0, 0.5, 2.0], [0.5, 1.0, 3.0]
PROBS = [0.1, 0.5, 0.7]
ROWS = [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]]
FACTOR = [[1.0, 0.0], [0.5, 2.0]]
COVARIANCE = [[2.0, 0.5], [0.5, 1.0]]

# name: (class, parameters, values inside the support)
CASES = {
    "Normal": ("Normal", {"loc": LOC, "scale": SCALE}, [-2.0, 0.0, 3.0]),
    "Normal, broadcast": ("Normal", {"loc": [[0.0], [1.0]], "scale": SCALE}, [[-2.0, 0.0, 3.0]] * 2),
    "LogNormal": ("LogNormal", {"loc": LOC, "scale": SCALE}, [0.2, 1.0, 3.0]),
    "HalfNormal": ("HalfNormal", {"scale": SCALE}, [0.2, 1.0, 3.0]),
    "HalfCauchy": ("HalfCauchy", {"scale": SCALE}, [0.2, 1.0, 3.0]),
    "Laplace": ("Laplace", {"loc": LOC, "scale": SCALE}, [-2.0, 0.0, 3.0]),
    "Cauchy": ("Cauchy", {"loc": LOC, "scale": SCALE}, [-2.0, 0.0, 3.0]),
    "Gumbel": ("Gumbel", {"loc": LOC, "scale": SCALE}, [-2.0, 0.0, 3.0]),
    "Uniform": ("Uniform", {"low": LOC, "high": [0.0, 2.0, 7.0]}, [-0.5, 1.0, 3.0]),
    "Exponential": ("Exponential", {"rate": SCALE}, [0.2, 1.0, 3.0]),
    "Gamma": ("Gamma", {"concentration": SCALE, "rate": [2.0, 1.0, 0.3]}, [0.2, 1.0, 3.0]),
    "Chi2": ("Chi2", {"df": [1.0, 3.0, 8.0]}, [0.2, 1.0, 3.0]),
    "Beta": ("Beta", {"concentration1": [0.5, 1.5, 4.0], "concentration0": [2.0, 1.5, 0.7]}, [0.2, 0.5, 0.9]),
    "Dirichlet": ("Dirichlet", {"concentration": [[0.5, 1.5, 4.0], [2.0, 1.0, 3.0]]}, ROWS),
    "StudentT": ("StudentT", {"df": [1.5, 3.0, 9.0], "loc": LOC, "scale": SCALE}, [-2.0, 0.0, 3.0]),
    "Bernoulli": ("Bernoulli", {"probs": PROBS}, [0.0, 1.0, 1.0]),
    "Bernoulli, logits": ("Bernoulli", {"logits": LOC}, [0.0, 1.0, 1.0]),
    "Geometric": ("Geometric", {"probs": PROBS}, [0.0, 1.0, 4.0]),
    "Geometric, logits": ("Geometric", {"logits": LOC}, [0.0, 1.0, 4.0]),
    "Binomial": ("Binomial", {"total_count": 5, "probs": PROBS}, [0.0, 2.0, 5.0]),
    "Binomial, logits": ("Binomial", {"total_count": 5, "logits": LOC}, [0.0, 2.0, 5.0]),
    "Poisson": ("Poisson", {"rate": SCALE}, [0.0, 2.0, 5.0]),
    "Categorical": ("Categorical", {"probs": ROWS}, [0.0, 2.0]),
    "Categorical, logits": ("Categorical", {"logits": [LOC, SCALE]}, [0.0, 2.0]),
    "OneHotCategorical": ("OneHotCategorical", {"probs": ROWS}, [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    "RelaxedBernoulli": ("RelaxedBernoulli", {"temperature": 0.7, "probs": PROBS}, [0.2, 0.5, 0.9]),
    "RelaxedOneHotCategorical": ("RelaxedOneHotCategorical", {"temperature": 0.7, "logits": [LOC, SCALE]}, ROWS),
    "Weibull": ("Weibull", {"scale": SCALE, "concentration": [1.5, 1.0, 3.0]}, [0.2, 1.0, 3.0]),
    "Pareto": ("Pareto", {"scale": SCALE, "alpha": [2.5, 3.0, 8.0]}, [0.7, 1.5, 5.0]),
    "InverseGamma": ("InverseGamma", {"concentration": [1.5, 3.0, 8.0], "rate": SCALE}, [0.2, 1.0, 3.0]),
    "LogisticNormal": ("LogisticNormal", {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}, ROWS * 2),
    "NegativeBinomial": ("NegativeBinomial", {"total_count": 5, "probs": PROBS}, [0.0, 2.0, 9.0]),
    "NegativeBinomial, logits": ("NegativeBinomial", {"total_count": 5, "logits": LOC}, [0.0, 2.0, 9.0]),
    "Multinomial": ("Multinomial", {"total_count": 4, "probs": ROWS}, [[1.0, 3.0, 0.0], [2.0, 1.0, 1.0]]),
    "MultivariateNormal": ("MultivariateNormal", {"loc": [1.0, 2.0], "covariance_matrix": COVARIANCE}, [0.0, 1.0]),
    "MultivariateNormal, factor": ("MultivariateNormal", {"loc": ROWS[0][:2], "scale_tril": FACTOR}, [[0.0, 1.0]] * 4),
    "MultivariateNormal, precision": (
        "MultivariateNormal",
        {"loc": [[1.0, 2.0], [0.0, 0.0]], "precision_matrix": COVARIANCE},
        [[0.0, 1.0], [2.0, 2.0]],
    ),
}


def made(T, name, grad=True):
    """A distribution in float64, its parameters, and values."""
    kind, given, values = CASES[name]
    parameters = {
        key: T.tensor(value, dtype=T.float64, requires_grad=grad) if key != "total_count" else value
        for key, value in given.items()
    }
    if kind.startswith("Relaxed"):
        parameters = {"temperature": parameters["temperature"], **parameters}
    return getattr(T.distributions, kind)(**parameters), parameters, T.tensor(values, dtype=T.float64)


def array(x):
    return np.asarray(x.detach().numpy() if hasattr(x, "detach") else x)


QUESTIONS = {
    "log_prob": lambda d, x: d.log_prob(x),
    "entropy": lambda d, x: d.entropy(),
    "mean": lambda d, x: d.mean,
    "variance": lambda d, x: d.variance,
    "stddev": lambda d, x: d.stddev,
    "mode": lambda d, x: d.mode,
    "cdf": lambda d, x: d.cdf(x),
    "icdf": lambda d, x: d.icdf(x.abs() / (1 + x.abs()) * 0.9 + 0.05),
    "perplexity": lambda d, x: d.perplexity(),
    "enumerate_support": lambda d, x: d.enumerate_support(),
    "enumerate_support, short": lambda d, x: d.enumerate_support(expand=False),
    "expanded": lambda d, x: d.expand((4, *d.batch_shape)).log_prob(x),
    "independent": lambda d, x: type_of(d).Independent(d, len(d.batch_shape)).log_prob(x),
}


def type_of(d):
    return ac.distributions if isinstance(d, ac.distributions.Distribution) else torch.distributions


def answer(T, name, question):
    """The answer, its dtype's name, and the gradients of its weighted sum; or the kind of error."""
    d, parameters, x = made(T, name)
    x.requires_grad_()
    try:
        y = QUESTIONS[question](d, x)
    except NotImplementedError:
        return None
    weights = T.tensor(np.cos(np.arange(y.numel())).reshape(tuple(y.shape)), dtype=T.float64)
    grads = []
    if y.requires_grad:
        inputs = [p for p in parameters.values() if not isinstance(p, int)] + [x]
        try:
            grads = T.autograd.grad((y * weights).sum(), inputs, allow_unused=True)
        except (NotImplementedError, RuntimeError) as error:
            assert "not implemented" in str(error)
    return array(y), str(y.dtype).split(".")[-1], [0.0 if g is None else array(g) for g in grads]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", CASES)
def test_what_a_distribution_says_and_its_gradients_are_torchs(name, question):
    ours, theirs = (answer(T, name, question) for T in (ac, torch))
    assert (ours is None) == (theirs is None)
    if ours is None:
        return
    rtol = 1e-7 if name == "Multinomial" else 1e-10  # PyTorch computes log n! in float32
    np.testing.assert_allclose(ours[0], theirs[0], rtol=rtol, atol=1e-12)
    assert ours[0].shape == theirs[0].shape and ours[1] == theirs[1]
    assert len(ours[2]) == len(theirs[2])
    for g, expected in zip(ours[2], theirs[2]):
        np.testing.assert_allclose(g, np.broadcast_to(expected, np.shape(g)), rtol=max(rtol, 1e-8), atol=1e-10)


@pytest.mark.parametrize("name", CASES)
def test_shapes_and_promises_are_torchs(name):
    rows = []
    for T in (ac, torch):
        d, _, _ = made(T, name, grad=False)
        sample = d.sample((4, 2))
        rows.append(
            [
                *(tuple(d.batch_shape), tuple(d.event_shape), d.has_rsample, d.has_enumerate_support),
                *(tuple(sample.shape), str(sample.dtype).split(".")[-1], tuple(d.sample().shape), repr(d.support)),
                tuple(d.expand((5, *d.batch_shape)).sample().shape),
            ]
        )
    rows = [[re.sub(r"tensor\(.*?\)", "", x, flags=re.S) if isinstance(x, str) else x for x in row] for row in rows]
    assert rows[0] == rows[1]


HEAVY = (
    "Cauchy",
    "HalfCauchy",
    "Relaxed",
    "LogNormal",
    "Pareto",
    "LogisticN",
    "InverseG",
)  # no moments, or a long tail


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith((*HEAVY, "Categorical"))])
def test_samples_have_the_moments_and_lie_in_the_support(name):
    d, _, _ = made(ac, name, grad=False)
    ac.manual_seed(3)
    x = d.sample((40_000,))
    assert bool(d.support.check(x).all()) and not x.requires_grad
    mean, sd = array(d.mean), array(d.stddev)
    error = np.where(np.isfinite(sd), sd, 30.0) / 200
    np.testing.assert_array_less(np.abs(array(x).mean(0) - mean), 5 * error + 1e-9)
    finite = np.isfinite(sd) & (name != "StudentT")
    np.testing.assert_allclose(np.where(finite, array(x).std(0), 1), np.where(finite, sd, 1), rtol=0.12)


@pytest.mark.parametrize(
    "name", [name for name in CASES if name.startswith(("Cauchy", "HalfCauchy", "Relaxed", "LogN"))]
)
def test_samples_follow_the_density(name):
    """The mean of exp(log_prob) over samples, against that of torch's samples."""
    means = []
    for T in (ac, torch):
        T.manual_seed(5)
        d, _, _ = made(T, name, grad=False)
        x = d.sample((40_000,))
        means.append(array((d.log_prob(x).clamp(-20, 20) / 10).tanh()).mean(0))
    np.testing.assert_allclose(*means, atol=0.01)


def test_categories_come_as_often_as_they_should(T):
    T.manual_seed(1)
    d = T.distributions.Categorical(T.tensor([[0.0, 0.25, 0.75], [1.0, 0.0, 0.0]]))
    x = array(d.sample((20_000,)))
    assert x.shape == (20_000, 2) and set(np.unique(x[:, 0])) == {1, 2} and not x[:, 1].any()
    assert abs((x[:, 0] == 2).mean() - 0.75) < 0.02


def test_categories_without_sound_weights_are_not_drawn(T):
    d = T.distributions.Categorical(T.tensor([math.nan, 1.0]), validate_args=False)
    with pytest.raises(RuntimeError, match="probability tensor contains either `inf`, `nan` or element < 0"):
        d.sample()


@pytest.mark.parametrize("name", [name for name in CASES if made(ac, name)[0].has_rsample])
def test_gradients_of_samples_are_those_of_their_mean(name):
    """d E[f(x)] / d parameters by samples, against the mean of f's derivative that torch finds."""
    slopes = []
    for T in (ac, torch):
        T.manual_seed(7)
        d, parameters, _ = made(T, name)
        x = d.rsample((30_000,))
        assert x.requires_grad
        score = (x / 3).tanh().mean(0)
        weights = T.tensor(np.cos(np.arange(score.numel())).reshape(tuple(score.shape)), dtype=T.float64)
        inputs = [p for p in parameters.values() if not isinstance(p, int)]
        slopes.append([array(g) for g in T.autograd.grad((score * weights).sum(), inputs)])
    for ours, theirs in zip(*slopes):
        np.testing.assert_allclose(ours, theirs, rtol=0.1, atol=0.02)


def test_what_cannot_be_differentiated_says_so(T):
    d = T.distributions.Bernoulli(0.5)
    assert not d.has_rsample
    with pytest.raises(NotImplementedError):
        d.rsample()


SHAPES = np.array([0.02, 0.3, 1.0, 3.0, 7.9, 8.1, 20.0, 300.0, 1e5])


def test_a_gamma_sample_moves_with_its_concentration_as_its_quantile_does():
    special = pytest.importorskip("scipy.special")
    a, q = np.meshgrid(SHAPES, [0.01, 0.3, 0.5, 0.9, 0.999])
    x, h = special.gammaincinv(a, q), 1e-4 * a
    slope = (8 * (special.gammaincinv(a + h, q) - special.gammaincinv(a - h, q))) / (12 * h)
    slope -= (special.gammaincinv(a + 2 * h, q) - special.gammaincinv(a - 2 * h, q)) / (12 * h)
    concentration = ac.tensor(a, requires_grad=True)
    from autograd_core.ops.special.gamma_samples import gamma_quantile

    fine = x > 1e-290  # below that SciPy's quantile is 0
    gamma_quantile(concentration, ac.tensor(x)).sum().backward()
    np.testing.assert_allclose(concentration.grad.numpy()[fine], slope[fine], rtol=2e-6)


def test_a_gamma_sample_has_no_second_derivative(T):
    a = T.tensor(2.0, requires_grad=True)
    (g,) = T.autograd.grad(T.distributions.Gamma(a, 1.0).rsample(), a, create_graph=True)
    with pytest.raises((RuntimeError, NotImplementedError), match="not implemented"):
        g.backward()


# -- divergences

PAIRS = [
    (name, name)
    for name in CASES
    if not name.startswith(("Relaxed", "HalfCauchy", "StudentT", "Chi2", "Weibull"))
    and not name.startswith(("Pareto", "InverseGamma", "Logistic", "Negative", "Multinom"))
]
PAIRS += [
    *((p, q) for q in ("Normal",) for p in ("Beta", "Exponential", "Gamma", "Gumbel", "Laplace", "Uniform")),
    *((p, "Exponential") for p in ("Beta", "Gamma", "Uniform", "Normal", "Laplace", "Gumbel")),
    *((p, "Gamma") for p in ("Beta", "Exponential", "Uniform", "Normal", "Laplace", "Gumbel")),
    *((p, "Uniform") for p in ("Beta", "Exponential", "Gamma", "Gumbel", "Laplace", "Normal")),
    *((p, "Beta") for p in ("Uniform", "Exponential", "Gamma", "Gumbel", "Laplace", "Normal")),
    *((p, "Gumbel") for p in ("Normal", "Exponential", "Gamma", "Uniform")),
    *(("Normal", "Laplace"), ("Bernoulli", "Poisson"), ("Poisson", "Bernoulli"), ("Poisson", "Binomial")),
    ("MultivariateNormal, factor", "MultivariateNormal, precision"),
    *(("Pareto", q) for q in ("Pareto", "Normal", "Exponential", "Gamma", "Beta", "Uniform")),
    *((p, "Pareto") for p in ("Uniform", "Beta", "Exponential", "Gamma", "Normal", "Laplace", "Gumbel")),
    *((name, name) for name in ("InverseGamma", "LogisticNormal")),
]


def changed(T, name):
    """Another distribution of the class, with the parameters moved a little."""
    kind, given, _ = CASES[name]
    parameters = {}
    for key, value in given.items():
        x = np.asarray(value, np.float64)
        if key == "probs" and x.ndim == 1:
            x = 0.9 * x
        elif key in ("loc", "low"):
            x = x - 0.1
        elif key not in ("total_count", "covariance_matrix", "precision_matrix"):
            x = 1.2 * x
        parameters[key] = T.tensor(x, dtype=T.float64, requires_grad=True) if key != "total_count" else value
    return getattr(T.distributions, kind)(**parameters), parameters


@pytest.mark.parametrize("p, q", PAIRS)
def test_divergences_and_their_gradients_are_torchs(p, q):
    rows = []
    for T in (ac, torch):
        mine, parameters, _ = made(T, p)
        other, others = changed(T, q)
        kl = T.distributions.kl_divergence(mine, other)
        inputs = [x for x in (*parameters.values(), *others.values()) if not isinstance(x, int)]
        grads = []
        if kl.requires_grad and np.isfinite(array(kl)).all():
            grads = [0.0 if g is None else array(g) for g in T.autograd.grad(kl.sum(), inputs, allow_unused=True)]
        rows.append((array(kl), grads))
    np.testing.assert_allclose(rows[0][0], rows[1][0], rtol=1e-9, atol=1e-11)
    assert rows[0][0].shape == rows[1][0].shape
    if rows[1][1]:
        for ours, theirs in zip(rows[0][1], rows[1][1], strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-9)


def test_a_divergence_of_transformed_and_independent_distributions(T):
    d = T.distributions
    a = d.Independent(d.Normal(T.zeros(2, 3), 1.0), 1)
    b = d.Independent(d.Normal(T.ones(2, 3), 1.0), 1)
    assert d.kl_divergence(a, b).tolist() == [1.5, 1.5]
    assert d.kl_divergence(d.LogNormal(0.0, 1.0), d.LogNormal(1.0, 1.0)).item() == 0.5
    for other in (d.Independent(d.Normal(T.zeros(2, 3), 1.0), 2), d.StudentT(3.0)):
        with pytest.raises(NotImplementedError):
            d.kl_divergence(a, other)


def test_the_registry_takes_the_nearest_classes_and_warns_where_two_are_as_near(T):
    d = T.distributions

    class Mine(d.Normal):
        pass

    @d.register_kl(Mine, d.Normal)
    def left(p, q):
        return "left"

    assert d.kl_divergence(Mine(0.0, 1.0), d.Normal(0.0, 1.0)) == "left"
    assert d.kl_divergence(d.Normal(0.0, 1.0), Mine(0.0, 1.0)).item() == 0.0

    @d.register_kl(d.Normal, Mine)
    def right(p, q):
        return "right"

    with pytest.warns(RuntimeWarning, match="Ambiguous"):
        assert d.kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0)) == "left"


def test_the_registry_refuses_what_is_no_distribution():
    with pytest.raises(TypeError, match="Expected type_q to be a Distribution subclass"):
        ac.distributions.register_kl(ac.distributions.Normal, int)


# -- checks

REFUSALS = {
    "scale": (lambda T, d: d.Normal(0.0, -1.0), "Expected parameter scale"),
    "nan": (lambda T, d: d.Normal(T.tensor(math.nan), 1.0), "to satisfy the constraint Real()"),
    "probs": (lambda T, d: d.Bernoulli(1.5), "Interval(lower_bound=0.0, upper_bound=1.0)"),
    "both": (lambda T, d: d.Bernoulli(0.5, 0.5), "Either `probs` or `logits` must be specified, but not both."),
    "neither": (lambda T, d: d.Categorical(), "Either `probs` or `logits` must be specified, but not both."),
    "a number as probs": (lambda T, d: d.Categorical(T.tensor(0.5)), "`probs` parameter must be at least one-dim"),
    "a negative one": (lambda T, d: d.Categorical(T.tensor([-1.0, 2.0])), "Simplex()"),
    "high": (lambda T, d: d.Uniform(1.0, 0.0), "Expected parameter low"),
    "a string": (lambda T, d: d.Normal("0", 1.0), "must all be instances of Number"),
    "count": (lambda T, d: d.Binomial(-1, T.tensor(0.5)), "Expected parameter total_count"),
    "0": (lambda T, d: d.Geometric(0.0), "probs"),
    "a value": (lambda T, d: d.Normal(0.0, 1.0).log_prob(1.0), "The value argument to log_prob must be a Tensor"),
    "support": (lambda T, d: d.Exponential(1.0).log_prob(T.tensor(-1.0)), "to be within the support"),
    "category": (lambda T, d: d.Categorical(T.ones(3)).log_prob(T.tensor(3)), "to be within the support"),
    "shape": (lambda T, d: d.Normal(T.zeros(3), 1.0).log_prob(T.zeros(2)), "not broadcastable"),
    "event": (lambda T, d: d.Dirichlet(T.ones(3)).log_prob(T.ones(2) / 2), "right-most size of value must match"),
    "matrix": (lambda T, d: d.MultivariateNormal(T.zeros(2), -T.eye(2)), "PositiveDefinite()"),
    "matrices": (lambda T, d: d.MultivariateNormal(T.zeros(2)), "Exactly one of covariance_matrix"),
    "a vector as matrix": (lambda T, d: d.MultivariateNormal(T.zeros(2), T.ones(2)), "at least two-dimensional"),
    "axes": (lambda T, d: d.Independent(d.Normal(0.0, 1.0), 1), "Expected reinterpreted_batch_ndims <="),
    "transform": (lambda T, d: d.TransformedDistribution(d.Normal(0.0, 1.0), [3]), "must be a Transform"),
    "cache": (lambda T, d: d.ExpTransform(cache_size=2), "cache_size must be 0 or 1"),
    "reshape": (lambda T, d: d.ReshapeTransform((2,), (3,)), "different numbers of elements"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_have_the_type_and_the_words_of_torch(T, name):
    call, words = REFUSALS[name]
    with pytest.raises(ValueError, match=re.escape(words)):
        call(T, T.distributions)


def test_checks_can_be_switched_off(T):
    d = T.distributions
    assert d.Normal(0.0, -1.0, validate_args=False).scale.item() == -1.0
    d.Distribution.set_default_validate_args(False)
    try:
        assert d.Exponential(1.0).log_prob(T.tensor(-1.0)).item() == 1.0
    finally:
        d.Distribution.set_default_validate_args(True)
    with pytest.raises(ValueError):
        d.Distribution.set_default_validate_args(3)


def test_a_class_of_ones_own_follows_the_protocol(T):
    class Half(T.distributions.Distribution):
        arg_constraints = {"rate": T.distributions.constraints.positive}  # noqa: RUF012
        support = T.distributions.constraints.nonnegative
        has_rsample = True

        def __init__(self, rate, validate_args=None):
            self.rate = rate
            super().__init__(rate.shape, validate_args=validate_args)

        def rsample(self, sample_shape=()):
            return T.ones(self._extended_shape(sample_shape)) * self.rate

        def log_prob(self, value):
            if self._validate_args:
                self._validate_sample(value)
            return -value * self.rate

    d = Half(T.ones(3))
    assert tuple(d.sample((2,)).shape) == (2, 3) and d.log_prob(T.ones(3)).tolist() == [-1.0] * 3
    with pytest.raises(ValueError):
        Half(-T.ones(3))
    with pytest.raises(NotImplementedError):
        d.entropy()


def test_printed_forms_are_torchs():
    for make in (
        lambda T, d: d.Normal(0.0, 1.0),
        lambda T, d: d.Normal(T.zeros(2), T.ones(2)),
        lambda T, d: d.Categorical(T.ones(4)),
        lambda T, d: d.Independent(d.Normal(T.zeros(2), 1.0), 1),
        lambda T, d: d.Bernoulli(logits=T.zeros(2)),
        lambda T, d: d.constraints.independent(d.constraints.positive, 1),
        lambda T, d: d.transforms.ComposeTransform([d.ExpTransform(), d.TanhTransform()]),
    ):
        ours, theirs = repr(make(ac, ac.distributions)), repr(make(torch, torch.distributions))
        assert ours == theirs.replace("torch.Size", "Size")


def test_distributions_are_copied_and_pickled(T):
    for d in (T.distributions.Normal(0.0, 1.0), T.distributions.LogNormal(0.0, 1.0)):
        for other in (copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
            assert other.log_prob(T.tensor(1.0)).item() == d.log_prob(T.tensor(1.0)).item()


def test_the_package_is_not_imported_before_it_is_asked_for():
    program = (
        "import sys, autograd_core as ac; a = 'autograd_core.distributions' in sys.modules; ac.distributions; print(a)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


def mixture(T, grad=True, batch=(2,)):
    d = T.distributions
    weights = T.tensor([[1.0, 2.0, 3.0]] * 2, dtype=T.float64, requires_grad=grad)
    loc = T.tensor([[-1.0, 0.0, 3.0], [0.0, 1.0, 2.0]], dtype=T.float64, requires_grad=grad)
    return d.MixtureSameFamily(d.Categorical(weights), d.Normal(loc, 1.0)), (weights, loc)


@pytest.mark.parametrize(
    "ask",
    [
        lambda m, x: m.log_prob(x),
        lambda m, x: m.cdf(x),
        lambda m, x: m.mean,
        lambda m, x: m.variance,
        lambda m, x: m.expand((5, 2)).log_prob(x),
    ],
)
def test_a_mixture_is_torchs(ask):
    rows = []
    for T in (ac, torch):
        made, inputs = mixture(T)
        y = ask(made, T.tensor([0.5, 2.5], dtype=T.float64))
        grads = T.autograd.grad((y * T.arange(1, 1 + y.shape[-1])).sum(), inputs)
        rows.append([array(y), *[array(g) for g in grads]])
    for ours, theirs in zip(*rows):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10)


def test_a_mixture_of_vectors_has_the_moments_of_its_samples():
    d = ac.distributions
    components = d.Independent(d.Normal(ac.tensor([[0.0, 1.0], [4.0, -2.0]]), 0.5), 1)
    made = d.MixtureSameFamily(d.Categorical(ac.tensor([0.25, 0.75])), components)
    ac.manual_seed(2)
    x = made.sample((20_000,))
    assert tuple(made.sample((3, 2)).shape) == (3, 2, 2)
    np.testing.assert_allclose(array(x).mean(0), array(made.mean), atol=0.05)
    np.testing.assert_allclose(array(x).var(0), array(made.variance), rtol=0.05)


def test_a_mixture_refuses_shapes_that_do_not_fit(T):
    d = T.distributions
    for weights, components in (
        (d.Normal(0.0, 1.0), d.Normal(T.zeros(2), 1.0)),
        (d.Categorical(T.ones(2)), 3),
        (d.Categorical(T.ones(3)), d.Normal(T.zeros(2), 1.0)),
        (d.Categorical(T.ones(3, 2)), d.Normal(T.zeros(4, 2), 1.0)),
    ):
        with pytest.raises(ValueError):
            d.MixtureSameFamily(weights, components)


@pytest.mark.parametrize("registry", ["biject_to", "transform_to"])
@pytest.mark.parametrize(
    "constraint",
    [
        lambda c: c.real,
        lambda c: c.positive,
        lambda c: c.nonnegative,
        lambda c: c.greater_than(2.0),
        lambda c: c.less_than(2.0),
        lambda c: c.unit_interval,
        lambda c: c.interval(-1.0, 3.0),
        lambda c: c.simplex,
        lambda c: c.real_vector,
        lambda c: c.independent(c.positive, 1),
        lambda c: c.lower_cholesky,
        lambda c: c.positive_definite,
        lambda c: c.boolean,
    ],
)
def test_a_constraint_has_a_transform_that_leads_into_it(registry, constraint):
    rows = []
    for T in (ac, torch):
        wanted = constraint(T.distributions.constraints)
        try:
            made = getattr(T.distributions, registry)(wanted)
        except NotImplementedError:
            rows.append(None)
            continue
        x = T.tensor([[0.3, -1.0, 2.0], [1.0, 0.0, -0.5], [0.1, 0.2, 0.3]], dtype=T.float64)
        y = made(x)
        assert bool(wanted.check(y).all())
        rows.append([y.tolist(), made.inv(y).tolist()])
    assert (rows[0] is None) == (rows[1] is None)
    if rows[0]:
        for ours, theirs in zip(*rows):
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


def test_moments_that_do_not_exist_are_infinite_or_nan():
    for make in (
        lambda T: T.distributions.Pareto(1.0, T.tensor([0.5, 1.0, 1.5, 2.0, 3.0])),
        lambda T: T.distributions.InverseGamma(T.tensor([0.5, 1.0, 1.5, 2.0, 3.0]), 1.0),
        lambda T: T.distributions.StudentT(T.tensor([0.5, 1.0, 1.5, 2.0, 3.0])),
        lambda T: T.distributions.HalfCauchy(T.ones(2)),
        lambda T: T.distributions.Cauchy(T.ones(2), 1.0),
    ):
        for moment in ("mean", "variance"):
            with np.errstate(all="ignore"):
                np.testing.assert_allclose(*[array(getattr(make(T), moment)) for T in (ac, torch)], rtol=1e-6)


def test_a_divergence_from_a_uniform_distribution_to_a_pareto():
    rows = []
    for T in (ac, torch):
        d = T.distributions
        p, q = d.Uniform(T.tensor([2.0, 0.5]), 4.0), d.Pareto(T.tensor([1.5, 1.0]), 3.0)
        rows.append(d.kl_divergence(p, q).tolist())
    np.testing.assert_allclose(*rows, rtol=1e-5)
    assert rows[0][1] == math.inf
