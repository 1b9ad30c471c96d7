"""Datasets: a number in, an example out; or one example after the other."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import index
from typing import Any, Generic, TypeVar

import numpy as np

from ...core.tensor import Tensor
from ...ops.making.random_values import randperm

T = TypeVar("T", covariant=True)


class Dataset(Generic[T]):
    """Base class of your own: `__getitem__` returns the example with a number, `__len__` says how many there are.

    Anything that has both may be given to a `DataLoader`, a list too. `a + b` is `ConcatDataset([a, b])`.

    >>> import autograd_core as ac
    >>> class Squares(ac.utils.data.Dataset):
    ...     def __getitem__(self, i):
    ...         return i * i
    ...
    ...     def __len__(self):
    ...         return 3
    >>> list(ac.utils.data.DataLoader(Squares(), batch_size=3))
    [tensor([0, 1, 4])]
    """

    def __getitem__(self, index) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset) -> Dataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T], Iterable[T]):
    """Base class of your own, for examples that come one after the other: `__iter__` gives those of an epoch.

    It may be without a length. A `DataLoader` takes no sampler with it and does not shuffle. `a + b` is
    `ChainDataset([a, b])`.

    >>> import autograd_core as ac
    >>> class Count(ac.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter(range(3))
    >>> list(ac.utils.data.DataLoader(Count(), batch_size=2))
    [tensor([0, 1]), tensor([2])]
    """

    def __add__(self, other: Dataset) -> ChainDataset:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple]):
    """Examples that are the rows of tensors: a tuple with one row of each. AssertionError where their numbers differ.

    >>> import autograd_core as ac
    >>> x, y = ac.tensor([[1.0, 2.0], [3.0, 4.0]]), ac.tensor([0, 1])
    >>> ac.utils.data.TensorDataset(x, y)[1]
    (tensor([3., 4.]), tensor(1))
    """

    def __init__(self, *tensors: Tensor):
        sizes = [tensor.shape[0] for tensor in tensors]
        if len(set(sizes)) > 1:
            raise AssertionError(f"Size mismatch between tensors: their first dimensions are {sizes}")
        self.tensors = tensors

    def __getitem__(self, index) -> tuple:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class StackDataset(Dataset):
    """Examples of several datasets side by side: tuples, or dicts when the datasets have names.

    >>> import autograd_core as ac
    >>> ac.utils.data.StackDataset(image=["cat.png", "dog.png"], label=[0, 1])[1]
    {'image': 'dog.png', 'label': 1}
    """

    def __init__(self, *args, **kwargs):
        if bool(args) == bool(kwargs):
            raise ValueError("StackDataset: at least one dataset should be passed, and all by position or all by name")
        self.datasets = kwargs or args
        sizes = [len(dataset) for dataset in (kwargs.values() or args)]
        if len(set(sizes)) > 1:
            raise ValueError(f"Size mismatch between datasets: their lengths are {sizes}")
        self._length = sizes[0]

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[T]):
    """The examples of several datasets, one dataset after the other. Each must have a length.

    >>> import autograd_core as ac
    >>> both = ac.utils.data.ConcatDataset(["ab", "cde"])
    >>> len(both), both[2], both[-1]
    (5, 'c', 'e')
    """

    def __init__(self, datasets: Iterable):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset; ChainDataset does")
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __getitem__(self, idx):
        if not -len(self) <= idx < len(self):
            raise (ValueError if idx < 0 else IndexError)(
                "absolute value of index should not exceed dataset length: "
                f"there are {len(self)} examples, and {idx} is asked for"
            )
        idx += len(self) if idx < 0 else 0
        which = bisect_right(self.cumulative_sizes, idx)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


class ChainDataset(IterableDataset):
    """The examples of several iterable datasets, one dataset after the other.

    >>> import autograd_core as ac
    >>> class Count(ac.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter(range(2))
    >>> list(Count() + Count())
    [0, 1, 0, 1]
    """

    def __init__(self, datasets: Iterable):
        self.datasets = datasets

    def __iter__(self) -> Iterator:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError(
                    f"ChainDataset only supports IterableDataset, not {type(dataset).__name__}; ConcatDataset takes it"
                )
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self.datasets)


class Subset(Dataset[T]):
    """Some examples of a dataset: those with the numbers `indices`, in that order.

    >>> import autograd_core as ac
    >>> few = ac.utils.data.Subset("abcd", [3, 0])
    >>> few[0], len(few)
    ('d', 2)
    """

    def __init__(self, dataset, indices: Sequence[int]):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset, lengths: Sequence, generator: np.random.Generator | None = None) -> list[Subset]:
    """Parts of a dataset that do not overlap, of the given lengths, or of fractions that sum to 1, drawn at random.

    What fractions leave over is dealt out from the first part on. ValueError where the lengths do not add up to that
    of the dataset.

    >>> import autograd_core as ac
    >>> [len(part) for part in ac.utils.data.random_split(range(10), [0.75, 0.25])]
    [8, 2]
    """
    n = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _dealt_out(n, lengths)
    if sum(lengths) != n:
        raise ValueError(
            "Sum of input lengths does not equal the length of the input dataset: "
            f"{list(lengths)} do not make {n} examples"
        )
    counts = [index(length) for length in lengths]
    order = randperm(n, generator=generator).tolist()
    return [Subset(dataset, order[end - count : end]) for count, end in zip(counts, accumulate(counts))]


def _dealt_out(n: int, fractions: Sequence[float]) -> list[int]:
    """How many of `n` examples each part gets."""
    for i, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1: {fraction}")
    counts = [math.floor(n * fraction) for fraction in fractions]
    for i in range(n - sum(counts)):
        counts[i % len(counts)] += 1
    for i, count in enumerate(counts):
        if not count:
            warnings.warn(f"Length of split at index {i} is 0. This might result in an empty dataset.", stacklevel=3)
    return counts
