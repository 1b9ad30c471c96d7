"""Random tensors, from the generator of the process unless `generator=` gives another.

`manual_seed` makes a program repeatable. Threads share the generator: each draw is safe, but which thread draws first
is up to the scheduler, so a program that must repeat bit for bit draws in one thread. The numbers are NumPy's, not
PyTorch's.
"""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.tensor import Tensor, wrap
from ...core.write import in_place
from .creation import finish, kind_of, sizes
from .filling import copy
from .generator import generator_of

__all__ = ["bernoulli", "rand", "rand_like", "randint", "randn", "randn_like", "randperm"]
METHODS = ["bernoulli", "bernoulli_", "normal_", "uniform_"]

_copy_into = in_place(copy)


def _draw(method: str, shape, kind: np.dtype, generator) -> np.ndarray:
    """Numbers from a generator's `random` or `standard_normal`, which know two floating types."""
    if kind.kind != "f":
        raise NotImplementedError(f"random numbers are drawn for floating dtypes, not for {dtypes.OF_NUMPY[kind].name}")
    native = np.float64 if kind == np.float64 else np.float32
    return np.asarray(getattr(generator_of(generator), method)(shape, native)).astype(kind, copy=False)


def rand(*size, generator=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Uniform random numbers in [0, 1); `size` is separate ints or a sequence.

    >>> import autograd_core as ac
    >>> ac.rand(2, 3).shape
    Size([2, 3])
    """
    return finish("rand", _draw("random", sizes("rand", size), kind_of(dtype), generator), requires_grad, device)


def randn(*size, generator=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Normal random numbers with mean 0 and variance 1; `size` is separate ints or a sequence.

    >>> import autograd_core as ac
    >>> ac.randn((2, 3), dtype=ac.float64).dtype
    autograd_core.float64
    """
    return finish(
        "randn", _draw("standard_normal", sizes("randn", size), kind_of(dtype), generator), requires_grad, device
    )


def rand_like(input, *, generator=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Uniform random numbers in [0, 1) with the shape of `input`, and its dtype unless one is given.

    >>> import autograd_core as ac
    >>> ac.rand_like(ac.zeros(2, 3)).shape
    Size([2, 3])
    """
    return rand(
        input.shape, generator=generator, dtype=dtype or input.dtype, device=device, requires_grad=requires_grad
    )


def randn_like(input, *, generator=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """Normal random numbers with the shape of `input`, and its dtype unless one is given.

    >>> import autograd_core as ac
    >>> ac.randn_like(ac.zeros(2, 3)).shape
    Size([2, 3])
    """
    return randn(
        input.shape, generator=generator, dtype=dtype or input.dtype, device=device, requires_grad=requires_grad
    )


def randint(
    low=0, high=None, size=None, *, generator=None, dtype=None, device=None, requires_grad: bool = False
) -> Tensor:
    """Random integers from `low` up to but not including `high`: `randint(high, size)` or `randint(low, high, size)`.

    int64 unless another dtype is given. RuntimeError where the range is empty.

    >>> import autograd_core as ac
    >>> ac.randint(5, 6, (3,)), ac.randint(1, (2,))
    (tensor([5, 5, 5]), tensor([0, 0]))
    """
    if size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    if size is None:
        raise TypeError(f"randint() needs a size, a sequence of ints: randint({high}, (2, 3))")
    if low >= high:
        raise RuntimeError(f"randint: expects 'low' to be less than 'high', but got low={low} >= high={high}")
    drawn = generator_of(generator).integers(low, high, sizes("randint", (size,)))
    kind = np.int64 if dtype is None else kind_of(dtype)
    return finish("randint", np.asarray(drawn).astype(kind), requires_grad, device)


def randperm(n: int, *, generator=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """The integers from 0 to n - 1 in random order, as int64. RuntimeError for a negative n.

    >>> import autograd_core as ac
    >>> sorted(ac.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    order = generator_of(generator).permutation(*sizes("randperm", (n,)))
    return finish("randperm", order.astype(np.int64 if dtype is None else kind_of(dtype)), requires_grad, device)


def bernoulli(input, *, generator=None) -> Tensor:
    """1 with the probability that `input` holds, else 0; its shape and dtype, no history. RuntimeError outside [0, 1].

    >>> import autograd_core as ac
    >>> ac.bernoulli(ac.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    p = input._array
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(f"bernoulli: probabilities must lie in [0, 1], got values from {p.min()} to {p.max()}")
    return wrap((_draw("random", p.shape, p.dtype, generator) < p).astype(p.dtype))


# -- methods that overwrite a tensor; its history ends here, as with copy_ from a constant


def normal_(self, mean: float = 0, std: float = 1, *, generator=None) -> Tensor:
    """Overwrite this tensor with normal random numbers. RuntimeError for a negative `std`.

    >>> import autograd_core as ac
    >>> ac.zeros(2).normal_(mean=3.0, std=0.0)
    tensor([3., 3.])
    """
    if std < 0:
        raise RuntimeError(f"normal_ expects std >= 0.0, but found std {std}")
    return _copy_into(
        self, wrap(mean + std * _draw("standard_normal", self._array.shape, self._array.dtype, generator))
    )


def uniform_(self, low: float = 0, high: float = 1, *, generator=None) -> Tensor:
    """Overwrite this tensor with uniform random numbers in [low, high). RuntimeError where low > high.

    >>> import autograd_core as ac
    >>> ac.zeros(2).uniform_(3, 3)
    tensor([3., 3.])
    """
    if low > high:
        raise RuntimeError(f"uniform_ expects to return a [low, high) range, but found low={low} > high={high}")
    return _copy_into(self, wrap(low + (high - low) * _draw("random", self._array.shape, self._array.dtype, generator)))


def bernoulli_(self, p: float = 0.5, *, generator=None) -> Tensor:
    """Overwrite this tensor with 1 with probability `p`, else 0. RuntimeError for p outside [0, 1].

    >>> import autograd_core as ac
    >>> ac.zeros(2).bernoulli_(1.0)
    tensor([1., 1.])
    """
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    return _copy_into(self, wrap((generator_of(generator).random(self._array.shape) < p).astype(self._array.dtype)))
