"""Calling a module with other tensors in the place of its parameters and buffers: a module as a function of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..core.tensor import Tensor
from ..ops.shapes.joining import stack


def functional_call(
    module,
    parameter_and_buffer_dicts: dict[str, Tensor] | Sequence[dict[str, Tensor]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """`module(*args, **kwargs)` with the given tensors in the place of those of these names, until it returns.

    The names are those of `named_parameters()` and `named_buffers()`; what is not given stays the module's own. `args`
    is a tuple, or the only argument. A tensor that the module holds under several names is replaced under all of them,
    unless `tie_weights` is False. The module is as before afterwards, also where the call raises. A transform refuses
    that a module overwrites buffers of its own; give them too.

    Raises ValueError for a name in two dicts, or two tensors for one that is tied, TypeError for what is no tensor;
    with `strict`, RuntimeError for names that are missing or unknown.

    >>> import autograd_core as ac
    >>> layer = ac.nn.Linear(2, 1)
    >>> given = {"weight": ac.ones(1, 2), "bias": ac.zeros(1)}
    >>> loss = lambda given: ac.func.functional_call(layer, given, ac.tensor([3.0, 4.0])).sum()
    >>> ac.func.grad(loss)(given)
    {'weight': tensor([[3., 4.]]), 'bias': tensor([1.])}
    """
    given = _merged(parameter_and_buffer_dicts)
    places = {name: _place(module, name) for name in _names(module)}
    if strict:
        _check_names(module, given, places)
    given = {name: value for name, value in given.items() if name in places}
    if tie_weights:
        given = _with_tied(given, places)
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _replaced({name: places[name] for name in given}, given):
        return module(*args, **(kwargs or {}))


def stack_module_state(models: Sequence | Any) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Parameters and buffers of modules of one class, each stacked along a new axis 0: an ensemble for `vmap`.

    The stacked parameters are leaves, and require gradients where those of the modules do. RuntimeError for no module,
    and for modules that differ in class, in mode, or in which parameters require gradients.

    >>> import autograd_core as ac
    >>> models = [ac.nn.Linear(2, 1) for _ in range(3)]
    >>> params, buffers = ac.func.stack_module_state(models)
    >>> {name: tuple(p.shape) for name, p in params.items()}, buffers
    ({'weight': (3, 1, 2), 'bias': (3, 1)}, {})
    >>> call = lambda params, x: ac.func.functional_call(models[0], params, x)
    >>> ac.vmap(call, in_dims=(0, None))(params, ac.ones(2)).shape
    Size([3, 1])
    """
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    kinds = ("named_parameters", "named_buffers")
    params, buffers = ([dict(getattr(model, kind)()) for model in models] for kind in kinds)
    return _stacked(params), _stacked(buffers)


def _stacked(dicts: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {name: _stacked_leaf(name, [d[name] for d in dicts]) for name in dicts[0]}


def _stacked_leaf(name: str, tensors: list[Tensor]) -> Tensor:
    required = {tensor.requires_grad for tensor in tensors}
    if len(required) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    return stack(tensors).detach().requires_grad_(required == {True})


def _merged(dicts) -> dict[str, Tensor]:
    if isinstance(dicts, dict):
        dicts = [dicts]
    if not isinstance(dicts, (list, tuple)) or not all(isinstance(d, dict) for d in dicts):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(dicts)}"
        )
    merged: dict[str, Tensor] = {}
    for d in dicts:
        if repeated := sorted(merged.keys() & d.keys()):
            raise ValueError(f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous")
        merged |= d
    for name, value in merged.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"{value!r} is not an instance of a Tensor, and was given for {name!r}")
    return merged


def _names(module) -> list[str]:
    """All names of parameters and buffers; a tensor that is shared has several."""
    buffers = [name for name, _ in module.named_buffers()]
    kept = [name for name, value in module.state_dict(keep_vars=True).items() if isinstance(value, Tensor)]
    return list(dict.fromkeys([*kept, *buffers]))


def _place(module, name: str) -> tuple[dict, str]:
    """The dict that holds a tensor, and the key there."""
    *path, last = name.split(".")
    for part in path:
        module = getattr(module, part)
    held = vars(module)
    for kind in ("_parameters", "_buffers"):
        if isinstance(held.get(kind, {}).get(last), Tensor):
            return held[kind], last
    return held, last


def _check_names(module, given, places) -> None:
    unknown, missing = sorted(given.keys() - places.keys()), sorted(places.keys() - given.keys())
    if unknown or missing:
        lines = [f"Error(s) in reparametrizing for {type(module).__name__}:"]
        lines += [f"Unexpected key(s): {', '.join(map(repr, unknown))}."] if unknown else []
        lines += [f"Missing key(s): {', '.join(map(repr, missing))}."] if missing else []
        raise RuntimeError("\n\t".join(lines))


def _with_tied(given, places) -> dict[str, Tensor]:
    """What is given for one name of a tensor is given for all of them."""
    groups: dict[int, list[str]] = {}
    for name, (held, key) in places.items():
        groups.setdefault(id(held[key]), []).append(name)
    complete: dict[str, Tensor] = {}
    for names in groups.values():
        values = [given[name] for name in names if name in given]
        if any(value is not values[0] for value in values):
            raise ValueError(
                f"functional_call got multiple values for keys {names}, which are tied. Consider using "
                "tie_weights=False"
            )
        complete |= dict.fromkeys(names, values[0]) if values else {}
    return complete


@contextmanager
def _replaced(places, values) -> Iterator[None]:
    before = {name: held[key] for name, (held, key) in places.items()}
    try:
        for name, (held, key) in places.items():
            held[key] = values[name]
        yield
    finally:
        for name, (held, key) in places.items():
            held[key] = before[name]
