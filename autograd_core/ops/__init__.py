"""The calculus, one family a file, by its mathematics.

This page binds it to `Tensor` as methods, in-place methods and operators.

Each family lists its public functions in `__all__`; the names that are methods too in `METHODS`; those whose method
takes its sizes or axes one by one (`x.reshape(2, 3)`) in `VARIADIC`, or where a number is no sequence of one
(`x.hsplit(2)`) in `ONE_OR_MORE`; those that are read without a call in `PROPERTIES`; in `IN_PLACE` the ops that have
an in-place form; in `TAKE_OUT` the functions made of rows that take `out` in PyTorch (a row takes it, if it makes no
view); and in `OWN` what PyTorch does not have.

The arithmetic is NumPy's, without its warnings: `ac.log(ac.tensor(-1.0))` is nan in silence, as in PyTorch.
`np.errstate(invalid="raise")` around a computation makes NumPy stop at the first nan.
"""

from __future__ import annotations

import functools

from ..core import silence
from ..core.results import takes_out
from ..core.table import as_operator
from ..core.tensor import Tensor
from ..core.write import in_place
from . import interop
from .elementwise import arithmetic, blending, comparison, conjugation, floating, integers, piecewise, trigonometry
from .images import shuffling
from .indexing import brackets, gathering, scatter_reduction, scattering
from .linear_algebra import (
    determinants,
    distances,
    einstein_sums,
    factorizations,
    lu,
    matmul,
    matrix_functions,
    norms,
    products,
    reflections,
    solving,
    triangular,
)
from .making import categories, conversion, creation, drawing, filling, generator, grids, random_values, tensor_types
from .nn import nonlinearities, softmax
from .reductions import integration, quantiles, reduction, scan, searching, selection, statistics
from .shapes import chunking, diagonals, forms, joining, restriding, shape, slices, storage, storages
from .special import bessel, entropies, error_functions, gamma_functions
from .windows import avg_pooling, borders, convolving, max_pooling, sliding

FAMILIES = (
    *(creation, generator, random_values, drawing, categories, conversion, filling, grids, tensor_types),
    *(arithmetic, trigonometry, piecewise, comparison, blending, floating, integers, conjugation),
    *(error_functions, gamma_functions, entropies, bessel),
    *(nonlinearities, softmax),
    *(reduction, scan, selection, searching, statistics, quantiles, integration),
    *(shape, diagonals, forms, joining, chunking, storage, storages, restriding),
    *(brackets, gathering, scattering, scatter_reduction),
    *(matmul, products, einstein_sums, norms, distances, triangular, factorizations, lu, solving, determinants),
    *(matrix_functions, reflections),
    *(convolving, avg_pooling, max_pooling, sliding, borders),
    shuffling,
)


def _variadic(op):
    """A method that takes the last argument of `op` as one sequence or spread out."""

    @functools.wraps(op)
    def method(self, *sizes, **named):
        if named or not sizes:
            return op(self, *sizes, **named)  # without any, Python says which is missing
        return op(self, sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes)

    return method


def _one_or_more(op):
    """A method that takes its only argument as a number, as a sequence, or spread out."""

    @functools.wraps(op)
    def method(self, *sizes, **named):
        return op(self, *sizes, **named) if named or len(sizes) < 2 else op(self, sizes)

    return method


taking_out = functools.cache(takes_out)  # two names of one function stay two names of one
for family in FAMILIES:
    for name in getattr(family, "TAKE_OUT", ()):
        setattr(family, name, taking_out(getattr(family, name)))

for family in FAMILIES:
    for name in getattr(family, "METHODS", ()):
        op = getattr(family, name)
        spread = _variadic if name in getattr(family, "VARIADIC", ()) else None
        spread = _one_or_more if name in getattr(family, "ONE_OR_MORE", ()) else spread
        setattr(Tensor, name, op if spread is None else spread(op))
    for name in getattr(family, "PROPERTIES", ()):
        setattr(Tensor, name, property(getattr(family, name)))
    for name in getattr(family, "IN_PLACE", ()):
        setattr(Tensor, name + "_", in_place(getattr(family, name), name + "_"))

OTHER_METHODS = {
    "view": shape.view_or_bits,
    "norm": norms.norm_method,
    "where": piecewise.where_method,
    "polygamma": gamma_functions.of_order,
    "polygamma_": in_place(gamma_functions.of_order, "polygamma_"),
    "__pos__": conjugation.positive,
    "__rdiv__": arithmetic.rdiv,
    "__getitem__": brackets.getitem,
    "__setitem__": brackets.setitem,
    "__delitem__": brackets.delitem,
    "__iter__": chunking.iterate,
    "__reversed__": forms.reverse,
    "__matmul__": matmul.matmul,
    "__rmatmul__": matmul.rmatmul,
    "__neg__": arithmetic.neg,
    "__abs__": piecewise.abs,
    "__invert__": comparison.bitwise_not,
    "__array_ufunc__": interop.array_ufunc,
    "__array_function__": interop.array_function,
}
for name, op in OTHER_METHODS.items():
    setattr(Tensor, name, op)

# the in-place methods that are functions too
IN_PLACE_FUNCTIONS = (
    *("abs_", "acos_", "acosh_", "addmv_", "arccos_", "arccosh_", "arcsin_", "arcsinh_", "arctan_", "arctanh_"),
    *("as_strided_", "asin_", "asinh_", "atan_", "atanh_", "ceil_", "clamp_", "clamp_max_", "clamp_min_", "clip_"),
    *("conj_physical_", "cos_", "cosh_", "deg2rad_", "detach_", "erf_", "erfc_", "exp2_", "exp_", "expm1_", "fill_"),
    *("fix_", "floor_", "frac_", "gcd_", "i0_", "lcm_", "ldexp_", "log10_", "log1p_", "log2_", "log_", "logit_"),
    *("nan_to_num_", "neg_", "negative_", "rad2deg_", "reciprocal_", "relu_", "resize_as_", "round_", "rsqrt_"),
    *("sigmoid_", "sin_", "sinc_", "sinh_", "sqrt_", "square_", "tan_", "tanh_", "trunc_", "xlogy_"),
)

# each operator of two operands with its op, and the op for the swapped operands
ARITHMETIC = {
    "add": (arithmetic.plain_add, arithmetic.plain_add),
    "sub": (arithmetic.plain_sub, arithmetic.plain_rsub),
    "mul": (arithmetic.mul, arithmetic.mul),
    "truediv": (arithmetic.plain_div, arithmetic.rdiv),
    "floordiv": (arithmetic.floor_divide, arithmetic.rfloor_divide),
    "mod": (arithmetic.remainder, arithmetic.rremainder),
    "pow": (arithmetic.pow, arithmetic.rpow),
    "and": (comparison.bitwise_and, comparison.bitwise_and),
    "or": (comparison.bitwise_or, comparison.bitwise_or),
    "xor": (comparison.bitwise_xor, comparison.bitwise_xor),
    "lshift": (integers.bitwise_left_shift, integers.rbitwise_left_shift),
    "rshift": (integers.bitwise_right_shift, integers.rbitwise_right_shift),
}
for name, (op, swapped) in ARITHMETIC.items():
    operator = as_operator(op)
    setattr(Tensor, f"__{name}__", operator)
    # Python tries it last, so it may raise; but `[0] * ac.tensor(3)` repeats a list where it gives way
    setattr(Tensor, f"__r{name}__", operator if name == "mul" else swapped)
    setattr(Tensor, f"__i{name}__", in_place(op, f"__i{name}__"))

for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Tensor, f"__{name}__", as_operator(getattr(comparison, name)))

silence.complete()
