"""The calculus, one family a file. This page binds it to `Tensor` as methods, in-place methods and operators.

Each family lists its public functions in `__all__`; the names that are methods too in `METHODS`; those whose method takes its sizes
or axes one by one (`x.reshape(2, 3)`) in `VARIADIC`; those that are read without a call in `PROPERTIES`; and in `IN_PLACE` the ops
that have an in-place form, by name.
"""

from __future__ import annotations

import functools
import importlib

from ..tensor import Tensor
from ..views import in_place

_NAMES = "elementwise activation reduction scan selection softmax linalg shape joining indexing conversion creation random interop"
FAMILIES = []
for _name in _NAMES.split():
    try:
        FAMILIES.append(importlib.import_module("." + _name, __name__))
    except ModuleNotFoundError as _error:
        if not _error.name.startswith(__name__):
            raise


def _variadic(op):
    """A method that takes the last argument of `op` as one sequence or spread out."""

    @functools.wraps(op)
    def method(self, *sizes, **named):
        if named:
            return op(self, *sizes, **named)
        return op(self, sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes)

    return method


def _find(name):
    for family in FAMILIES:
        if hasattr(family, name):
            return getattr(family, name)
    return None


for family in FAMILIES:
    for name in getattr(family, "METHODS", ()):
        op = getattr(family, name)
        setattr(Tensor, name, _variadic(op) if name in getattr(family, "VARIADIC", ()) else op)
    for name in getattr(family, "PROPERTIES", ()):
        setattr(Tensor, name, property(getattr(family, name)))
    in_places = getattr(family, "IN_PLACE", ())
    for name in in_places:
        op = in_places[name] if isinstance(in_places, dict) else getattr(family, name)
        setattr(Tensor, name + "_", in_place(op, name + "_"))

OPERATORS = {
    "add": "plain_add",
    "radd": "plain_add",
    "sub": "plain_sub",
    "rsub": "rsub",
    "mul": "mul",
    "rmul": "mul",
    "truediv": "plain_div",
    "rtruediv": "rdiv",
    "floordiv": "floor_divide",
    "rfloordiv": "rfloor_divide",
    "mod": "remainder",
    "rmod": "rremainder",
    "pow": "pow",
    "rpow": "rpow",
    "matmul": "matmul",
    "rmatmul": "rmatmul",
    "neg": "neg",
    "abs": "abs",
    "eq": "eq",
    "ne": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
    "and": "bitwise_and",
    "rand": "bitwise_and",
    "or": "bitwise_or",
    "ror": "bitwise_or",
    "xor": "bitwise_xor",
    "rxor": "bitwise_xor",
    "invert": "bitwise_not",
}
for name, op in OPERATORS.items():
    if (op := _find(op)) is not None:
        setattr(Tensor, f"__{name}__", op)
for name in "add sub mul truediv floordiv mod pow and or xor".split():
    if hasattr(_find(OPERATORS[name]), "primitive"):
        setattr(Tensor, f"__i{name}__", in_place(_find(OPERATORS[name]), f"__i{name}__"))
