"""What all optimizers share: groups of parameters, a state for each parameter, and the loop of a step."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from functools import wraps

import numpy as np

from ..autograd.accumulation import clear_grad
from ..autograd.hooks import RemovableHandle
from ..core.graph import user_position
from ..core.modes import enable_grad
from ..core.silence import quiet
from ..core.tensor import Tensor, wrap

BLOCK = 1 << 14  # elements: what an update computes from so many of a parameter stays in the processor's cache


def with_hooks(step):
    """A `step` that calls the hooks of its optimizer before and after, and counts."""

    @wraps(step)
    def step_with_hooks(*args, **kwargs):
        self = args[0]
        for hook in tuple(self._step_pre_hooks.values()):
            replaced = hook(self, args, kwargs)
            if replaced is None:
                continue
            if not (isinstance(replaced, tuple) and len(replaced) == 2):
                raise RuntimeError(
                    f"a step pre-hook must return None or a tuple of (new_args, new_kwargs), but got {replaced!r}"
                )
            args, kwargs = replaced
        result = step(*args, **kwargs)
        self._steps += 1
        for hook in tuple(self._step_post_hooks.values()):
            hook(self, args, kwargs)
        return result

    return step_with_hooks


class Optimizer:
    """Base class of the optimizers.

    `param_groups` is a list of dicts: the parameters under "params", and the settings that hold for them. `state` has a
    dict for each parameter that has moved.

    A subclass gives its settings to `__init__` and defines `update`, which moves one parameter, or else `step`.

    `params` are tensors, pairs of a name and a tensor (as `named_parameters()` gives them), or dicts: groups.
    """

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "step" in vars(cls):
            cls.step = with_hooks(cls.step)  # type: ignore[method-assign]

    def __init__(self, params, defaults: dict):
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got a Tensor: "
                "put it in a list"
            )
        self.defaults = defaults
        self._step_pre_hooks: dict[int, Callable] = {}
        self._step_post_hooks: dict[int, Callable] = {}
        self._steps = 0
        self.param_groups: list[dict] = []
        self.state: defaultdict[Tensor, dict] = defaultdict(dict)
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict) -> None:
        """Add parameters with settings of their own: a dict with "params", and what differs from the defaults.

        Raises TypeError for what is not a tensor or a dict, ValueError for a tensor that is not a leaf or that another
        group has.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group).__name__}")
        params, names = _named(param_group["params"])
        taken = {p for group in self.param_groups for p in group["params"]}
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p).__name__}")
            if not p.is_leaf:
                raise ValueError(
                    "can't optimize a non-leaf Tensor: it would be computed anew; optimize the leaf it comes from"
                )
            if p in taken:
                raise ValueError("some parameters appear in more than one parameter group")
        if len(set(params)) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; each counts once",
                UserWarning,
                stacklevel=3,
            )
            params = list(dict.fromkeys(params))
        named = ["param_names" in group for group in self.param_groups]
        if named and named[0] != bool(names):
            raise ValueError(
                "all optimizer param groups should be with/without names: this one comes "
                f"{'with' if names else 'without'}, the others {'with' if named[0] else 'without'}"
            )
        group = {**self.defaults, **param_group, "params": params, **({"param_names": names} if names else {})}
        self.check_settings(group)
        self.param_groups.append(group)

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense, NotImplementedError for those that are not taken over."""
        if isinstance(group.get("lr"), Tensor):
            raise NotImplementedError("a tensor as the learning rate is not taken over: pass a number")
        for name in ("foreach", "fused", "capturable", "differentiable"):
            if group.get(name):
                raise NotImplementedError(
                    f"{name}={group[name]} chooses among PyTorch's implementations, and there is one here: leave it out"
                )
        for name, title in _NON_NEGATIVE.items():
            if not group.get(name, 0.0) >= 0.0:
                raise ValueError(f"Invalid {title}: {group[name]}")
        for i, beta in enumerate(group.get("betas", ())):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients: None, or with `set_to_none=False` zeros in the same tensor.

        The two differ for `step`: it skips a parameter whose gradient is None, while one with a zero gradient still
        moves by momentum and weight decay.
        """
        for group in self.param_groups:
            for p in group["params"]:
                clear_grad(p, set_to_none)

    @with_hooks
    def step(self, closure: Callable | None = None):
        """Move every parameter that has a gradient, in place; each write counts as a version.

        Returns what `closure` returns, or None.

        A closure clears the gradients, computes the loss and calls backward; it runs first, with recording on. Raises
        RuntimeError, before anything moves, if a gradient and its parameter differ in shape.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        work = [
            (p, gradient_of(p), group) for group in self.param_groups for p in group["params"] if p._grad is not None
        ]
        writer = f"{type(self).__name__}.step", user_position()
        update = quiet(self.update)
        for p, g, group in work:
            update(p._array, g, group, self.state[p])
            p._cell.count += 1
            p._cell.writer = writer
        return loss

    def update(self, param, grad, group: dict, state: dict) -> None:
        """Move the array `param` in place by its gradient, which is only read, the settings and its own state."""
        raise NotImplementedError(f"{type(self).__name__} does not define update()")

    def register_step_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step, with all its arguments: the optimizer is the first.

        The hook returns None, or a pair to replace args and kwargs. RuntimeError, and no step, for anything else.

        >>> import autograd_core as ac
        >>> w = ac.tensor(1.0, requires_grad=True)
        >>> optimizer = ac.optim.SGD([w], lr=0.5)
        >>> handle = optimizer.register_step_pre_hook(lambda optimizer, args, kwargs: print("before", w.item()))
        >>> (3 * w).backward(); optimizer.step(); w.item()
        before 1.0
        -0.5
        """
        return RemovableHandle(self._step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step, for instance to project the parameters.

        >>> import autograd_core as ac
        >>> w = ac.tensor(1.0, requires_grad=True)
        >>> optimizer = ac.optim.SGD([w], lr=0.5)
        >>> handle = optimizer.register_step_post_hook(lambda optimizer, args, kwargs: w.detach().clamp_(min=0.0))
        >>> (3 * w).backward(); optimizer.step(); w.item()
        0.0
        """
        return RemovableHandle(self._step_post_hooks, hook)

    # -- saving and loading

    def state_dict(self) -> dict:
        """The settings and the states, with parameters replaced by their numbers. Tensors are shared, not copied."""
        number = {p: i for i, p in enumerate(p for group in self.param_groups for p in group["params"])}
        groups = [{**group, "params": [number[p] for p in group["params"]]} for group in self.param_groups]
        states = {number[p]: dict(state) for p, state in self.state.items() if state}
        return {"state": states, "param_groups": groups}

    def load_state_dict(self, state_dict: dict) -> None:
        """Take over settings and states (copied, in the dtypes of the parameters) from a `state_dict`, PyTorch's too.

        ValueError where the groups do not have the same numbers of parameters, or a state belongs to none of them;
        nothing changes then.
        """
        given = state_dict["param_groups"]
        if len(given) != len(self.param_groups):
            raise ValueError(
                f"loaded state dict has a different number of parameter groups: {len(given)}, the optimizer has "
                f"{len(self.param_groups)}"
            )
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(given, self.param_groups)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        found = {i: p for a, b in zip(given, self.param_groups) for i, p in zip(a["params"], b["params"])}
        strange = [i for i in state_dict["state"] if i not in found]
        if strange:
            raise ValueError(
                f"loaded state dict has states for {strange}, and its groups have the parameters {[*found]}"
            )
        states = {
            found[i]: {name: _loaded(value, found[i], name) for name, value in state.items()}
            for i, state in state_dict["state"].items()
        }
        self.param_groups = [{**deepcopy(a), "params": b["params"]} for a, b in zip(given, self.param_groups)]
        self.state = defaultdict(dict, states)

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {i}", *[f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]]
        return "\n".join([*lines, ")"])


def settings(arguments: dict) -> dict:
    """The settings among the arguments of a constructor, which gives its `locals()` before it has others.

    So each setting is written once, in the signature. `__class__` is a local of every function that calls `super()`.
    """
    return {name: value for name, value in arguments.items() if name not in ("self", "params", "__class__")}


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


def _named(given) -> tuple[list, list[str]]:
    """The parameters of a group, and their names if it has them."""
    if isinstance(given, Tensor):
        return [given], []
    if isinstance(given, set):
        raise TypeError("optimizer parameters need to be ordered, and a set has no order: use a list")
    given = list(given)
    named = [isinstance(item, tuple) for item in given]
    if any(named) and not all(named):
        raise ValueError("all optimizer params should be with/without names: some are pairs and some are tensors")
    return ([p for _, p in given], [name for name, _ in given]) if any(named) else (given, [])


def _loaded(value, p: Tensor, name: str = ""):
    """A copy of a loaded value: arrays and tensors in the dtype of their parameter, but for counts and the like."""
    if isinstance(value, (list, tuple)):
        return type(value)(_loaded(item, p) for item in value)
    if not hasattr(value, "__array__") or isinstance(value, np.generic):
        return deepcopy(value)
    array = np.asarray(value)
    return wrap(array.astype(array.dtype if name in ("step", "mu_product") else p._array.dtype))


# -- what the updates are made of


def gradient_of(p: Tensor) -> np.ndarray:
    """The gradient of a parameter that has one. RuntimeError where the two differ in shape."""
    g = p._grad._array  # type: ignore[union-attr]
    if g.shape != p._array.shape:
        raise RuntimeError(
            f"the gradient of a parameter of shape {list(p.shape)} has shape {list(g.shape)}; was .data replaced since "
            "backward()?"
        )
    return g


def zeros(p: np.ndarray, names: Iterable[str]) -> dict[str, Tensor]:
    """The state of a parameter before its first step: no steps, and an array of zeros under each name."""
    return {"step": wrap(np.zeros((), np.float32)), **{name: wrap(np.zeros_like(p)) for name in names}}


def count(state: dict) -> float:
    """Count a step, and return how many there are."""
    step = state["step"]._array
    step += 1
    return step.item()


def blocks(*arrays: np.ndarray) -> Iterable[Sequence[np.ndarray]]:
    """The same part of each array, part after part: an update of parts needs little memory, and is quick.

    The arrays have one shape.
    """
    first = arrays[0]
    if first.size <= BLOCK:
        return (arrays,)
    if all(a.flags.c_contiguous for a in arrays):
        arrays = tuple(a.reshape(-1) for a in arrays)
    rows = max(1, BLOCK * len(arrays[0]) // first.size)
    return (tuple(a[i : i + rows] for a in arrays) for i in range(0, len(arrays[0]), rows))


def descent(p: np.ndarray, g: np.ndarray, group: dict) -> np.ndarray:
    """What to move against: the gradient, or its negative to climb, and with weight decay a multiple of `p` more."""
    if group["maximize"]:
        g = -g
    return g + group["weight_decay"] * p if group["weight_decay"] else g


def average(mean: np.ndarray, new: np.ndarray, weight: float) -> None:
    """mean ← mean + weight · (new - mean), in place."""
    change = new - mean
    change *= weight
    mean += change


def average_square(mean: np.ndarray, new: np.ndarray, decay: float) -> None:
    """mean ← decay · mean + (1 - decay) · new², in place."""
    square = new * new
    square *= 1 - decay
    mean *= decay
    mean += square
