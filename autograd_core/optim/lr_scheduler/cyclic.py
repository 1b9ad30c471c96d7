"""A rate that goes up and down between two bounds, again and again, while the momentum goes the other way."""

from __future__ import annotations

import math
import types
from collections.abc import Callable

from ..optimizer import Optimizer
from .scheduler import LRScheduler, check_optimizer, one_for_each_group, set_rate


class CyclicLR(LRScheduler):
    """lr = base_lr + (max_lr - base_lr) · a · f, where a goes from 0 up to 1 and back in each cycle.

    `step` follows each batch: a cycle is `step_size_up` of them up and `step_size_down` (as many, if not given) down. f
    is 1 with `mode="triangular"`, 1 / 2^(cycle - 1) with "triangular2", gamma^t with "exp_range", or your `scale_fn` of
    the number of the cycle, or with `scale_mode="iterations"` of t. With `cycle_momentum` the momentum, or the first
    beta, goes from `max_momentum` down to `base_momentum` and back. Bounds are numbers, or lists with one for each
    group. Source: Smith, 2017.

    ValueError for another mode without `scale_fn`, for a list of another length, and for an optimizer without momentum.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.0, max_lr=1.0, step_size_up=2)
    >>> for _ in range(4):
    ...     print(*scheduler.get_last_lr(), end=" "); optimizer.step(); scheduler.step()
    0.0 0.5 1.0 0.5
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
    ):
        self.optimizer = check_optimizer(optimizer)
        lowest = one_for_each_group("base_lr", optimizer, base_lr)
        self.max_lrs = one_for_each_group("max_lr", optimizer, max_lr)
        up, down = float(step_size_up), float(step_size_up if step_size_down is None else step_size_down)
        self.total_size = up + down
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError(
                f"mode is invalid and scale_fn is None: {mode!r} is not 'triangular', 'triangular2' or 'exp_range'"
            )
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn else ("iterations" if mode == "exp_range" else "cycle")
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if not {"momentum", "betas"} & optimizer.defaults.keys():
                raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
            self.use_beta1 = "betas" in optimizer.defaults
            self.base_momentums = one_for_each_group("base_momentum", optimizer, base_momentum)
            self.max_momentums = one_for_each_group("max_momentum", optimizer, max_momentum)
        if last_epoch == -1:
            for i, group in enumerate(optimizer.param_groups):
                set_rate(group, lowest[i])
                if cycle_momentum:
                    group.update(max_momentum=self.max_momentums[i], base_momentum=self.base_momentums[i])
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lowest

    def scale_fn(self, x: float) -> float:
        """The factor f of a cycle or of a batch."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / 2.0 ** (x - 1) if self.mode == "triangular2" else self.gamma**x

    def get_lr(self) -> list:
        """The rates of the coming batch; sets its momenta too."""
        self._warn_outside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        factor = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                self._set_momentum(group, high - (high - low) * height * factor)
        return [low + (high - low) * height * factor for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self) -> dict:
        """Everything but the optimizer and a plain function."""
        function = self._scale_fn_custom
        plain = function is None or isinstance(function, types.FunctionType)
        return {**super().state_dict(), "_scale_fn_custom": None if plain else dict(vars(function))}

    def load_state_dict(self, state_dict: dict) -> None:
        """Take over what `state_dict` returned; the function stays, and one that is an object gets its attributes."""
        super().load_state_dict({name: value for name, value in state_dict.items() if name != "_scale_fn_custom"})
        if state_dict["_scale_fn_custom"] is not None:
            vars(self._scale_fn_custom).update(state_dict["_scale_fn_custom"])
