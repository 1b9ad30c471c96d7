"""Schedules made of schedules: one after the other, or all at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..optimizer import Optimizer
from .plateau import ReduceLROnPlateau
from .scheduler import LRScheduler, apart, set_rate


class _Combined(LRScheduler):
    _schedulers: Sequence[LRScheduler]

    def state_dict(self) -> dict:
        """Everything but the optimizer, with the states of the schedules."""
        return {**super().state_dict(), "_schedulers": [scheduler.state_dict() for scheduler in self._schedulers]}

    def load_state_dict(self, state_dict: dict) -> None:
        """Take over what `state_dict` returned."""
        super().load_state_dict({name: value for name, value in state_dict.items() if name != "_schedulers"})
        for scheduler, saved in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(saved)


class SequentialLR(_Combined):
    """The first schedule up to the first milestone, the second one from there, as from its own epoch 0, and so on.

    ValueError where the schedules are of several optimizers, where there is not one milestone fewer than schedules, and
    for ReduceLROnPlateau, which needs a loss to step.

    >>> import autograd_core as ac
    >>> schedules = ac.optim.lr_scheduler
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> warmup = schedules.ConstantLR(optimizer, factor=0.5, total_iters=2)
    >>> decay = schedules.ExponentialLR(optimizer, gamma=0.25)
    >>> scheduler = schedules.SequentialLR(optimizer, [warmup, decay], milestones=[2])
    >>> for _ in range(4):
    ...     print(*scheduler.get_last_lr(), end=" "); optimizer.step(); scheduler.step()
    0.5 0.5 1.0 0.25
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ):
        _check(self, optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                f"milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to be "
                f"equal to {len(milestones)}"
            )
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        _undo_first_step(self)
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def step(self) -> None:  # type: ignore[override]
        """Set the rates of the next epoch."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Combined):
    """All schedules at once: each changes the rates that the one before it left.

    ValueError where the schedules are of several optimizers, and for ReduceLROnPlateau, which needs a loss to step.

    >>> import autograd_core as ac
    >>> schedules = ac.optim.lr_scheduler
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> halves = [schedules.ExponentialLR(optimizer, gamma=0.5) for _ in range(2)]
    >>> scheduler = schedules.ChainedScheduler(halves)
    >>> optimizer.step(); scheduler.step(); scheduler.get_last_lr()
    [0.25]
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None):
        optimizer = optimizer or (schedulers[0].optimizer if schedulers else None)
        _check(self, optimizer, schedulers)
        self._schedulers, self.optimizer = schedulers, schedulers[0].optimizer
        self._last_lr = [apart(group["lr"]) for group in self.optimizer.param_groups]

    def step(self) -> None:  # type: ignore[override]
        """Take a step of every schedule."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = [apart(group["lr"]) for group in self.optimizer.param_groups]


def _check(combined: LRScheduler, optimizer, schedulers) -> None:
    name = type(combined).__name__
    if not schedulers:
        raise ValueError(f"{name} expects at least one scheduler, but got no scheduler.")
    for i, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, "optimizer"):
            raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute: it is no scheduler")
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(
                f"{name} does not support `ReduceLROnPlateau` scheduler, whose step() needs a loss, but got one at "
                f"index {i} in the given schedulers sequence."
            )
        if scheduler.optimizer is not optimizer:
            raise ValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but the scheduler "
                f"{type(scheduler).__name__} at index {i} has another one"
            )


def _undo_first_step(scheduler: LRScheduler) -> None:
    """Take back the epoch that each schedule counted when it was made: it counts when its turn comes."""
    if isinstance(scheduler, _Combined):
        for inner in scheduler._schedulers:
            _undo_first_step(inner)
    else:
        scheduler.last_epoch -= 1
