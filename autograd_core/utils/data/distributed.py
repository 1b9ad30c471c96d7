"""The part of a dataset that one of several processes reads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized

import numpy as np

from ... import distributed
from ...names import facade
from .sampler import Sampler

__all__ = ["DistributedSampler"]
__getattr__, __dir__ = facade(__name__, __all__)


class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th example from number `rank` on, of an order that `seed` and `set_epoch` decide.

    All parts are of one length: examples from the beginning are given again, or with `drop_last` some at the end are
    left out. ValueError for a `rank` that there is not, and where neither it nor `num_replicas` is given, since there
    is one process here.

    >>> import autograd_core as ac
    >>> from autograd_core.utils.data.distributed import DistributedSampler
    >>> [list(DistributedSampler("abcde", num_replicas=2, rank=rank, shuffle=False)) for rank in range(2)]
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
        num_replicas = distributed.get_world_size() if num_replicas is None else num_replicas
        rank = distributed.get_rank() if rank is None else rank
        if not 0 <= rank < num_replicas:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank, self.epoch = dataset, num_replicas, rank, 0
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        share = len(dataset) / num_replicas
        self.num_samples = math.floor(share) if drop_last else math.ceil(share)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        n = len(self.dataset)
        order = np.random.default_rng(self.seed + self.epoch).permutation(n) if self.shuffle else np.arange(n)
        return iter(np.resize(order, self.total_size)[self.rank :: self.num_replicas].tolist())

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Take the order of this epoch; without that all epochs have the same one."""
        self.epoch = epoch
