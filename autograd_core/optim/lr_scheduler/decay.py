"""Schedules whose rate is the initial one times a factor of the epoch t."""

from __future__ import annotations

import types
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable

from ..optimizer import Optimizer
from .scheduler import LRScheduler, one_for_each_group


class LambdaLR(LRScheduler):
    """lr = initial · lr_lambda(t). One function, or a list with one for each group.

    `state_dict` has the attributes of functions that are objects, and nothing of a plain function.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.LambdaLR(optimizer, lambda t: 1 / (1 + t))
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.5]
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Callable | list[Callable], last_epoch: int = -1):
        self.lr_lambdas = one_for_each_group("lr_lambda", optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        return base * self.lr_lambdas[i](self.last_epoch)

    def state_dict(self) -> dict:
        """Everything but the optimizer and plain functions."""
        saved = [None if isinstance(f, types.FunctionType) else dict(vars(f)) for f in self.lr_lambdas]
        return {**super().state_dict(), "lr_lambdas": saved}

    def load_state_dict(self, state_dict: dict) -> None:
        """Take over what `state_dict` returned; the functions stay, and those that are objects get their attributes."""
        super().load_state_dict({name: value for name, value in state_dict.items() if name != "lr_lambdas"})
        for function, saved in zip(self.lr_lambdas, state_dict["lr_lambdas"]):
            if saved is not None:
                vars(function).update(saved)


class MultiplicativeLR(LambdaLR):
    """lr ← lr · lr_lambda(t). One function, or a list with one for each group.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda t: 0.5)
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.5]
    """

    def _next(self, lr, base, i):
        return lr if self._is_initial else lr * self.lr_lambdas[i](self.last_epoch)


class StepLR(LRScheduler):
    """lr = initial · gamma^⌊t / step_size⌋.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.5]
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        return lr if self.last_epoch == 0 or self.last_epoch % self.step_size else lr * self.gamma

    def _at_epoch(self, base):
        return base * self.gamma ** (self.last_epoch // self.step_size)


class MultiStepLR(LRScheduler):
    """lr = initial · gamma^(number of milestones up to t). A milestone that is there twice counts twice.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 5], gamma=0.5)
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.5]
    """

    def __init__(self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        times = self.milestones[self.last_epoch]
        return lr * self.gamma**times if times else lr

    def _at_epoch(self, base):
        return base * self.gamma ** bisect_right(sorted(self.milestones.elements()), self.last_epoch)


class ExponentialLR(LRScheduler):
    """lr = initial · gamma^t.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.5]
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        return lr if self._is_initial else lr * self.gamma

    def _at_epoch(self, base):
        return base * self.gamma**self.last_epoch


class ConstantLR(LRScheduler):
    """lr = initial · factor before epoch `total_iters`, and the initial rate from there on.

    ValueError for a factor outside [0, 1].

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=1)
    >>> before = scheduler.get_last_lr()
    >>> optimizer.step(); scheduler.step(); before, scheduler.get_last_lr()
    ([0.5], [1.0])
    """

    def __init__(self, optimizer: Optimizer, factor: float = 1 / 3, total_iters: int = 5, last_epoch: int = -1):
        if not 0 <= factor <= 1:
            raise ValueError(f"Constant multiplicative factor expected to be between 0 and 1, and is {factor}")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        if self.last_epoch == 0:
            return lr * self.factor
        return lr * (1.0 / self.factor) if self.last_epoch == self.total_iters else lr

    def _at_epoch(self, base):
        return base * (self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor))


class LinearLR(LRScheduler):
    """lr = initial · a factor that goes straight from `start_factor` to `end_factor` in `total_iters` epochs.

    ValueError for a start factor outside (0, 1] or an end factor outside [0, 1].

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5, total_iters=2)
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.75]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ):
        if not 0 < start_factor <= 1:
            raise ValueError(
                f"Starting multiplicative factor expected to be greater than 0 and at most 1, and is {start_factor}"
            )
        if not 0 <= end_factor <= 1:
            raise ValueError(f"Ending multiplicative factor expected to be between 0 and 1, and is {end_factor}")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        if self.last_epoch == 0:
            return lr * self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return lr
        rise = self.end_factor - self.start_factor
        return lr * (1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))

    def _at_epoch(self, base):
        rise = self.end_factor - self.start_factor
        return base * (self.start_factor + rise * min(self.total_iters, self.last_epoch) / self.total_iters)


class PolynomialLR(LRScheduler):
    """lr = initial · (1 - t / total_iters)^power, and 0 from epoch `total_iters` on.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=2, power=2.0)
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.25]
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        if self._is_initial or self.last_epoch > self.total_iters:
            return lr
        left = (1.0 - self.last_epoch / self.total_iters) / (1.0 - (self.last_epoch - 1) / self.total_iters)
        return lr * left**self.power

    def _at_epoch(self, base):
        return base * (1.0 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power
