"""The optimizers of this package: each parameter moves by its own gradient, in place, in parts that fit the cache.

The text of an update runs on arrays, and with `differentiable=True` on tensors, which records it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from ..core.dtypes import float64, get_default_dtype
from ..core.graph import user_position
from ..core.modes import enable_grad
from ..core.silence import quiet
from ..core.tensor import Tensor, wrap
from .optimizer import Optimizer

BLOCK = 1 << 14  # elements: what an update computes from so many of a parameter stays in the processor's cache


class ByGradient(Optimizer):
    """Base of the optimizers with a rule for one parameter: a subclass defines `update`, and `start` for its state.

    `foreach`, `fused` and `capturable` choose among PyTorch's implementations; there is one here, and they change
    nothing. With `differentiable` a step is recorded like any other operation: the parameters are not leaves then (a
    `clone()` of them is optimized), and gradients flow through the step to gradients, states and a tensor as `lr`.
    """

    # Settings that older versions of PyTorch do not save, and what they mean there.
    added_later: ClassVar[dict[str, Any]] = {
        **dict.fromkeys(("maximize", "capturable", "differentiable", "amsgrad", "nesterov", "centered"), False),
        **{"foreach": None, "fused": None, "decoupled_weight_decay": False},
    }

    def __init__(self, params, defaults: dict):
        for name, value in (("lr", defaults["lr"]), *(("betas", beta) for beta in defaults.get("betas", ()))):
            if isinstance(value, Tensor) and value.numel() != 1:
                raise ValueError(f"Tensor {name} must be 1-element, but it has shape {list(value.shape)}")
        self.check_settings(defaults)
        super().__init__(params, defaults)

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense, RuntimeError for switches that exclude each other."""
        if group.get("fused") and group.get("differentiable"):
            raise RuntimeError("`fused` does not support `differentiable`: leave one of them out")
        if group.get("fused") and group.get("foreach"):
            raise RuntimeError("`fused` and `foreach` cannot be `True` together: leave one of them out")
        for name, title in _NON_NEGATIVE.items():
            if not group.get(name, 0.0) >= 0.0:
                raise ValueError(f"Invalid {title}: {group[name]}")
        for i, beta in enumerate(group.get("betas", ())):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")

    def step(self, closure: Callable | None = None):
        """Move every parameter that has a gradient, in place; each write counts as a version.

        Returns what `closure` returns, or None.

        A closure clears the gradients, computes the loss and calls backward; it runs first, with recording on. Raises
        RuntimeError, before anything moves, if a gradient and its parameter differ in shape, or if a differentiable
        step is to write to a leaf that requires gradients.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        work = []
        for group in self.param_groups:
            params = [p for p in group["params"] if p._grad is not None]
            for p in params:
                if p._grad._array.shape != p._array.shape:
                    gradient_of(p)  # raises
            recorded = group.get("differentiable")
            for p in params if recorded else ():
                refuse_leaf(p)
            work.append((group if recorded else plain(group), params))
        writer = f"{type(self).__name__}.step", user_position()
        self._take_steps(work, writer)
        return loss

    @quiet
    def _take_steps(self, work: list[tuple[dict, list[Tensor]]], writer: tuple) -> None:
        """Take the step of each parameter: as a write into its array that counts as a version, or recorded."""
        states, start, update = self.state, self.start, self.update
        for group, params in work:
            recorded = group.get("differentiable")
            for p in params:
                state = states[p]
                if not state and (first := start(p, group)):
                    state.update(first)
                if recorded:
                    with enable_grad():
                        update(p, group, state)
                    continue
                update(p, group, state)
                p._cell.count += 1
                p._cell.writer = writer

    def start(self, p: Tensor, group: dict) -> dict[str, Any]:
        """The state of a parameter before its first step; None stands for what the first step makes."""
        return {}

    def update(self, param: Tensor, group: dict, state: dict) -> None:
        """Move `param` in place by its gradient, which is only read, the settings and its own state: see `blocks`."""
        raise NotImplementedError(f"{type(self).__name__} does not define update()")

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name in self.added_later.keys() & self.defaults.keys():
                group.setdefault(name, self.added_later[name])

    def check_loaded(self) -> None:
        """Raise ValueError for a missing setting, and for a state that lacks a part or has one of another shape."""
        for i, group in enumerate(self.param_groups):
            missing = sorted(self.defaults.keys() - group.keys())
            if missing:
                raise ValueError(f"loaded state dict lacks the settings {missing} of group {i}: put them into it")
            if type(self).step is ByGradient.step:
                for p in group["params"]:
                    if self.state.get(p):
                        _check_state(self.state[p], self.start(p, group), p)


_NON_NEGATIVE = {
    "lr": "learning rate",
    "weight_decay": "weight_decay value",
    "momentum": "momentum value",
    "eps": "epsilon value",
    "alpha": "alpha value",
    "lr_decay": "lr_decay value",
    "initial_accumulator_value": "initial_accumulator_value value",
    "momentum_decay": "momentum_decay value",
}


def _check_state(state: dict, start: dict, p: Tensor) -> None:
    """Compare a loaded state with what it would be at the start; plain numbers become the tensors that they were."""
    for name, first in start.items():
        value = state.get(name)
        if first is None and value is None:
            continue
        if value is None:
            raise ValueError(
                f"loaded state dict has a state without {name!r} for a parameter of shape {list(p.shape)}: it has "
                f"{sorted(state)}"
            )
        if isinstance(value, Real):
            value = state[name] = wrap(np.asarray(value, first._array.dtype))
        shape = (p if first is None else first).shape
        if value.shape != shape:
            raise ValueError(
                f"loaded state dict has {name!r} of shape {list(value.shape)} where a parameter of shape "
                f"{list(p.shape)} has it of shape {list(shape)}: it is the state of another parameter"
            )


def settings(arguments: dict) -> dict:
    """The settings among the arguments of a constructor, which gives its `locals()` before it has others.

    So each setting is written once, in the signature. `__class__` is a local of every function that calls `super()`.
    """
    return {name: value for name, value in arguments.items() if name not in ("self", "params", "__class__")}


NO_TENSORS = frozenset({type(None), bool, int, float, str, list, tuple})


def plain(group: dict) -> dict:
    """A group with numbers in the place of settings that are tensors."""
    tensor_betas = isinstance(group.get("betas", (0,))[0], Tensor)
    if NO_TENSORS.issuperset(map(type, group.values())) and not tensor_betas:
        return group
    tensors = {name: value for name, value in group.items() if isinstance(value, Tensor)}
    if tensor_betas:
        tensors["betas"] = group["betas"]
    return {**group, **{name: _number(value) for name, value in tensors.items()}} if tensors else group


def _number(value):
    return tuple(_number(item) for item in value) if isinstance(value, tuple) else value._array.item()


# -- what the updates are made of


def refuse_leaf(p: Tensor) -> None:
    """Raise RuntimeError for a leaf: a recorded step cannot overwrite it."""
    if p.is_leaf and p.requires_grad:
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation: a differentiable step is "
            "recorded; optimize a clone() of the parameter"
        )


def gradient_of(p: Tensor) -> np.ndarray:
    """The gradient of a parameter that has one. RuntimeError where the two differ in shape."""
    g = p._grad._array  # type: ignore[union-attr]
    if g.shape != p._array.shape:
        raise RuntimeError(
            f"the gradient of a parameter of shape {list(p.shape)} has shape {list(g.shape)}; was .data replaced since "
            "backward()?"
        )
    return g


def scalar(value: float) -> Tensor:
    """A part of a state that is one number: in float64 where that is the default dtype, else in float32."""
    return wrap(np.array(value, np.float64 if get_default_dtype() is float64 else np.float32))


def zeros(p: Tensor, names: Iterable[str]) -> dict[str, Tensor]:
    """The state of a parameter before its first step: no steps, and an array of zeros under each name."""
    return {"step": scalar(0.0), **{name: wrap(np.zeros_like(p._array)) for name in names}}


def count(state: dict) -> float:
    """Count a step, and return how many there are."""
    step = state["step"]._array
    step += 1
    return step.item()


def blocks(param: Tensor, group: dict, state: dict, names: Iterable[str] = ()) -> Iterable[tuple]:
    """The same part of a parameter, its gradient and its states, as arrays, part after part.

    An update of parts needs little memory, and is quick. For a differentiable step they come whole, as tensors, and the
    states are copies that take the places of the states before: a backward pass may need those.
    """
    if group.get("differentiable"):
        copies = {name: state[name].clone() for name in names}
        state.update(copies)
        return ((param, param._grad, *copies.values()),)
    p = param._array
    arrays: tuple = (p, param._grad._array)  # type: ignore[union-attr]
    if names:
        arrays += tuple([state[name]._array for name in names])
    if p.size <= BLOCK and p.itemsize > 2:
        return (arrays,)
    return _wide(_parts(*arrays)) if p.itemsize == 2 else _parts(*arrays)


def _wide(parts: Iterable[tuple]) -> Iterator[tuple]:
    """Parts in float16 as float32; what was computed in them is rounded once, at the end of each."""
    for part in parts:
        wide = tuple(a.astype(np.float32) for a in part)
        yield wide
        for narrow, a in zip((part[0], *part[2:]), (wide[0], *wide[2:])):
            narrow[...] = a


def _parts(*arrays: np.ndarray) -> Iterable[tuple]:
    """The arrays, which have one shape, cut alike."""
    first = arrays[0]
    if first.size <= BLOCK:
        return (arrays,)
    if all(a.flags.c_contiguous for a in arrays):
        arrays = tuple(a.reshape(-1) for a in arrays)
    rows = max(1, BLOCK * len(arrays[0]) // first.size)
    return (tuple(a[i : i + rows] for a in arrays) for i in range(0, len(arrays[0]), rows))


def descent(p, g, group: dict):
    """What to move against: the gradient, or its negative to climb, and with weight decay a multiple of `p` more."""
    if group["maximize"]:
        g = -g
    return g + group["weight_decay"] * p if group["weight_decay"] else g


def average(mean, new, weight: float) -> None:
    """mean ← mean + weight · (new - mean), in place."""
    change = new - mean
    change *= weight
    mean += change


def average_square(mean, new, decay: float) -> None:
    """mean ← decay · mean + (1 - decay) · new², in place."""
    square = new * new
    square *= 1 - decay
    mean *= decay
    mean += square
