"""A schedule that looks at a loss: the rate falls when that has not become better for a while."""

from __future__ import annotations

from math import inf

from ..optimizer import Optimizer
from .scheduler import LRScheduler, apart, check_optimizer, one_for_each_group, set_rate, warn_of_epoch


class ReduceLROnPlateau(LRScheduler):
    """lr ← max(lr · factor, min_lr) when `step(metrics)` has seen no better value for more than `patience` epochs.

    Better is smaller than the best so far with `mode="min"` (larger with "max"), by `threshold` times it with
    `threshold_mode="rel"`, or by `threshold` with "abs". After a fall nothing counts for `cooldown` epochs. A fall by
    less than `eps` is not made. `min_lr` is a number, or a list with one for each group.

    ValueError for a factor of 1 or more, an unknown mode, or a list of another length; TypeError where `optimizer` is
    not one.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    >>> for loss in (3.0, 2.0, 2.0, 2.0):
    ...     scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | list[float] = 0.0,
        eps: float = 1e-8,
    ):
        if factor >= 1.0:
            raise ValueError(f"Factor should be < 1.0, and is {factor}")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown! It is 'min' or 'max'")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown! It is 'rel' or 'abs'")
        self.optimizer = check_optimizer(optimizer)
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.min_lrs = one_for_each_group("min_lr", optimizer, min_lr)
        self.factor, self.patience, self.cooldown, self.eps = factor, patience, cooldown, eps
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.mode_worse = inf if mode == "min" else -inf
        self.best, self.cooldown_counter, self.num_bad_epochs, self.last_epoch = self.mode_worse, 0, 0, 0
        self._last_lr = [apart(group["lr"]) for group in optimizer.param_groups]

    def step(self, metrics, epoch: int | None = None) -> None:  # type: ignore[override]
        """Look at the loss of an epoch, a number or a tensor of one element, and lower the rates if it is time."""
        current = float(metrics)
        if epoch is not None:
            warn_of_epoch()
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(current):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [apart(group["lr"]) for group in self.optimizer.param_groups]

    @property
    def in_cooldown(self) -> bool:
        """Whether the rate fell less than `cooldown` epochs ago."""
        return self.cooldown_counter > 0

    def is_better(self, value: float) -> bool:
        """Whether a loss is better than the best so far by more than the threshold."""
        sign = -1.0 if self.mode == "min" else 1.0
        if self.threshold_mode == "rel":
            bar = self.best * (1.0 + sign * self.threshold)
        else:
            bar = self.best + sign * self.threshold
        return value < bar if self.mode == "min" else value > bar

    def _reduce(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({len(groups)}) differs from when "
                    f"`ReduceLROnPlateau` was initialized ({len(self.min_lrs)}): add a value to its `min_lrs` for each "
                    "group that was added."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                set_rate(group, new)
