"""The calculus, one family a file. This page binds it to `Tensor` as methods, in-place methods and operators.

Each family lists its public functions in `__all__`; the names that are methods too in `METHODS`; those whose method
takes its sizes or axes one by one (`x.reshape(2, 3)`) in `VARIADIC`; those that are read without a call in
`PROPERTIES`; and in `IN_PLACE` the ops that have an in-place form.

The arithmetic is NumPy's, without its warnings: `ac.log(ac.tensor(-1.0))` is nan in silence, as in PyTorch.
`np.errstate(invalid="raise")` around a computation makes NumPy stop at the first nan.
"""

from __future__ import annotations

import functools

from ..core.table import as_operator
from ..core.tensor import Tensor
from ..core.write import in_place
from . import (
    activation,
    avg_pooling,
    bessel,
    blending,
    comparison,
    conjugation,
    conversion,
    convolution,
    creation,
    determinants,
    diagonals,
    distance,
    einsum,
    elementwise,
    factorizations,
    filling,
    floating,
    gathering,
    grids,
    indexing,
    integers,
    integration,
    interop,
    joining,
    lengths,
    linalg,
    lu,
    matrix_functions,
    max_pooling,
    norms,
    padding,
    piecewise,
    products,
    quantiles,
    random,
    rearranging,
    reduction,
    reflections,
    scan,
    scatter_reduction,
    scattering,
    searching,
    selection,
    shape,
    shuffling,
    slices,
    sliding,
    softmax,
    solving,
    special,
    splitting,
    statistics,
    storage,
    triangular,
    trigonometry,
)

FAMILIES = (
    *(creation, random, filling, conversion),
    *(elementwise, trigonometry, piecewise, comparison, activation, softmax),
    *(blending, floating, integers, conjugation, special, bessel),
    *(reduction, scan, selection, searching, statistics, quantiles, lengths, integration),
    *(triangular, factorizations, lu, solving, determinants),
    *(linalg, products, matrix_functions, reflections, norms, einsum, distance),
    *(shape, diagonals, rearranging, joining, splitting, indexing, gathering),
    *(scattering, scatter_reduction, sliding, grids, padding, storage),
    *(convolution, avg_pooling, max_pooling),
    shuffling,
)


def _variadic(op):
    """A method that takes the last argument of `op` as one sequence or spread out."""

    @functools.wraps(op)
    def method(self, *sizes, **named):
        if named:
            return op(self, *sizes, **named)
        return op(self, sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes)

    return method


for family in FAMILIES:
    for name in getattr(family, "METHODS", ()):
        op = getattr(family, name)
        setattr(Tensor, name, _variadic(op) if name in getattr(family, "VARIADIC", ()) else op)
    for name in getattr(family, "PROPERTIES", ()):
        setattr(Tensor, name, property(getattr(family, name)))
    for name in getattr(family, "IN_PLACE", ()):
        setattr(Tensor, name + "_", in_place(getattr(family, name), name + "_"))

OTHER_METHODS = {
    "where": piecewise.where_method,
    "polygamma": special.of_order,
    "polygamma_": in_place(special.of_order, "polygamma_"),
    "__pos__": conjugation.positive,
    "__rdiv__": elementwise.rdiv,
    "__getitem__": indexing.getitem,
    "__setitem__": indexing.setitem,
    "__iter__": splitting.iterate,
    "__matmul__": linalg.matmul,
    "__rmatmul__": linalg.rmatmul,
    "__neg__": elementwise.neg,
    "__abs__": piecewise.abs,
    "__invert__": comparison.bitwise_not,
    "__array_ufunc__": interop.array_ufunc,
    "__array_function__": interop.array_function,
}
for name, op in OTHER_METHODS.items():
    setattr(Tensor, name, op)

# each operator of two operands with its op, and the op for the swapped operands
ARITHMETIC = {
    "add": (elementwise.plain_add, elementwise.plain_add),
    "sub": (elementwise.plain_sub, elementwise.plain_rsub),
    "mul": (elementwise.mul, elementwise.mul),
    "truediv": (elementwise.plain_div, elementwise.rdiv),
    "floordiv": (elementwise.floor_divide, elementwise.rfloor_divide),
    "mod": (elementwise.remainder, elementwise.rremainder),
    "pow": (elementwise.pow, elementwise.rpow),
    "and": (comparison.bitwise_and, comparison.bitwise_and),
    "or": (comparison.bitwise_or, comparison.bitwise_or),
    "xor": (comparison.bitwise_xor, comparison.bitwise_xor),
    "lshift": (integers.bitwise_left_shift, integers.rbitwise_left_shift),
    "rshift": (integers.bitwise_right_shift, integers.rbitwise_right_shift),
}
for name, (op, swapped) in ARITHMETIC.items():
    setattr(Tensor, f"__{name}__", as_operator(op))
    setattr(Tensor, f"__r{name}__", swapped)  # Python tries it last, so it may raise
    setattr(Tensor, f"__i{name}__", in_place(op, f"__i{name}__"))

for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Tensor, f"__{name}__", as_operator(getattr(comparison, name)))
