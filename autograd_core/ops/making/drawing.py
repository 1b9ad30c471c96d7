"""Methods that overwrite a tensor with numbers of a distribution; its history ends there, as with a constant."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.call import also_called
from ...core.tensor import Tensor, wrap
from ...core.whole_numbers import whole
from .generator import generator_of
from .random_values import draw

__all__: list[str] = []
METHODS = [
    *("bernoulli_", "cauchy_", "exponential_", "geometric_", "log_normal_", "normal_", "random_", "uniform_"),
]


@also_called(**{"from": "from_"})
def random_(self, from_=None, to=None, *, generator=None) -> Tensor:
    """Overwrite this tensor with random integers: `random_(to)` from 0, or `random_(from, to)`, without `to` itself.

    Without bounds they are all that an integer dtype has from 0 on, or that a floating one has without a gap.

    RuntimeError for no integer between the bounds, and for bounds that the dtype does not have.

    >>> import autograd_core as ac
    >>> ac.zeros(2).random_(3, 4)
    tensor([3., 3.])
    """
    kind = self._array.dtype
    least, most = _whole_numbers(kind)
    if from_ is None:
        low, high = 0, most
    else:
        low, high = (0, whole("to", from_)) if to is None else (whole("from", from_), whole("to", to))
        if low >= high:
            raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
        for name, bound in (("from", low), ("to - 1", high - 1)):
            if not least <= bound <= most:
                raise RuntimeError(f"random_: {name} is out of bounds for {dtypes.OF_NUMPY[kind].name}: {bound}")
        high -= 1
    drawn = generator_of(generator).integers(low, high, self._array.shape, endpoint=True)
    return self.copy_(wrap(np.asarray(drawn).astype(kind)))


def _whole_numbers(kind: np.dtype) -> tuple[int, int]:
    """The least and the largest integer of a dtype; of a floating one, those between which it has all."""
    if kind.kind == "b":
        return 0, 1
    if kind.kind == "f":
        most = 2 ** (np.finfo(kind).nmant + 1)
        return -most, most
    return int(np.iinfo(kind).min), int(np.iinfo(kind).max)


def normal_(self, mean: float = 0, std: float = 1, *, generator=None) -> Tensor:
    """Overwrite this tensor with normal random numbers. RuntimeError for a negative `std`.

    >>> import autograd_core as ac
    >>> ac.zeros(2).normal_(mean=3.0, std=0.0)
    tensor([3., 3.])
    """
    if std < 0:
        raise RuntimeError(f"normal_ expects std >= 0.0, but found std {std}")
    drawn = draw("standard_normal", self._array.shape, self._array.dtype, generator)
    return self.copy_(wrap(mean + std * drawn))


@also_called(**{"from": "from_"})
def uniform_(self, from_: float = 0, to: float = 1, *, generator=None) -> Tensor:
    """Overwrite this tensor with uniform random numbers in [from, to). RuntimeError where from > to.

    >>> import autograd_core as ac
    >>> ac.zeros(2).uniform_(3, to=3)
    tensor([3., 3.])
    """
    if from_ > to:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={from_} > to={to}")
    return self.copy_(wrap(from_ + (to - from_) * draw("random", self._array.shape, self._array.dtype, generator)))


def bernoulli_(self, p=0.5, *, generator=None) -> Tensor:
    """Overwrite this tensor with 1 with probability `p`, a number or a tensor of them, else 0.

    RuntimeError for p outside [0, 1].

    >>> import autograd_core as ac
    >>> ac.zeros(2).bernoulli_(1.0)
    tensor([1., 1.])
    """
    chances = p._array if isinstance(p, Tensor) else np.asarray(p)
    if not ((chances >= 0) & (chances <= 1)).all():
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    return self.copy_(wrap((generator_of(generator).random(self._array.shape) < chances).astype(self._array.dtype)))


def exponential_(self, lambd: float = 1, *, generator=None) -> Tensor:
    """Overwrite this tensor with numbers of the exponential distribution of rate `lambd`, never 0.

    RuntimeError for a rate that is not positive, and for integers.

    >>> import autograd_core as ac
    >>> bool((ac.zeros(3).exponential_() > 0).all())
    True
    """
    if not lambd > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    if not self.is_floating_point():
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {self.dtype}"
        )
    drawn = np.asarray(generator_of(generator).standard_exponential(self._array.shape))
    return self.copy_(_as(self, np.maximum(drawn, np.finfo(np.float32).tiny) / lambd))


def geometric_(self, p: float, *, generator=None) -> Tensor:
    """Overwrite this tensor with numbers of trials, each of which succeeds with probability `p`, up to the success.

    RuntimeError for p outside (0, 1).

    >>> import autograd_core as ac
    >>> bool((ac.zeros(3).geometric_(0.5) >= 1).all())
    True
    """
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p}")
    return self.copy_(_as(self, generator_of(generator).geometric(p, self._array.shape)))


def log_normal_(self, mean: float = 1, std: float = 2, *, generator=None) -> Tensor:
    """Overwrite this tensor with exponentials of normal numbers with this mean and standard deviation.

    RuntimeError for a `std` that is not positive.

    >>> import autograd_core as ac
    >>> bool((ac.zeros(3).log_normal_() > 0).all())
    True
    """
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std}")
    return self.copy_(_as(self, generator_of(generator).lognormal(mean, std, self._array.shape)))


def cauchy_(self, median: float = 0, sigma: float = 1, *, generator=None) -> Tensor:
    """Overwrite this tensor with numbers of the Cauchy distribution. RuntimeError for a `sigma` that is not positive.

    >>> import autograd_core as ac
    >>> ac.zeros(3).cauchy_().shape
    Size([3])
    """
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma}")
    return self.copy_(_as(self, median + sigma * generator_of(generator).standard_cauchy(self._array.shape)))


def _as(tensor: Tensor, drawn) -> Tensor:
    """What was drawn, in the dtype of a tensor."""
    return wrap(np.asarray(drawn).astype(tensor._array.dtype))
