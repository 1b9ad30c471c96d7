"""The base of all optimizers: groups of parameters, a state for each parameter, hooks, saving and loading."""

from __future__ import annotations

import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import wraps
from typing import Any, ClassVar, TypeAlias

import numpy as np

from ..autograd.accumulation import clear_grad
from ..autograd.hooks import RemovableHandle, register
from ..core.tensor import Tensor, wrap

ParamsT: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]


class _Required:
    def __repr__(self) -> str:
        return "<required parameter>"


required: Any = _Required()  # a default that says: every group must have this setting

NONE: dict = {}
_before_all: OrderedDict[int, Callable] = OrderedDict()
_after_all: OrderedDict[int, Callable] = OrderedDict()


def register_optimizer_step_pre_hook(hook: Callable) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before each step of every optimizer, before its own hooks.

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.SGD([w], lr=0.5)
    >>> with ac.optim.optimizer.register_optimizer_step_pre_hook(lambda *_: print("before", w.item())):
    ...     (3 * w).backward(); optimizer.step()
    before 1.0
    """
    return RemovableHandle(_before_all, hook)


def register_optimizer_step_post_hook(hook: Callable) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after each step of every optimizer, after its own hooks.

    >>> import autograd_core as ac
    >>> w = ac.tensor(1.0, requires_grad=True)
    >>> optimizer = ac.optim.SGD([w], lr=0.5)
    >>> with ac.optim.optimizer.register_optimizer_step_post_hook(lambda *_: print("after", w.item())):
    ...     (3 * w).backward(); optimizer.step()
    after -0.5
    """
    return RemovableHandle(_after_all, hook)


def with_hooks(step):
    """A `step` that calls the hooks of its optimizer before and after, and counts.

    Where the class has a step of its own that calls this one, the hooks are around that.
    """

    @wraps(step)
    def step_with_hooks(*args, **kwargs):
        self = args[0]
        if type(self).step is not step_with_hooks:
            return step(*args, **kwargs)
        own = vars(self)
        if _before_all or own.get("_optimizer_step_pre_hooks"):
            args, kwargs = _call_before(self, args, kwargs)
        result = step(*args, **kwargs)
        self._steps += 1
        if _after_all or own.get("_optimizer_step_post_hooks"):
            for hook in (*own.get("_optimizer_step_post_hooks", NONE).values(), *_after_all.values()):
                hook(self, args, kwargs)
        return result

    return step_with_hooks


def _call_before(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """The arguments of a step as the hooks before it leave them."""
    for hook in (*_before_all.values(), *vars(self).get("_optimizer_step_pre_hooks", NONE).values()):
        replaced = hook(self, args, kwargs)
        if replaced is None:
            continue
        if not (isinstance(replaced, tuple) and len(replaced) == 2):
            raise RuntimeError(
                f"a step pre-hook must return None or a tuple of (new_args, new_kwargs), but got {replaced!r}"
            )
        args, kwargs = replaced
    return args, kwargs


class Optimizer:
    """Base class of the optimizers.

    `param_groups` is a list of dicts: the parameters under "params", and the settings that hold for them. `state` has a
    dict for each parameter that has moved.

    A subclass gives its settings to `__init__` and defines `step`. A setting whose default is
    `optim.optimizer.required` must be in every group.

    `params` are tensors, pairs of a name and a tensor (as `named_parameters()` gives them), or dicts: groups.

    >>> import autograd_core as ac
    >>> class Sign(ac.optim.Optimizer):
    ...     @ac.no_grad()
    ...     def step(self):
    ...         for group in self.param_groups:
    ...             for p in group["params"]:
    ...                 p -= group["lr"] * p.grad.sign()
    >>> w = ac.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = Sign([w], {"lr": 0.5})
    >>> (w**2).sum().backward(); optimizer.step(); w
    tensor([ 0.5000, -1.5000], requires_grad=True)
    """

    counts: ClassVar[frozenset[str]] = frozenset(
        {"step"}
    )  # parts of a state that keep their dtype when they are loaded
    _steps = 0

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "step" in vars(cls):
            cls.step = with_hooks(cls.step)  # type: ignore[method-assign]

    def __init__(self, params: ParamsT, defaults: dict[str, Any]):
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got a Tensor: "
                "put it in a list"
            )
        self.defaults = defaults
        self.param_groups: list[dict] = []
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)  # type: ignore[arg-type]

    def add_param_group(self, param_group: dict) -> None:
        """Add parameters with settings of their own: a dict with "params", and what differs from the defaults.

        The dict becomes the group. Raises TypeError for what is not a tensor or a dict, ValueError for a tensor that is
        not a leaf or that another group has, and where a required setting is missing.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group).__name__}")
        params, names = _named(param_group["params"])
        group = {**self.defaults, **param_group, "params": self._checked(params)}
        if names:
            group["param_names"] = names
        for name, value in group.items():
            if value is required:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
        named = ["param_names" in other for other in self.param_groups]
        if named and named[0] != bool(names):
            raise ValueError(
                "all optimizer param groups should be with/without names: this one comes "
                f"{'with' if names else 'without'}, the others {'with' if named[0] else 'without'}"
            )
        self.check_settings(group)
        param_group.update(group)
        self.param_groups.append(param_group)

    def _checked(self, params: list) -> list:
        """The parameters of a new group, each once."""
        taken = {p for group in self.param_groups for p in group["params"]}
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p).__name__}")
            if not (p.is_leaf or p.retains_grad or self.defaults.get("differentiable")):
                raise ValueError(
                    "can't optimize a non-leaf Tensor: it would be computed anew; optimize the leaf it comes from"
                )
            if p in taken:
                raise ValueError("some parameters appear in more than one parameter group")
        if len(set(params)) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; each counts once",
                UserWarning,
                stacklevel=4,
            )
        return list(dict.fromkeys(params))

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense. Those of a class of yours are yours to check."""

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
        """Move the parameters. A subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__} does not define step()")

    # -- hooks

    def _hooks(self, moment: str) -> OrderedDict[int, Callable]:
        """The hooks of a moment, such as "step_pre": made when asked for, since a class may skip `__init__`."""
        return vars(self).setdefault(f"_optimizer_{moment}_hooks", OrderedDict())

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
        return RemovableHandle(self._hooks("step_pre"), hook)

    def register_step_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step, for instance to project the parameters.

        >>> import autograd_core as ac
        >>> w = ac.tensor(1.0, requires_grad=True)
        >>> optimizer = ac.optim.SGD([w], lr=0.5)
        >>> handle = optimizer.register_step_post_hook(lambda optimizer, args, kwargs: w.detach().clamp_(min=0.0))
        >>> (3 * w).backward(); optimizer.step(); w.item()
        0.0
        """
        return RemovableHandle(self._hooks("step_post"), hook)

    def register_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` before each `state_dict()`; with `prepend` before the hooks that are there."""
        return register(self._hooks("state_dict_pre"), hook, prepend=prepend)

    def register_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` with what `state_dict()` is to return; a dict that it returns replaces it.

        >>> import autograd_core as ac
        >>> optimizer = ac.optim.SGD([ac.ones(1, requires_grad=True)], lr=0.5)
        >>> handle = optimizer.register_state_dict_post_hook(lambda optimizer, state: {**state, "version": 2})
        >>> optimizer.state_dict()["version"]
        2
        """
        return register(self._hooks("state_dict_post"), hook, prepend=prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` with a copy of what is to be loaded; a dict it returns replaces it."""
        return register(self._hooks("load_state_dict_pre"), hook, prepend=prepend)

    def register_load_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` after each `load_state_dict`; with `prepend` before the hooks that are there."""
        return register(self._hooks("load_state_dict_post"), hook, prepend=prepend)

    # -- saving and loading

    def __getstate__(self) -> dict:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict) -> None:
        """Take over what a copy, a pickle or a `state_dict` brings. A subclass may fill in what older ones lack."""
        vars(self).update(state)

    def state_dict(self) -> dict:
        """The settings and the states, with parameters replaced by their numbers. Tensors are shared, not copied."""
        for hook in tuple(self._hooks("state_dict_pre").values()):
            hook(self)
        number: dict[Any, int] = {}
        for i, p in enumerate(p for group in self.param_groups for p in group["params"]):
            number.setdefault(p, i)
        groups = [{**group, "params": [number[p] for p in group["params"]]} for group in self.param_groups]
        states = {
            number[key] if isinstance(key, Tensor) else key: dict(state) if isinstance(state, dict) else state
            for key, state in self.state.items()
            if not (isinstance(state, dict) and not state)
        }
        result = {"state": states, "param_groups": groups}
        for hook in tuple(self._hooks("state_dict_post").values()):
            replaced = hook(self, result)
            result = result if replaced is None else replaced
        return result

    def load_state_dict(self, state_dict: dict) -> None:
        """Take over settings and states (copied, in the dtypes of the parameters) from a `state_dict`, PyTorch's too.

        States find their parameters by position. Names of parameters are taken over where there are any. Settings that
        older versions of PyTorch did not save get the values that mean what those did.

        ValueError where the groups do not have the same numbers of parameters, a state belongs to none of them or does
        not fit its own, or a setting is missing; nothing changes then.
        """
        state_dict = dict(state_dict)
        for hook in tuple(self._hooks("load_state_dict_pre").values()):
            replaced = hook(self, state_dict)
            state_dict = state_dict if replaced is None else replaced
        given = state_dict["param_groups"]
        found = self._found(given, state_dict["state"])
        states = {
            found.get(key, key): _loaded(state, found.get(key), self.counts)
            for key, state in state_dict["state"].items()
        }
        groups = [_loaded_group(a, b) for a, b in zip(given, self.param_groups)]
        before = self.state, self.param_groups
        try:
            self.__setstate__({"state": defaultdict(dict, states), "param_groups": groups})
            self.check_loaded()
        except BaseException:
            self.state, self.param_groups = before
            raise
        for hook in tuple(self._hooks("load_state_dict_post").values()):
            hook(self)

    def _found(self, given: list[dict], states: dict) -> dict:
        """The parameters by their numbers in a saved state."""
        if len(given) != len(self.param_groups):
            raise ValueError(
                f"loaded state dict has a different number of parameter groups: {len(given)}, the optimizer has "
                f"{len(self.param_groups)}"
            )
        sizes = [(len(a["params"]), len(b["params"])) for a, b in zip(given, self.param_groups)]
        if any(a != b for a, b in sizes):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group: "
                f"they have {[a for a, _ in sizes]} and {[b for _, b in sizes]} parameters"
            )
        found = {i: p for a, b in zip(given, self.param_groups) for i, p in zip(a["params"], b["params"])}
        strange = [i for i in states if isinstance(i, int) and i not in found]
        if strange:
            raise ValueError(
                f"loaded state dict has states for {strange}, and its groups have the parameters {[*found]}"
            )
        return found

    def check_loaded(self) -> None:
        """Raise ValueError where the next step could not go on from the state that was loaded."""

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {i}", *[f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]]
        return "\n".join([*lines, ")"])


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


def _loaded_group(given: dict, group: dict) -> dict:
    """The settings of a saved group, with the parameters of the one that takes them over."""
    names = {"param_names": group["param_names"]} if "param_names" in group else {}
    return {**names, **{name: _loaded(value) for name, value in given.items()}, "params": group["params"]}


def _loaded(value, p: Tensor | None = None, counts=frozenset()):
    """A copy of a loaded value: arrays and tensors in the dtype of their parameter, but for the counts of a state."""
    if isinstance(value, dict):
        return {key: _loaded(item, None if key in counts else p, counts) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_loaded(item, p) for item in value)
    if not hasattr(value, "__array__") or isinstance(value, np.generic):
        return deepcopy(value)
    array = np.asarray(value.detach() if hasattr(value, "detach") else value).copy()
    if p is not None and p.is_floating_point():
        array = array.astype(p._array.dtype)
    return wrap(array)
