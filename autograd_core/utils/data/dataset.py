"""Datasets: a number in, an example out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tensor import Tensor
from .sampler import source


class Dataset:
    """Base class of your own: `__getitem__` returns the example with a number, `__len__` says how many there are.

    Anything that has both may be given to a `DataLoader`, a list too.
    """

    def __getitem__(self, index) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset):
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


class Subset(Dataset):
    """The examples of a dataset that have the given numbers, in their order.

    >>> import autograd_core as ac
    >>> list(ac.utils.data.Subset(["a", "b", "c"], [2, 0]))
    ['c', 'a']
    """

    def __init__(self, dataset, indices: Sequence[int]):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset, lengths: Sequence[int | float], generator: np.random.Generator | None = None) -> list[Subset]:
    """Share out the examples at random: so many to each part, or such fractions, which sum to 1.

    Fractions are rounded down, and the examples left over go to the first parts, one each. The order comes from
    `generator`, or else from the numbers that `manual_seed` starts. ValueError where the lengths do not fit.

    >>> import autograd_core as ac
    >>> train, valid = ac.utils.data.random_split(range(10), [0.75, 0.25])
    >>> len(train), len(valid), sorted([*train, *valid]) == list(range(10))
    (8, 2, True)
    """
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for i, fraction in enumerate(lengths):
            if not 0 <= fraction <= 1:
                raise ValueError(f"Fraction at index {i} is not between 0 and 1: it is {fraction}")
        counts = [math.floor(total * fraction) for fraction in lengths]
        for i in range(total - sum(counts)):
            counts[i % len(counts)] += 1
        lengths = counts
    if sum(lengths) != total:
        raise ValueError(
            f"Sum of input lengths does not equal the length of the input dataset! {list(lengths)} sum to "
            f"{sum(lengths)}, and there are {total} examples"
        )
    order, parts = source(generator).permutation(total).tolist(), []
    for length in map(int, lengths):
        parts.append(Subset(dataset, order[:length]))
        order = order[length:]
    return parts
