"""Schedules along half a cosine, with and without restarts. Source: Loshchilov and Hutter, 2017."""

from __future__ import annotations

import math

from ..optimizer import Optimizer
from .scheduler import LRScheduler


class CosineAnnealingLR(LRScheduler):
    """lr = eta_min + (initial - eta_min) · (1 + cos(π t / T_max)) / 2: down in T_max epochs, and up again after that.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.5]
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        t, half, low = self.last_epoch, self.T_max, self.eta_min
        if self._is_initial:
            return lr
        if (t - 1 - half) % (2 * half) == 0:  # the rate before is eta_min, and a ratio to it says nothing
            return lr + (base - low) * (1 - math.cos(math.pi / half)) / 2
        ratio = (1 + math.cos(math.pi * t / half)) / (1 + math.cos(math.pi * (t - 1) / half))
        return ratio * (lr - low) + low

    def _at_epoch(self, base):
        wave = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return self.eta_min + (base - self.eta_min) * wave / 2


class CosineAnnealingWarmRestarts(LRScheduler):
    """The cosine from the initial rate down to `eta_min`, again and again.

    The first time takes T_0 epochs, each further one T_mult times as long. `step` may be given an epoch, and a fraction
    of one: `scheduler.step(epoch + batch / batches)`.

    ValueError for T_0 or T_mult that is not a positive int, for eta_min that is not a number, and from `step` for a
    negative epoch.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
    >>> optimizer.step(); scheduler.step(); scheduler.step(); scheduler.get_last_lr()
    [1.0]
    """

    def __init__(self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = T_0
        self.T_i: float = T_0
        self.T_mult, self.eta_min = T_mult, eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        return self.eta_min + (base - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2

    def step(self, epoch: float | None = None) -> None:
        """Set the rates of the next epoch, or of the one that is given."""
        if epoch is not None and epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = epoch or 0
            self._go_to(epoch)
        self.last_epoch = math.floor(epoch)
        with self._within_step():
            self._set(self.get_lr())

    def _go_to(self, epoch: float) -> None:
        """Find the time that an epoch is in, and how far into it."""
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**n
