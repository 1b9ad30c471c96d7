"""What all schedules share: they set the rate of each group of an optimizer, once an epoch."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import Any

from ...core.tensor import Tensor
from ..optimizer import Optimizer

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated: call step() without it."
)


class LRScheduler:
    """Base class of the schedules: `step()` after each epoch (for some: after each batch) sets the next rates.

    The rates of when the schedule was made are kept in the groups as "initial_lr" and here as `base_lrs`. With
    `last_epoch` other than -1 a schedule goes on from that epoch, with an optimizer whose groups have "initial_lr".

    A subclass of yours defines `get_lr`, which returns a rate for each group at epoch `self.last_epoch`.

    Raises TypeError where `optimizer` is not one, KeyError where "initial_lr" is missing.
    """

    _is_initial = False
    _get_lr_called_within_step = False
    use_beta1: bool

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1):
        self.optimizer = check_optimizer(optimizer)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", apart(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with "
                    "last_epoch >= 0: load the optimizer's state_dict first, or start with last_epoch=-1"
                )
        self.base_lrs = [apart(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._steps_before = optimizer._steps, vars(optimizer).get("step")
        self._initial_step()

    def _initial_step(self) -> None:
        """Set the rates of the first epoch."""
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    # -- the rates

    def get_last_lr(self) -> list[float]:
        """The rates in force, one a group."""
        return self._last_lr

    def get_lr(self) -> list[float]:
        """The rates of the coming epoch, computed from those in force: `step` calls it, `get_last_lr` is for users."""
        self._warn_outside_step()
        rates = zip(self.optimizer.param_groups, self.base_lrs)
        return [self._next(group["lr"], base, i) for i, (group, base) in enumerate(rates)]

    def _warn_outside_step(self) -> None:
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )

    def _set_momentum(self, group: dict, momentum: float) -> None:
        """Set the momentum of a group, or its first beta where `use_beta1` says so."""
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum

    def _next(self, lr: float, base: float, i: int) -> float:
        """The rate at epoch `last_epoch` of group i, where that of the epoch before is `lr`, the initial one `base`.

        Computed from the rate before, it leaves alone what others have done to it.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define get_lr()")

    def _at_epoch(self, base: float) -> float | None:
        """The rate at epoch `last_epoch` from the initial one alone; None where the schedule has no such form."""
        return None

    def step(self, epoch: int | None = None) -> None:
        """Set the rates of the next epoch; the optimizer's own `step` comes before it, or the first rate is skipped.

        UserWarning if it has not come before the first call, and for an `epoch`, which is deprecated.
        """
        if self._step_count == 1:
            self._check_order()
        if epoch is not None:
            warn_of_epoch()
        self._step_count += 1
        self._update_lr(epoch)

    def _check_order(self) -> None:
        steps, function = self._steps_before
        if vars(self.optimizer).get("step") is not function:
            text = (
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization: "
                "whether it comes before `lr_scheduler.step()`, as it must, cannot be seen."
            )
        elif self.optimizer._steps == steps:
            text = (
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`: call them in the opposite order, or "
                "the first value of the learning rate schedule is skipped."
            )
        else:
            return
        more = " See https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
        warnings.warn(text + more, UserWarning, stacklevel=3)

    def _update_lr(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        with self._within_step():
            rates = None if epoch is None else self._get_closed_form_lr()
            self._set(self.get_lr() if rates is None else rates)

    def _get_closed_form_lr(self) -> list | None:
        """The rates at `last_epoch` from the initial ones alone; None where the schedule has no such form."""
        rates = [self._at_epoch(base) for base in self.base_lrs]
        return None if any(rate is None for rate in rates) else rates

    def _set(self, rates: list) -> None:
        for group, lr in zip(self.optimizer.param_groups, rates):
            set_rate(group, lr)
        self._last_lr = [apart(group["lr"]) for group in self.optimizer.param_groups]

    @contextmanager
    def _within_step(self):
        self._get_lr_called_within_step = True
        try:
            yield
        finally:
            self._get_lr_called_within_step = False

    # -- saving and loading

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, which has a `state_dict` of its own."""
        return {name: value for name, value in vars(self).items() if name not in ("optimizer", "_steps_before")}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        vars(self).update(state_dict)


class _LRScheduler(LRScheduler):
    """The name of `LRScheduler` in older programs."""


def apart(value):
    """A rate that no later write in place changes: a copy of a tensor, and a number itself."""
    return value.detach().clone() if isinstance(value, Tensor) else value


def set_rate(group: dict, lr) -> None:
    """Set the rate of a group: a tensor in place, since an optimizer's user may hold it."""
    if isinstance(group["lr"], Tensor):
        group["lr"].detach().fill_(float(lr))
    else:
        group["lr"] = lr


def check_optimizer(optimizer) -> Optimizer:
    """Raise TypeError for anything but an optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
    return optimizer


def one_for_each_group(name: str, optimizer: Optimizer, given) -> list:
    """A setting for each group: the list that is given, or copies of the one value."""
    n = len(optimizer.param_groups)
    if not isinstance(given, (list, tuple)):
        return [apart(given) for _ in range(n)]
    if len(given) != n:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(given)} values, param_groups "
            f"has {n}."
        )
    return [apart(value) for value in given]


def warn_of_epoch() -> None:
    """Say that an epoch need not be passed."""
    warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=3)
