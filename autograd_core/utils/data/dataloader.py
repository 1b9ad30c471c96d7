"""The loader: goes through a dataset in batches."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from .collate import default_collate, default_convert
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, check_flag, check_number

T = TypeVar("T", covariant=True)


def get_worker_info() -> None:
    """None: examples are always loaded in the calling process, as by PyTorch's loader without workers.

    >>> import autograd_core as ac
    >>> print(ac.utils.data.get_worker_info())
    None
    """


class DataLoader(Generic[T]):
    """An iterable over the batches of an epoch: `for x, y in loader`; `len(loader)` is how many there are.

    `shuffle` takes the examples in a new random order each epoch, which comes from `generator`, or else from the
    numbers that `manual_seed` starts. `drop_last` leaves out a last batch that is not full. `sampler` (numbers) or
    `batch_sampler` (lists of numbers) decides instead what is taken; an `IterableDataset` decides for itself.
    `collate_fn` makes a batch of a list of examples; the default is `default_collate`. With `batch_size=None` examples
    come one by one as they are.

    Everything happens in the calling thread, whatever `num_workers`, which changes when examples are loaded and not
    which; so `timeout`, `prefetch_factor`, `persistent_workers`, `multiprocessing_context` and `in_order` have nothing
    to do. UserWarning for a `worker_init_fn`, which is never called, and for `pin_memory`, since there is no
    accelerator. ValueError for settings that exclude each other.

    >>> import autograd_core as ac
    >>> data = ac.utils.data.TensorDataset(ac.arange(5.0), ac.arange(5))
    >>> for x, y in ac.utils.data.DataLoader(data, batch_size=2):
    ...     print(x, y)
    tensor([0., 1.]) tensor([0, 1])
    tensor([2., 3.]) tensor([2, 3])
    tensor([4.]) tensor([4])
    >>> shuffled = ac.utils.data.DataLoader(data, batch_size=2, shuffle=True, generator=ac.Generator().manual_seed(0))
    >>> sorted(i for _, y in shuffled for i in y.tolist())
    [0, 1, 2, 3, 4]
    """

    def __init__(
        self,
        dataset,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Sampler | Iterable | None = None,
        batch_sampler: Sampler | Iterable | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context=None,
        generator: np.random.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ):
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers, multiprocessing_context)
        _check_order(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last)
        if num_workers and worker_init_fn is not None:
            warnings.warn(
                f"DataLoader loads in the calling process, so there are no {num_workers} workers that worker_init_fn "
                "could be called in; leave it out, or call it yourself",
                stacklevel=2,
            )
        if pin_memory:
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be "
                "used.",
                stacklevel=2,
            )
        self.dataset, self.generator, self.drop_last = dataset, generator, drop_last
        self.num_workers, self.timeout, self.worker_init_fn = num_workers, timeout, worker_init_fn
        self.prefetch_factor, self.persistent_workers = prefetch_factor, persistent_workers
        self.multiprocessing_context, self.in_order = multiprocessing_context, in_order
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        self.batch_size = batch_size if batch_sampler is None else None
        if sampler is None and not isinstance(dataset, IterableDataset):
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.sampler, self.batch_sampler = sampler, batch_sampler
        if self.batch_size is not None and sampler is not None:
            self.batch_sampler = BatchSampler(sampler, self.batch_size, drop_last)
        in_batches = self.batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if in_batches else default_convert)

    def __iter__(self) -> Iterator:
        if self.batch_sampler is not None:
            return (self.collate_fn(self._fetched(numbers)) for numbers in self.batch_sampler)
        if self.sampler is not None:
            return (self.collate_fn(self.dataset[i]) for i in self.sampler)
        if self.batch_size is None:
            return map(self.collate_fn, self.dataset)
        return self._chunks(self.batch_size)

    def _fetched(self, numbers: list[int]) -> list:
        """The examples of a batch, all at once from a dataset that can."""
        if hasattr(self.dataset, "__getitems__"):
            return self.dataset.__getitems__(numbers)
        return [self.dataset[i] for i in numbers]

    def _chunks(self, batch_size: int) -> Iterator:
        """The batches of an `IterableDataset`."""
        examples = iter(self.dataset)
        while (batch := list(islice(examples, batch_size))) and (len(batch) == batch_size or not self.drop_last):
            yield self.collate_fn(batch)

    def __len__(self) -> int:
        if self.batch_sampler is not None:
            return len(self.batch_sampler)  # type: ignore[arg-type]
        n = len(self.dataset if self.sampler is None else self.sampler)  # type: ignore[arg-type]
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


def _check_order(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last) -> None:
    """Raise ValueError for settings that say two different things about what a batch is made of."""
    if isinstance(dataset, IterableDataset):
        for name, value in (("shuffle", shuffle), ("sampler", sampler), ("batch_sampler", batch_sampler)):
            if value not in (None, False):
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
                )
        if batch_size is not None:
            check_number("batch_size", batch_size)
            check_flag("drop_last", drop_last)
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
        raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")
    if batch_size is None and drop_last:
        raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")


def _check_workers(num_workers, timeout, prefetch_factor, persistent_workers, context) -> None:
    """Raise ValueError for what PyTorch's loader refuses to know about its workers."""
    if num_workers < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError("prefetch_factor option could only be specified in multiprocessing: set num_workers > 0 too")
    if num_workers == 0 and persistent_workers:
        raise ValueError("persistent_workers option needs num_workers > 0")
    if num_workers == 0 and context is not None:
        raise ValueError("multiprocessing_context can only be used with multi-process loading (num_workers > 0)")
