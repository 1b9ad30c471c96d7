"""The shape of a tensor, as users see it."""

from __future__ import annotations

from math import prod
from operator import index


class Size(tuple):
    """The shape of a tensor: a tuple of ints.

    >>> import autograd_core as ac
    >>> ac.zeros(2, 3).shape, ac.zeros(2, 3).shape.numel()
    (Size([2, 3]), 6)
    """

    __slots__ = ()

    def __new__(cls, lengths=()):
        return super().__new__(cls, map(index, lengths))

    def numel(self) -> int:
        """The number of elements a tensor of this shape has."""
        return prod(self)

    def __getitem__(self, key):
        found = tuple.__getitem__(self, key)
        return size_of(found) if type(found) is tuple else found

    def __add__(self, other):
        return size_of(tuple.__add__(self, other)) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other):
        return size_of(other + tuple(self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        return size_of(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"Size({list(self)})"


class _Sizes(dict):
    """Shape of an array -> its Size: to find one takes a quarter of the time that making it takes."""

    def __missing__(self, shape: tuple[int, ...]) -> Size:
        if len(self) == 1000:  # in a program whose shapes go on changing
            self.clear()
        size = self[shape] = size_of(shape)
        return size


sizes = _Sizes()


def size_of(lengths: tuple) -> Size:
    """A Size of what is known to be ints."""
    return tuple.__new__(Size, lengths)
