"""The loader: goes through a dataset in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .collate import default_collate
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler


class DataLoader:
    """An iterable over the batches of an epoch: `for x, y in loader`; `len(loader)` is how many there are.

    `shuffle` takes the examples in a new random order each epoch, which comes from `generator`, or else from the
    numbers that `manual_seed` starts. `drop_last` leaves out a last batch that is not full. `sampler` (numbers) or
    `batch_sampler` (lists of numbers) decides instead what is taken. `collate_fn` makes a batch of a list of examples;
    the default is `default_collate`.

    Everything happens in the calling thread: NotImplementedError for `num_workers` or `pin_memory`. ValueError for
    settings that exclude each other.

    >>> import autograd_core as ac, numpy as np
    >>> data = ac.utils.data.TensorDataset(ac.arange(5.0), ac.arange(5))
    >>> for x, y in ac.utils.data.DataLoader(data, batch_size=2):
    ...     print(x, y)
    tensor([0., 1.]) tensor([0, 1])
    tensor([2., 3.]) tensor([2, 3])
    tensor([4.]) tensor([4])
    >>> shuffled = ac.utils.data.DataLoader(data, batch_size=2, shuffle=True, generator=np.random.default_rng(0))
    >>> sorted(i for _, y in shuffled for i in y.tolist())
    [0, 1, 2, 3, 4]
    """

    def __init__(
        self,
        dataset,
        batch_size: int = 1,
        shuffle: bool | None = None,
        sampler: Sampler | Iterable | None = None,
        batch_sampler: Sampler | Iterable | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        *,
        generator: np.random.Generator | None = None,
    ):
        if num_workers or pin_memory:
            raise NotImplementedError("DataLoader works in the calling thread: leave out num_workers and pin_memory")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
        if sampler is None:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.dataset, self.sampler, self.generator, self.drop_last = dataset, sampler, generator, drop_last
        self.batch_size = batch_size if batch_sampler is None else None
        self.batch_sampler = BatchSampler(sampler, batch_size, drop_last) if batch_sampler is None else batch_sampler
        self.collate_fn = collate_fn or default_collate

    def __iter__(self) -> Iterator:
        for numbers in self.batch_sampler:
            yield self.collate_fn([self.dataset[i] for i in numbers])

    def __len__(self) -> int:
        return len(self.batch_sampler)  # type: ignore[arg-type]
