"""A dataset in equal parts, one for each process that trains with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized

import numpy as np

from ...distributed import get_rank, get_world_size
from ...ops.making.generator import Generator
from .sampler import Sampler


class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th number, from `rank` on, of all numbers in an order that `seed` and the epoch decide.

    The parts are made equal: numbers come twice to fill the last ones, or with `drop_last` the last numbers are left
    out. `set_epoch` before each epoch gives it another order. Without `num_replicas` and `rank` the group of
    processes is asked for them, of which there is none: ValueError, as for a rank that is no replica's.

    >>> import autograd_core as ac
    >>> parts = [ac.utils.data.DistributedSampler("abcde", 2, rank, shuffle=False) for rank in range(2)]
    >>> [list(part) for part in parts]
    [[0, 2, 4], [1, 3, 0]]
    """

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ):
        self.dataset, self.shuffle, self.seed, self.drop_last, self.epoch = dataset, shuffle, seed, drop_last, 0
        self.num_replicas = get_world_size() if num_replicas is None else num_replicas
        self.rank = get_rank() if rank is None else rank
        if not 0 <= self.rank < self.num_replicas:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {self.num_replicas - 1}]")
        each = len(dataset) / self.num_replicas
        self.num_samples = math.floor(each) if drop_last else math.ceil(each)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self) -> Iterator[int]:
        order = np.arange(len(self.dataset))
        if self.shuffle:
            order = Generator().manual_seed(self.seed + self.epoch).permutation(order)
        return iter(np.resize(order, self.total_size)[self.rank :: self.num_replicas].tolist())

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch comes next."""
        self.epoch = epoch
