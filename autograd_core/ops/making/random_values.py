"""Random tensors, from the generator of the process unless `generator=` gives another.

`manual_seed` makes a program repeatable. Threads share the generator: each draw is safe, but which thread draws first
is up to the scheduler, so a program that must repeat bit for bit draws in one thread. The numbers are NumPy's, not
PyTorch's.
"""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.results import written_out
from ...core.table import elementwise
from ...core.tensor import Tensor, wrap
from ...core.whole_numbers import whole
from .creation import empty_like, finish, kind_for, kind_of, laid_out_like, sizes, zeros_like
from .generator import generator_of

__all__ = [
    *("bernoulli", "normal", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm"),
]
METHODS = ["bernoulli"]


def draw(method: str, shape, kind: np.dtype, generator=None) -> np.ndarray:
    """Numbers from a generator's `random` or `standard_normal`, which know two floating types."""
    if kind.kind != "f":
        raise NotImplementedError(f"random numbers are drawn for floating dtypes, not for {dtypes.OF_NUMPY[kind].name}")
    native = np.float64 if kind == np.float64 else np.float32
    return np.asarray(getattr(generator_of(generator), method)(shape, native)).astype(kind, copy=False)


def rand(
    *lengths,
    size=None,
    generator=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Uniform random numbers in [0, 1); the shape is separate ints, a sequence, or `size=`.

    >>> import autograd_core as ac
    >>> ac.rand(2, 3).shape
    Size([2, 3])
    """
    array = draw("random", sizes("rand", lengths, size), kind_for(dtype, out), generator)
    return finish("rand", array, requires_grad, device, layout, pin_memory, out=out)


def randn(
    *lengths,
    size=None,
    generator=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Normal random numbers with mean 0 and variance 1; the shape is separate ints, a sequence, or `size=`.

    >>> import autograd_core as ac
    >>> ac.randn((2, 3), dtype=ac.float64).dtype
    autograd_core.float64
    """
    array = draw("standard_normal", sizes("randn", lengths, size), kind_for(dtype, out), generator)
    return finish("randn", array, requires_grad, device, layout, pin_memory, out=out)


def rand_like(
    input,
    *,
    generator=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format=None,
) -> Tensor:
    """Uniform random numbers in [0, 1) with the shape of `input`, and its dtype unless one is given.

    >>> import autograd_core as ac
    >>> ac.rand_like(ac.zeros(2, 3)).shape
    Size([2, 3])
    """
    array = laid_out_like("rand_like", input._array, kind_of(dtype or input.dtype), memory_format)
    array[...] = draw("random", array.shape, array.dtype, generator)
    return finish("rand_like", array, requires_grad, device, layout, pin_memory)


def randn_like(
    input,
    *,
    generator=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format=None,
) -> Tensor:
    """Normal random numbers with the shape of `input`, and its dtype unless one is given.

    >>> import autograd_core as ac
    >>> ac.randn_like(ac.zeros(2, 3)).shape
    Size([2, 3])
    """
    array = laid_out_like("randn_like", input._array, kind_of(dtype or input.dtype), memory_format)
    array[...] = draw("standard_normal", array.shape, array.dtype, generator)
    return finish("randn_like", array, requires_grad, device, layout, pin_memory)


def randint(
    low=0,
    high=None,
    size=None,
    *,
    generator=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
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
    kind = np.dtype(np.int64) if dtype is None and out is None else kind_for(dtype, out)
    array = _integers("randint", low, high, sizes("randint", (size,)), kind, generator)
    return finish("randint", array, requires_grad, device, layout, pin_memory, out=out)


def _integers(name: str, low, high, shape, kind: np.dtype, generator) -> np.ndarray:
    low, high = whole("low", low), whole("high", high)
    if low >= high:
        raise RuntimeError(f"{name}: expects 'low' to be less than 'high', but got low={low} >= high={high}")
    return np.asarray(generator_of(generator).integers(low, high, shape)).astype(kind)


def randint_like(
    input,
    low=0,
    high=None,
    *,
    generator=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format=None,
) -> Tensor:
    """Random integers in the shape of `input`, with its dtype: `randint_like(x, high)` or `randint_like(x, low, high)`.

    >>> import autograd_core as ac
    >>> ac.randint_like(ac.zeros(2), 5, 6)
    tensor([5., 5.])
    """
    low, high = (0, low) if high is None else (low, high)
    array = laid_out_like("randint_like", input._array, kind_of(dtype or input.dtype), memory_format)
    array[...] = _integers("randint_like", low, high, array.shape, array.dtype, generator)
    return finish("randint_like", array, requires_grad, device, layout, pin_memory)


def randperm(
    n: int,
    *,
    generator=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The integers from 0 to n - 1 in random order, as int64. RuntimeError for a negative n.

    >>> import autograd_core as ac
    >>> sorted(ac.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    order = generator_of(generator).permutation(*sizes("randperm", (n,)))
    kind = np.dtype(np.int64) if dtype is None and out is None else kind_for(dtype, out)
    return finish("randperm", order.astype(kind), requires_grad, device, layout, pin_memory, out=out)


def bernoulli(input, p=None, *, generator=None) -> Tensor:
    """1 with the probability that `input` holds, or with probability `p`, else 0; its shape and dtype.

    RuntimeError for a probability outside [0, 1]. The gradient is 0: what is drawn does not depend smoothly on it.

    >>> import autograd_core as ac
    >>> ac.bernoulli(ac.tensor([0.0, 1.0])), ac.bernoulli(ac.tensor([0.0, 0.0]), 1.0)
    (tensor([0., 1.]), tensor([1., 1.]))
    """
    if p is not None:
        return empty_like(input).bernoulli_(p, generator=generator)
    return _as_drawn(input, generator)


def _drawn(p, generator=None):
    if p.dtype.kind != "f":
        raise RuntimeError(f"bernoulli: probabilities are floating-point numbers, not {p.dtype}")
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(f"bernoulli: probabilities must lie in [0, 1], got values from {p.min()} to {p.max()}")
    return (draw("random", p.shape, p.dtype, generator) < p).astype(p.dtype)


_as_drawn = elementwise(
    "bernoulli", _drawn, "x", lambda g: zeros_like(g), promote=None, doc="1 with the probability that `input` holds."
)


_as_normal = elementwise(
    "normal",
    lambda mean, std, drawn: mean + std * drawn,
    "mean std drawn",
    lambda g: zeros_like(g),
    lambda g: zeros_like(g),
    None,
    doc="Standard normal numbers, moved and scaled. Gradients: 0, since what is drawn does not move with them.",
    example="ac.normal(ac.tensor([1.0]), 0.0) -> tensor([1.])",
)


def normal(
    mean=0.0,
    std=1.0,
    size=None,
    *,
    generator=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Normal random numbers: each with its own mean and standard deviation where these are tensors, else `size` many.

    Tensors broadcast, and their gradient is 0, as in PyTorch: for one that follows the numbers compute
    `mean + std * randn_like(mean)`. RuntimeError for a negative `std`.

    >>> import autograd_core as ac
    >>> ac.normal(ac.tensor([1.0, 2.0]), 0.0), ac.normal(3.0, 0.0, (2,))
    (tensor([1., 2.]), tensor([3., 3.]))
    """
    if isinstance(std, Tensor) and (std._array < 0).any():
        raise RuntimeError("normal expects all elements of std >= 0.0")
    if not isinstance(std, Tensor) and std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    tensors = [x for x in (mean, std) if isinstance(x, Tensor)]
    if size is None and not tensors:
        raise TypeError("normal() needs a size where mean and std are numbers: normal(0.0, 1.0, (2, 3))")
    shape = np.broadcast_shapes(*[x.shape for x in tensors]) if size is None else sizes("normal", (size,))
    kind = tensors[0]._array.dtype if tensors else kind_for(dtype, out)
    array = draw("standard_normal", shape, kind, generator)
    if tensors:
        drawn = _as_normal(
            *(x if isinstance(x, Tensor) else wrap(np.asarray(x, kind)) for x in (mean, std)), wrap(array)
        )
        return drawn if out is None else written_out("normal", drawn, out)
    return finish("normal", mean + std * array, requires_grad, device, layout, pin_memory, out=out)
