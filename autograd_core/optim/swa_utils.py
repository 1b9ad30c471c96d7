"""Averages of a model's weights over its training, and a schedule for it: `torch.optim.swa_utils`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain

from ..core.modes import no_grad
from ..core.tensor import Tensor
from ..names import facade
from ..nn import Module
from ..nn.normalization import _BatchNorm
from ..ops.making.creation import tensor
from .lr_scheduler.scheduler import LRScheduler, one_for_each_group
from .optimizer import Optimizer

__all__ = [
    *("AveragedModel", "SWALR", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn"),
    "update_bn",
]
__getattr__, __dir__ = facade(__name__, __all__)


def get_ema_avg_fn(decay: float = 0.999) -> Callable:
    """A function of the average, the new value and their number: decay · average + (1 - decay) · new.

    ValueError for a decay outside [0, 1].

    >>> import autograd_core as ac
    >>> ac.optim.swa_utils.get_ema_avg_fn(0.75)(ac.tensor(4.0), ac.tensor(8.0), 1)
    tensor(5.)
    """
    _check_decay(decay)

    @no_grad()
    def ema_update(average: Tensor, new: Tensor, number):
        return decay * average + (1 - decay) * new

    return ema_update


def get_swa_avg_fn() -> Callable:
    """A function of the average, the new value and their number n so far: average + (new - average) / (n + 1).

    >>> import autograd_core as ac
    >>> ac.optim.swa_utils.get_swa_avg_fn()(ac.tensor(4.0), ac.tensor(7.0), 2)
    tensor(5.)
    """

    @no_grad()
    def swa_update(average: Tensor, new: Tensor, number):
        return average + (new - average) / (number + 1)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable:
    """As `get_ema_avg_fn`, for lists of tensors of one dtype: it writes to the first.

    >>> import autograd_core as ac
    >>> average = ac.tensor(4.0)
    >>> ac.optim.swa_utils.get_ema_multi_avg_fn(0.75)([average], [ac.tensor(8.0)], 1); average
    tensor(5.)
    """
    one = get_ema_avg_fn(decay)

    @no_grad()
    def ema_update(averages: list, new: list, number) -> None:
        _each(averages, new, 1 - decay, lambda a, b: one(a, b, number))

    return ema_update


def get_swa_multi_avg_fn() -> Callable:
    """As `get_swa_avg_fn`, for lists of tensors of one dtype: it writes to the first.

    >>> import autograd_core as ac
    >>> average = ac.tensor(4.0)
    >>> ac.optim.swa_utils.get_swa_multi_avg_fn()([average], [ac.tensor(7.0)], 2); average
    tensor(5.)
    """
    one = get_swa_avg_fn()

    @no_grad()
    def swa_update(averages: list, new: list, number) -> None:
        _each(averages, new, 1 / (float(number) + 1), lambda a, b: one(a, b, number))

    return swa_update


def _check_decay(decay: float) -> None:
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def _each(averages: list, new: list, weight: float, of_integers: Callable) -> None:
    """Move each average toward its new value by the weight; integers go by the formula, and are cut off."""
    for average, value in zip(averages, new):
        if average.is_floating_point():
            average.lerp_(value, weight)
        else:
            average.copy_(of_integers(average, value))


class AveragedModel(Module):
    """A copy of a model whose parameters are the averages of what the model's were at each `update_parameters`.

    All count alike (stochastic weight averaging), unless `avg_fn(average, new, n_averaged)`, which returns the new
    average, or `multi_avg_fn` of lists, which writes to them, says otherwise; `get_ema_multi_avg_fn` makes one for
    exponential averages. With `use_buffers` the buffers are averaged too; otherwise they are copied. "n_averaged" is a
    buffer. Source: Izmailov and others, 2018.

    AssertionError where both functions are given.

    >>> import autograd_core as ac
    >>> model = ac.nn.Linear(1, 1, bias=False)
    >>> averaged = ac.optim.swa_utils.AveragedModel(model)
    >>> for value in (1.0, 2.0, 6.0):
    ...     _ = model.weight.data.fill_(value); averaged.update_parameters(model)
    >>> averaged.module.weight.item(), averaged.n_averaged
    (3.0, tensor(3))
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device=None,
        avg_fn: Callable | None = None,
        multi_avg_fn: Callable | None = None,
        use_buffers: bool = False,
    ):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        """What the averaged model computes."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the present parameters of `model` into the averages; the first time they become them."""
        pairs = [(a.detach(), b.detach()) for a, b in zip(self._averaged(self.module), self._averaged(model))]
        if self.n_averaged == 0:
            for average, new in pairs:
                average.copy_(new)
        elif self.avg_fn is not None:
            for average, new in pairs:
                average.copy_(self.avg_fn(average, new, self.n_averaged))
        else:
            update = self.multi_avg_fn or get_swa_multi_avg_fn()
            for dtype in dict.fromkeys(average.dtype for average, _ in pairs):
                same = [pair for pair in pairs if pair[0].dtype is dtype]
                update([a for a, _ in same], [b for _, b in same], self.n_averaged)
        if not self.use_buffers:
            for mine, its in zip(self.module.buffers(), model.buffers(), strict=True):
                mine.detach().copy_(its.detach())
        self.n_averaged += 1

    def _averaged(self, model: Module) -> Iterable[Tensor]:
        return chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()


@no_grad()
def update_bn(loader: Iterable, model: Module, device=None) -> None:
    """Compute the running statistics of all batch norms of `model` anew, from one pass over `loader`.

    A batch is a tensor, or a list or tuple whose first item is one. The averages count all batches alike; momenta and
    the mode of the model are as before afterwards.

    >>> import autograd_core as ac
    >>> model = ac.nn.BatchNorm1d(1).eval()
    >>> ac.optim.swa_utils.update_bn([ac.tensor([[1.0], [3.0]]), ac.tensor([[5.0], [7.0]])], model)
    >>> model.running_mean, model.training
    (tensor([4.]), False)
    """
    norms = [module for module in model.modules() if isinstance(module, _BatchNorm)]
    if not norms:
        return
    momenta, training = [norm.momentum for norm in norms], model.training
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    model.train()
    try:
        for batch in loader:
            batch = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(batch if device is None else batch.to(device))
    finally:
        for norm, momentum in zip(norms, momenta):
            norm.momentum = momentum
        model.train(training)


class SWALR(LRScheduler):
    """From the rate in force to `swa_lr` in `anneal_epochs` epochs, and constant from there on.

    `anneal_strategy` is "cos" or "linear"; `swa_lr` is a number, or a list with one for each group.

    ValueError for another strategy, a negative number of epochs, or a list of another length.

    >>> import autograd_core as ac
    >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ac.optim.swa_utils.SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
    >>> for _ in range(4):
    ...     print(*scheduler.get_last_lr(), end=" "); optimizer.step(); scheduler.step()
    1.0 0.75 0.5 0.5
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | list[float],
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ):
        for rate, group in zip(one_for_each_group("swa_lr", optimizer, swa_lr), optimizer.param_groups):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy, self.anneal_epochs = anneal_strategy, anneal_epochs
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, t: float) -> float:
        """How far the rate has come at the part t of the epochs, from 0 to 1."""
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def _next(self, lr, base, i):
        end = self.optimizer.param_groups[i]["swa_lr"]
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = (self.anneal_func(max(0, min(1, t / max(1, self.anneal_epochs)))) for t in (step - 1, step))
        start = end if before == 1 else (lr - before * end) / (1 - before)
        return end * now + start * (1 - now)
