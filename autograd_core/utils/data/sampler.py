"""Samplers: in which order, and in which batches, the examples of a dataset are taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized

import numpy as np

from ...ops.making.random import randint


def source(generator: np.random.Generator | None) -> np.random.Generator:
    """The generator, or a new one whose seed is drawn from the numbers that `manual_seed` starts."""
    if generator is None:
        return np.random.default_rng(int(randint(2**62, ())))
    if not isinstance(generator, np.random.Generator):
        raise TypeError(
            f"generator must be a NumPy generator, not {type(generator).__name__}: pass np.random.default_rng(seed), "
            "or none after ac.manual_seed(seed)"
        )
    return generator


class Sampler:
    """Base class of your own: `__iter__` gives the numbers of one epoch, `__len__` says how many."""

    def __iter__(self) -> Iterator:
        raise NotImplementedError("Subclasses of Sampler should implement __iter__.")


class SequentialSampler(Sampler):
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


class RandomSampler(Sampler):
    """All examples in a new random order each epoch, or `num_samples` of them; with `replacement` each draw is of all.

    More than there are, without replacement, come from one order after the other. The order comes from `generator`, or
    else from the numbers that `manual_seed` starts.

    >>> import autograd_core as ac, numpy as np
    >>> orders = [list(ac.utils.data.RandomSampler("abcd", generator=np.random.default_rng(0))) for _ in range(2)]
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
            yield from generator.integers(n, size=self.num_samples).tolist()
            return
        for start in range(0, self.num_samples, n):
            yield from generator.permutation(n).tolist()[: self.num_samples - start]

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
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
