"""Samplers: in which order, and in which batches, the examples of a dataset are taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Generic, TypeVar

import numpy as np

from ...core import dtypes
from ...ops.making.categories import multinomial
from ...ops.making.creation import as_tensor
from ...ops.making.generator import generator_of
from ...ops.making.random_values import randint

T = TypeVar("T", covariant=True)
TOGETHER = 1024  # numbers that are drawn at once: a sampler may be asked for more than memory holds


def source(generator: np.random.Generator | None) -> np.random.Generator:
    """The generator, or a new one whose seed is drawn from the numbers that `manual_seed` starts."""
    if generator is None:
        return np.random.default_rng(int(randint(2**62, ())))
    return generator_of(generator)


class Sampler(Generic[T]):
    """Base class of your own: `__iter__` gives the numbers of one epoch, `__len__` says how many."""

    def __iter__(self) -> Iterator[T]:
        raise NotImplementedError("Subclasses of Sampler should implement __iter__.")


class SequentialSampler(Sampler[int]):
    """All examples, in order.

    >>> import autograd_core as ac
    >>> list(ac.utils.data.SequentialSampler(["a", "b", "c"]))
    [0, 1, 2]
    """

    def __init__(self, data_source: Sized):
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All examples in a new random order each epoch, or `num_samples` of them; with `replacement` each draw is of all.

    More than there are, without replacement, come from one order after the other. The order comes from `generator`, or
    else from the numbers that `manual_seed` starts.

    >>> import autograd_core as ac
    >>> orders = [list(ac.utils.data.RandomSampler("abcd", generator=ac.Generator())) for _ in range(2)]
    >>> orders[0] == orders[1], sorted(orders[0])
    (True, [0, 1, 2, 3])
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: np.random.Generator | None = None,
    ):
        check_flag("replacement", replacement, TypeError)
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples
        check_number("num_samples", self.num_samples)

    @property
    def num_samples(self) -> int:
        """How many numbers an epoch gives."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        generator, n = source(self.generator), len(self.data_source)
        if self.replacement:
            for start in range(0, self.num_samples, TOGETHER):
                yield from generator.integers(n, size=min(TOGETHER, self.num_samples - start)).tolist()
            return
        for start in range(0, self.num_samples, n):
            yield from generator.permutation(n).tolist()[: self.num_samples - start]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """The given numbers, in a new random order each epoch.

    >>> import autograd_core as ac
    >>> sorted(ac.utils.data.SubsetRandomSampler([7, 5, 3]))
    [3, 5, 7]
    """

    def __init__(self, indices: Sequence[int], generator: np.random.Generator | None = None):
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for i in source(self.generator).permutation(len(self.indices)).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """`num_samples` numbers below `len(weights)`, each as likely as its weight says; without `replacement` each once.

    RuntimeError, when numbers are drawn, as from `multinomial`.

    >>> import autograd_core as ac
    >>> list(ac.utils.data.WeightedRandomSampler([0.0, 2.0, 0.0], 3))
    [1, 1, 1]
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: np.random.Generator | None = None,
    ):
        check_number("num_samples", num_samples)
        check_flag("replacement", replacement)
        self.weights = as_tensor(weights, dtype=dtypes.float64)
        if self.weights.ndim != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}"
            )
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        drawn = multinomial(self.weights, self.num_samples, self.replacement, generator=source(self.generator))
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of `batch_size` numbers of another sampler; the last one is shorter, or with `drop_last` left out.

    >>> import autograd_core as ac
    >>> list(ac.utils.data.BatchSampler(range(5), 2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Sampler | Iterable[int], batch_size: int, drop_last: bool):
        check_number("batch_size", batch_size)
        check_flag("drop_last", drop_last)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        batch = []
        for i in self.sampler:
            batch.append(i)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        n = len(self.sampler)  # type: ignore[arg-type]
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


def check_number(name: str, value) -> None:
    """Raise ValueError for anything but a positive int."""
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")


def check_flag(name: str, value, error: type[Exception] = ValueError) -> None:
    """Raise an error for anything but a bool; PyTorch's types of error differ."""
    if not isinstance(value, bool):
        raise error(f"{name} should be a boolean value, but got {name}={value}")
