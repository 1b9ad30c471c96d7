"""What all optimizers share: groups of parameters, a state for each parameter, and the loop of a step."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable

from ..autograd.accumulation import clear_grad
from ..graph import user_position
from ..modes import enable_grad
from ..tensor import Tensor, wrap


class Optimizer:
    """Base class of the optimizers.

    `param_groups` is a list of dicts: the parameters under "params", and the settings that hold for them.

    A subclass gives its settings to `__init__` and defines `update`, which moves one parameter.
    """

    def __init__(self, params, defaults: dict):
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got a Tensor: "
                "put it in a list"
            )
        self.defaults = defaults
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
        given = param_group["params"]
        params = [given] if isinstance(given, Tensor) else list(given)
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
        group = {"params": params, **self.defaults, **{k: v for k, v in param_group.items() if k != "params"}}
        self.check_settings(group)
        self.param_groups.append(group)

    def check_settings(self, group: dict) -> None:
        """Raise ValueError for settings that make no sense."""
        if group["lr"] < 0.0:
            raise ValueError(f"Invalid learning rate: {group['lr']}")
        if group["weight_decay"] < 0.0:
            raise ValueError(f"Invalid weight_decay value: {group['weight_decay']}")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients: None, or with `set_to_none=False` zeros in the same tensor.

        The two differ for `step`: it skips a parameter whose gradient is None, while one with a zero gradient still
        moves by momentum and weight decay.
        """
        for group in self.param_groups:
            for p in group["params"]:
                clear_grad(p, set_to_none)

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
            (p, p._grad._array, group) for group in self.param_groups for p in group["params"] if p._grad is not None
        ]
        for p, g, _ in work:
            if g.shape != p._array.shape:
                raise RuntimeError(
                    f"the gradient of a parameter of shape {list(p.shape)} has shape {list(g.shape)}; was .data "
                    "replaced since backward()?"
                )
        writer = f"{type(self).__name__}.step", user_position()
        for p, g, group in work:
            self.update(p._array, -g if group["maximize"] else g, group, self.state[p])
            p._cell.count += 1
            p._cell.writer = writer
        return loss

    def update(self, p, g, group: dict, state: dict) -> None:
        """Move the array `p` in place by its gradient `g`, which is only read, the settings and its own state."""
        raise NotImplementedError(f"{type(self).__name__} does not define update()")

    # -- saving and loading

    def state_dict(self) -> dict:
        """The settings and the states, with parameters replaced by their numbers. Tensors are shared, not copied."""
        number = {p: i for i, p in enumerate(p for group in self.param_groups for p in group["params"])}
        groups = [{**group, "params": [number[p] for p in group["params"]]} for group in self.param_groups]
        return {"state": {number[p]: dict(state) for p, state in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict: dict) -> None:
        """Take over settings and states (copied, in the dtypes of the parameters) from a `state_dict`.

        ValueError where the groups do not have the same numbers of parameters; nothing changes then.
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
        self.state = defaultdict(dict)
        for i, state in state_dict["state"].items():
            self.state[found[i]] = {name: _for_parameter(value, found[i]) for name, value in state.items()}
        self.param_groups = [{**a, "params": b["params"]} for a, b in zip(given, self.param_groups)]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {i}", *[f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]]
        return "\n".join([*lines, ")"])


def _for_parameter(value, p: Tensor):
    if not isinstance(value, Tensor):
        return value
    return wrap(value._array.astype(p._array.dtype if value.is_floating_point() else value._array.dtype))
