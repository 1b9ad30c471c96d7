"""Probability distributions: `torch.distributions`."""

from ..names import facade
from . import constraints, transforms, utils
from .binary import Bernoulli, Binomial, Geometric
from .categorical import Categorical, OneHotCategorical, OneHotCategoricalStraightThrough
from .distribution import Distribution, ExponentialFamily
from .exponential import Exponential
from .gamma import Chi2, Gamma
from .independent import Independent
from .kl import kl_divergence, register_kl
from .location_scale import Cauchy, Gumbel, HalfCauchy, Laplace
from .multivariate_normal import MultivariateNormal
from .normal import HalfNormal, LogNormal, Normal
from .poisson import Poisson
from .proportions import Beta, Dirichlet
from .relaxed import RelaxedBernoulli, RelaxedOneHotCategorical
from .student_t import StudentT
from .transformed_distribution import TransformedDistribution
from .transforms import *  # noqa: F403
from .uniform import Uniform

__all__ = [
    *("Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2", "Dirichlet", "Distribution", "Exponential"),
    *("ExponentialFamily", "Gamma", "Geometric", "Gumbel", "HalfCauchy", "HalfNormal", "Independent", "Laplace"),
    *("LogNormal", "MultivariateNormal", "Normal", "OneHotCategorical", "OneHotCategoricalStraightThrough", "Poisson"),
    *("RelaxedBernoulli", "RelaxedOneHotCategorical", "StudentT", "TransformedDistribution", "Uniform"),
    *("constraints", "kl_divergence", "register_kl", "transforms", "utils"),
    *transforms.__all__,
]
__getattr__, __dir__ = facade(__name__, __all__)
