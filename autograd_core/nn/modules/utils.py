"""What PyTorch keeps beside its layers: sizes that are one value or one for each axis, and prefixes of states."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def _ntuple(n: int, name: str) -> Callable[[object], tuple]:
    def parse(value) -> tuple:
        """The value n times, or as a tuple if there are several."""
        return tuple(value) if isinstance(value, Iterable) else (value,) * n

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Take a prefix, such as the "module." of `DataParallel`, from the names of a state that have it, in place.

    >>> from autograd_core.nn.modules.utils import consume_prefix_in_state_dict_if_present
    >>> state = {"module.weight": 1, "step": 2}
    >>> consume_prefix_in_state_dict_if_present(state, "module."); state
    {'step': 2, 'weight': 1}
    """
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key.removeprefix(prefix)] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", {})
    for path in [path for path in metadata if path and f"{path}.".startswith(prefix)]:
        metadata[f"{path}.".removeprefix(prefix).removesuffix(".")] = metadata.pop(path)
