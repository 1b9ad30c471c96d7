"""A single cycle: up to a large rate and down to almost none, while the momentum goes the other way."""

from __future__ import annotations

import math

from ..optimizer import Optimizer
from .scheduler import LRScheduler, check_optimizer, one_for_each_group


class OneCycleLR(LRScheduler):
    """From max_lr / div_factor up to max_lr, and down to the first rate / final_div_factor, in `total_steps` batches.

    `step` follows each batch. The rise takes the part `pct_start` of the steps (`epochs` times `steps_per_epoch` where
    `total_steps` is not given). `anneal_strategy` is "cos" or "linear". With `three_phase` the fall stops at the first
    rate, after as many steps as the rise took, and goes on from there in the third phase. With `cycle_momentum` the
    momentum, or the first beta, goes from `max_momentum` down to `base_momentum` and up again.

    `max_lr` and the momenta are numbers, or lists with one for each group. Source: Smith and Topin, 2019.

    ValueError for settings that do not fit, and where a step is one too many.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=10)
    >>> for _ in range(2):
    ...     optimizer.step(); scheduler.step()
    >>> scheduler.get_last_lr(), optimizer.param_groups[0]["momentum"]
    ([1.0], 0.85)
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ):
        self.optimizer = check_optimizer(optimizer)
        self.total_steps = _number_of_steps(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        self._anneal_func_type = anneal_strategy
        self.cycle_momentum = cycle_momentum
        peaks = one_for_each_group("max_lr", optimizer, max_lr)
        if cycle_momentum:
            if not {"momentum", "betas"} & optimizer.defaults.keys():
                raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
            self.use_beta1 = "betas" in optimizer.defaults
            high = one_for_each_group("max_momentum", optimizer, max_momentum)
            low = one_for_each_group("base_momentum", optimizer, base_momentum)
        if last_epoch == -1:
            for i, group in enumerate(optimizer.param_groups):
                first = peaks[i] / div_factor
                group.update(initial_lr=first, max_lr=peaks[i], min_lr=first / final_div_factor)
                if cycle_momentum:
                    group.update(max_momentum=high[i], base_momentum=low[i])
                    self._set_momentum(group, high[i])
        super().__init__(optimizer, last_epoch)

    def _next(self, lr, base, i):
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. The specified number of total steps is {self.total_steps}"
            )
        group, start = self.optimizer.param_groups[i], 0.0
        for phase in self._schedule_phases:
            if self.last_epoch <= phase["end_step"] or phase is self._schedule_phases[-1]:
                break
            start = phase["end_step"]
        part = (self.last_epoch - start) / (phase["end_step"] - start)
        if self.cycle_momentum:
            self._set_momentum(group, self._anneal(group[phase["start_momentum"]], group[phase["end_momentum"]], part))
        return self._anneal(group[phase["start_lr"]], group[phase["end_lr"]], part)

    def _anneal(self, start: float, end: float, part: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)


def _number_of_steps(total_steps, epochs, steps_per_epoch) -> int:
    given = {"total_steps": total_steps}
    if total_steps is None:
        if epochs is None or steps_per_epoch is None:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        given = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    for name, value in given.items():
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"Expected positive integer {name}, but got {value}")
    return math.prod(given.values())


def _phases(steps: int, rise: float, three: bool) -> list[dict]:
    """Where each phase ends, and the settings of a group that it goes from and to."""

    def phase(end, lr_from, lr_to, momentum_from, momentum_to):
        return {
            "end_step": end,
            "start_lr": lr_from,
            "end_lr": lr_to,
            "start_momentum": momentum_from,
            "end_momentum": momentum_to,
        }

    up = phase(float(rise * steps) - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum")
    if not three:
        return [up, phase(steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
    return [
        up,
        phase(float(2 * rise * steps) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
        phase(steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
    ]
