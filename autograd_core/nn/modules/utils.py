"""One value for each of n axes, as PyTorch's layers read their sizes: for layers that programs build in that way."""

from __future__ import annotations

from collections.abc import Callable, Iterable


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
