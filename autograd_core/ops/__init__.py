"""The calculus, one family a file. This page binds it to `Tensor` as methods, in-place methods and operators.

Each family lists its public functions in `__all__`; the names that are methods too in `METHODS`; those whose method takes its sizes
or axes one by one (`x.reshape(2, 3)`) in `VARIADIC`; and the ops that have an in-place form in `IN_PLACE`.
"""

from __future__ import annotations

import functools

from ..tensor import Tensor
from ..views import in_place
from . import creation, elementwise, reduction, shape

FAMILIES = (elementwise, reduction, shape, creation)


def _variadic(op):
    """A method that takes the last argument of `op` as one sequence or spread out."""

    @functools.wraps(op)
    def method(self, *sizes, **named):
        if named:
            return op(self, *sizes, **named)
        return op(self, sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes)

    return method


for family in FAMILIES:
    for name in getattr(family, "METHODS", ()):
        op = getattr(family, name)
        setattr(Tensor, name, _variadic(op) if name in getattr(family, "VARIADIC", ()) else op)
    for name in getattr(family, "IN_PLACE", ()):
        setattr(Tensor, name + "_", in_place(getattr(family, name)))

Tensor.__add__ = Tensor.__radd__ = elementwise.plain_add
Tensor.__sub__ = elementwise.plain_sub
Tensor.__rsub__ = elementwise.rsub
Tensor.__mul__ = Tensor.__rmul__ = elementwise.mul
Tensor.__neg__ = elementwise.neg
