"""The Kullback-Leibler divergence: how much likelier a sample of p is under p than under q, in the mean."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

from ..core.tensor import Tensor
from ..ops.elementwise.piecewise import where
from ..ops.making.creation import full_like
from ..ops.nn.nonlinearities import softplus
from ..ops.shapes.forms import broadcast_shapes
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .categorical import Categorical
from .cauchy import Cauchy
from .dirichlet import Dirichlet
from .distribution import Distribution
from .exponential import Exponential
from .gamma import Gamma
from .geometric import Geometric
from .gumbel import Gumbel
from .half_normal import HalfNormal
from .independent import Independent
from .laplace import Laplace
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .one_hot_categorical import OneHotCategorical
from .poisson import Poisson
from .transformed_distribution import TransformedDistribution
from .uniform import Uniform
from .utils import euler_constant, log_two_pi, sum_rightmost

_RULES: dict[tuple[type, type], Callable] = {}


def register_kl(type_p: type, type_q: type) -> Callable:
    """A decorator for the function that computes KL(p, q) for these classes and what is derived of them.

    TypeError for what is no class of distributions.

    >>> import autograd_core as ac
    >>> d = ac.distributions
    >>> class Mine(d.Normal): pass
    >>> @d.register_kl(Mine, Mine)
    ... def zero(p, q):
    ...     return ac.zeros(())
    >>> d.kl_divergence(Mine(0.0, 1.0), Mine(5.0, 1.0))
    tensor(0.)
    """
    for name, kind in (("type_p", type_p), ("type_q", type_q)):
        if not (isinstance(kind, type) and issubclass(kind, Distribution)):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {kind}")

    def register(function: Callable) -> Callable:
        _RULES[type_p, type_q] = function
        return function

    return register


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The mean of log p(x) - log q(x) over samples x of p: one number for each of the batch.

    The rule is that of the nearest base classes; where two are as near a RuntimeWarning. NotImplementedError where
    there is none.

    >>> import autograd_core as ac
    >>> d = ac.distributions
    >>> d.kl_divergence(d.Normal(0.0, 1.0), d.Normal(1.0, 1.0))
    tensor(0.5000)
    """
    fitting = [pair for pair in _RULES if isinstance(p, pair[0]) and isinstance(q, pair[1])]
    if not fitting:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    steps = {pair: (type(p).__mro__.index(pair[0]), type(q).__mro__.index(pair[1])) for pair in fitting}
    by_p = min(fitting, key=lambda pair: steps[pair])
    by_q = min(fitting, key=lambda pair: steps[pair][::-1])
    if _RULES[by_p] is not _RULES[by_q]:
        names = type(p).__name__, type(q).__name__, by_p[0].__name__, by_q[1].__name__
        warnings.warn(
            f"Ambiguous kl_divergence({names[0]}, {names[1]}). Please register_kl({names[2]}, {names[3]})",
            RuntimeWarning,
            stacklevel=2,
        )
    return _RULES[by_p](p, q)


# -- of one kind


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    success = where(q.probs == 0, math.inf, p.probs * (softplus(-q.logits) - softplus(-p.logits)))
    failure = where(q.probs == 1, math.inf, (1 - p.probs) * (softplus(q.logits) - softplus(p.logits)))
    return where(p.probs == 0, 0.0, success) + where(p.probs == 1, 0.0, failure)


@register_kl(Beta, Beta)
@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    a, b = (d.concentration if isinstance(d, Dirichlet) else d._dirichlet.concentration for d in (p, q))
    norm = a.sum(-1).lgamma() - b.sum(-1).lgamma() - (a.lgamma() - b.lgamma()).sum(-1)
    return norm + ((a - b) * (a.digamma() - a.sum(-1, keepdim=True).digamma())).sum(-1)


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if bool((p.total_count < q.total_count).any()):
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    one = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return where(p.total_count > q.total_count, math.inf, p.total_count * one)


@register_kl(Categorical, Categorical)
@register_kl(OneHotCategorical, OneHotCategorical)
def _categorical(p, q):
    term = where(q.probs == 0, math.inf, p.probs * (p.logits - q.logits))
    return where(p.probs == 0, 0.0, term).sum(-1)


@register_kl(Cauchy, Cauchy)
def _cauchy(p, q):
    return ((p.scale + q.scale) ** 2 + (p.loc - q.loc) ** 2).log() - (4 * p.scale * q.scale).log()


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return ratio - 1 - ratio.log()


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    a, b = p.concentration, q.concentration
    rates = b * (p.rate / q.rate).log() + (q.rate - p.rate) * (a / p.rate)
    return rates + b.lgamma() - a.lgamma() + (a - b) * a.digamma()


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    ratio, shift = p.scale / q.scale, (q.loc - p.loc) / q.scale
    return -ratio.log() - shift + ratio * euler_constant + (shift + (1 + ratio).lgamma()).exp() - (1 + euler_constant)


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError(
            f"KL of Independent distributions with {p.reinterpreted_batch_ndims} and {q.reinterpreted_batch_ndims} "
            "reinterpreted axes is not implemented"
        )
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two Multivariate Normals with different event shapes cannot be computed: "
            f"{p.event_shape} and {q.event_shape}"
        )
    k = p.event_shape[0]
    batch = broadcast_shapes(p.batch_shape, q.batch_shape)
    columns = p.scale_tril.expand((*batch, k, k)).mT
    trace = q._distance(columns.movedim(-2, 0)).sum(0)
    return q._half_log_det - p._half_log_det + 0.5 * (trace + q._distance(q.loc - p.loc) - k)


@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale) ** 2
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale) ** 2 - 1 - ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError("KL of TransformedDistributions with unequal transforms is not implemented")
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Uniform, Uniform)
def _uniform(p, q):
    inside = (q.low <= p.low) & (p.high <= q.high)
    return where(inside, ((q.high - q.low) / (p.high - p.low)).log(), math.inf)


# -- of two kinds: what log q needs of p is a moment or two


def _infinite(p, q):
    """p has values where q has none."""
    return full_like(next(getattr(p, name) for name in p._parameters()), math.inf)


for _p, _qs in {
    Exponential: (Beta, Uniform),
    Gamma: (Beta, Uniform),
    Gumbel: (Beta, Exponential, Gamma, Uniform),
    Laplace: (Beta, Exponential, Gamma, Uniform),
    Normal: (Beta, Exponential, Gamma, Uniform),
    Poisson: (Bernoulli, Binomial),
}.items():
    for _q in _qs:
        register_kl(_p, _q)(_infinite)


@register_kl(Beta, Normal)
@register_kl(Exponential, Normal)
@register_kl(Gamma, Normal)
@register_kl(Gumbel, Normal)
@register_kl(Laplace, Normal)
@register_kl(Uniform, Normal)
def _to_normal(p, q):
    spread = (p.variance + (p.mean - q.loc) ** 2) / (2 * q.scale**2)
    return -p.entropy() + log_two_pi / 2 + q.scale.log() + spread


@register_kl(Beta, Exponential)
@register_kl(Gamma, Exponential)
@register_kl(Uniform, Exponential)
def _to_exponential(p, q):
    divergence = -p.entropy() - q.rate.log() + q.rate * p.mean
    return where(p.low < 0, math.inf, divergence) if isinstance(p, Uniform) else divergence


@register_kl(Beta, Gamma)
@register_kl(Exponential, Gamma)
@register_kl(Uniform, Gamma)
def _to_gamma(p, q):
    b = q.concentration
    divergence = -p.entropy() + b.lgamma() - b * q.rate.log() - (b - 1) * _mean_log(p) + q.rate * p.mean
    return where(p.low < 0, math.inf, divergence) if isinstance(p, Uniform) else divergence


def _mean_log(p):
    """The mean of log x."""
    if isinstance(p, Beta):
        return p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    if isinstance(p, Exponential):
        return -p.rate.log() - euler_constant
    low, high = (where(end < 0, 0.0, end) for end in (p.low, p.high))  # below 0 there is none, and nobody asks for it
    return (high.xlogy(high) - low.xlogy(low)) / (p.high - p.low) - 1


@register_kl(Beta, Uniform)
def _beta_to_uniform(p, q):
    return where((q.low <= 0) & (q.high >= 1), -p.entropy() + (q.high - q.low).log(), math.inf)


@register_kl(Uniform, Beta)
def _uniform_to_beta(p, q):
    a, b = q.concentration1, q.concentration0
    left = Uniform(1 - p.high, 1 - p.low, validate_args=False)
    norm = a.lgamma() + b.lgamma() - (a + b).lgamma()
    divergence = -p.entropy() + norm - (a - 1) * _mean_log(p) - (b - 1) * _mean_log(left)
    return where((p.low < 0) | (p.high > 1), math.inf, divergence)


@register_kl(Normal, Laplace)
def _normal_to_laplace(p, q):
    z = (p.loc - q.loc) / p.scale
    distance = math.sqrt(2 / math.pi) * p.scale * (-0.5 * z**2).exp() + (p.loc - q.loc) * (math.sqrt(0.5) * z).erf()
    return -p.entropy() + (2 * q.scale).log() + distance / q.scale


@register_kl(Normal, Gumbel)
@register_kl(Exponential, Gumbel)
@register_kl(Gamma, Gumbel)
@register_kl(Uniform, Gumbel)
def _to_gumbel(p, q):
    return -p.entropy() + q.scale.log() + (p.mean - q.loc) / q.scale + (q.loc / q.scale).exp() * _mean_exp(p, q.scale)


def _mean_exp(p, scale):
    """The mean of exp(-x / scale)."""
    if isinstance(p, Normal):
        return (-p.loc / scale + 0.5 * (p.scale / scale) ** 2).exp()
    if isinstance(p, Uniform):
        return scale / (p.high - p.low) * ((-p.low / scale).exp() - (-p.high / scale).exp())
    return (1 + 1 / (p.rate * scale)) ** -(p.concentration if isinstance(p, Gamma) else 1)


@register_kl(Bernoulli, Poisson)
def _bernoulli_to_poisson(p, q):
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)
