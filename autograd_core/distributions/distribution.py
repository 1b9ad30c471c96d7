"""What all distributions share: batches and events, checks of parameters and of values, and copies of other shapes."""

from __future__ import annotations

import warnings
from typing import Any

from ..core.modes import no_grad
from ..core.size import Size
from ..core.tensor import Tensor
from . import constraints
from .utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits


class Distribution:
    """Base class of the distributions.

    `batch_shape` is the shape of the parameters, one distribution each; `event_shape` that of one value. A sample has
    the shape that it is asked for, then both of these.

    `rsample` draws so that gradients flow to the parameters; `has_rsample` says whether it can. With `validate_args`
    (on, unless Python runs with -O) ValueError for a parameter outside its constraint, and for a value outside
    `support`.

    A subclass sets its parameters, calls `__init__` with its shapes, and defines what it can of the rest.
    """

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__
    arg_constraints: Any = {}

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Switch the checks on or off for distributions made from here on. ValueError for what is no bool."""
        if value not in (True, False):
            raise ValueError(f"validate_args is True or False, not {value!r}")
        Distribution._validate_args = value

    def __init__(self, batch_shape=(), event_shape=(), validate_args: bool | None = None):
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name in self._parameters():
                self._check_parameter(name, self.arg_constraints[name], getattr(self, name))

    def _parameters(self) -> list[str]:
        """The names of the parameters that were given; one that is computed from another is not there."""
        return [name for name in vars(self) if name in self.arg_constraints]

    def _check_parameter(self, name: str, constraint, value) -> None:
        if not constraints.is_dependent(constraint) and not bool(constraint.check(value).all()):
            raise ValueError(
                f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                f"{self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
            )

    def _set(self, **parameters) -> Size:
        """Keep parameters, made to be of one shape, and return it."""
        for name, value in zip(parameters, broadcast_all(*parameters.values())):
            setattr(self, name, value)
        return value.shape

    def expand(self, batch_shape, _instance=None):
        """The same distribution with another batch shape, to which the parameters are broadcast."""
        new = self._get_checked_instance(type(self), _instance)
        batch_shape = Size(batch_shape)
        for name in self._parameters():
            value = getattr(self, name)
            setattr(new, name, value.expand((*batch_shape, *value.shape[len(self._batch_shape) :])))
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def _get_checked_instance(self, cls, _instance=None):
        """An instance to fill, without a call of its constructor."""
        if _instance is None and type(self).__init__ is not cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also "
                "define a custom .expand() method"
            )
        return type(self).__new__(type(self)) if _instance is None else _instance

    @property
    def batch_shape(self) -> Size:
        """The shape of the parameters."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one value."""
        return self._event_shape

    def _lacks(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} does not implement {what}")

    @property
    def support(self):
        """The set of the values."""
        raise self._lacks("support")

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise self._lacks("mean")

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        raise self._lacks("mode")

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise self._lacks("variance")

    @property
    def stddev(self) -> Tensor:
        """The square root of the variance."""
        return self.variance.sqrt()

    def sample(self, sample_shape=()) -> Tensor:
        """Values drawn at random, without history."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()) -> Tensor:
        """Values drawn at random, through which gradients flow to the parameters."""
        raise self._lacks("rsample: gradients do not flow through its samples; use sample()")

    def sample_n(self, n: int) -> Tensor:
        """`sample((n,))`, which replaces it: FutureWarning."""
        warnings.warn("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning, stacklevel=2)
        return self.sample((n,))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density, or of the probability, at `value`."""
        raise self._lacks("log_prob")

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of at most `value`."""
        raise self._lacks("cdf")

    def icdf(self, value: Tensor) -> Tensor:
        """The quantile of the probability `value`."""
        raise self._lacks("icdf")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values of a discrete distribution along a first axis, for the whole batch or with axes of length 1."""
        raise self._lacks("enumerate_support")

    def _enumerated(self, values: Tensor, expand: bool) -> Tensor:
        """Values along the first axis, with the axes of the batch after it."""
        event = values.shape[1:]
        values = values.reshape((len(values), *[1] * len(self._batch_shape), *event))
        return values.expand((len(values), *self._batch_shape, *event)) if expand else values

    def entropy(self) -> Tensor:
        """The mean of -log_prob."""
        raise self._lacks("entropy")

    def perplexity(self) -> Tensor:
        """exp of the entropy."""
        return self.entropy().exp()

    def _extended_shape(self, sample_shape=()) -> Size:
        """The shape of a sample."""
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _validate_sample(self, value: Tensor) -> None:
        """Raise ValueError for a value of a shape that does not fit, or outside the support."""
        if not isinstance(value, Tensor):
            raise ValueError(f"The value argument to log_prob must be a Tensor, not {type(value).__name__}")
        start = value.dim() - len(self._event_shape)
        if value.shape[max(start, 0) :] != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.shape} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        if any(1 != i != j != 1 for i, j in zip(reversed(value.shape), reversed(expected))):
            raise ValueError(
                f"Value is not broadcastable with batch_shape+event_shape: {value.shape} vs {Size(expected)}."
            )
        if not bool(self.support.check(value).all()):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({self.support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _checked(self, value: Tensor) -> Tensor:
        """The value, checked where checks are on."""
        if self._validate_args:
            self._validate_sample(value)
        return value

    def __repr__(self) -> str:
        shown = []
        for name in self._parameters():
            value = getattr(self, name)
            shown.append(f"{name}: {value if value.numel() == 1 else value.shape}")
        return f"{type(self).__name__}({', '.join(shown)})"


class ExponentialFamily(Distribution):
    """A distribution whose log density is linear in statistics of the value: a name for `isinstance`."""


BINARY = {"probs": constraints.unit_interval, "logits": constraints.real}
ALONG_AXIS = {"probs": constraints.simplex, "logits": constraints.real_vector}


class ProbsOrLogits(Distribution):
    """A distribution with probabilities, or else log-odds, as its parameter: the other is computed when asked for."""

    is_binary = True

    def _set_either(self, probs, logits, **others) -> Size:
        """Keep the one that is given, with other parameters of the same shape, and return it."""
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        return self._set(**others, **({"probs": probs} if logits is None else {"logits": logits}))

    @lazy_property
    def probs(self) -> Tensor:
        """The probabilities."""
        return logits_to_probs(self.logits, self.is_binary)

    @lazy_property
    def logits(self) -> Tensor:
        """The log-odds, or the logarithms of the probabilities."""
        return probs_to_logits(self.probs, self.is_binary)

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter."""
        return self._param.shape

    @property
    def _param(self) -> Tensor:
        return next(value for name, value in vars(self).items() if name in ("probs", "logits"))
