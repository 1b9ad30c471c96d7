"""NumPy's own functions on tensors: `np.sin(t)`, `np.sum(t, axis=0)` and `array * t` run the op of this package.

NumPy asks an operand that defines `__array_ufunc__` or `__array_function__` to do the work. Where this package has the
function, it does; otherwise a tensor without gradients is an array like any other, and one that requires gradients is
refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np

from ..core.primitive import registry
from ..core.tensor import Tensor
from .elementwise import arithmetic, comparison, conjugation, floating, integers, piecewise, trigonometry
from .indexing import gathering
from .linear_algebra import matmul
from .linear_algebra.einstein_sums import einsum
from .making import creation
from .reductions import reduction, scan, selection
from .shapes import diagonals, joining, shape

# -- ufuncs

UFUNCS: dict = {p.forward: p.function for p in registry.values() if isinstance(p.forward, np.ufunc)}
UFUNCS |= {
    np.divide: arithmetic.plain_div,
    np.power: arithmetic.pow,
    np.float_power: arithmetic.pow,
    np.remainder: arithmetic.remainder,
    np.floor_divide: arithmetic.floor_divide,
    np.matmul: matmul.matmul,
    np.hypot: arithmetic.hypot,
    np.logaddexp: arithmetic.logaddexp,
    np.logaddexp2: arithmetic.logaddexp2,
    np.positive: conjugation.positive,
    np.sign: piecewise.sign,
    np.floor: piecewise.floor,
    np.ceil: piecewise.ceil,
    np.trunc: piecewise.trunc,
    np.rint: piecewise.round,
    np.conjugate: conjugation.conj,
    **dict.fromkeys([np.deg2rad, np.radians], trigonometry.deg2rad),
    **dict.fromkeys([np.rad2deg, np.degrees], trigonometry.rad2deg),
    np.nextafter: floating.nextafter,
    np.frexp: floating.frexp,
    np.ldexp: floating.ldexp,
    np.gcd: integers.gcd,
    np.lcm: integers.lcm,
    np.left_shift: integers.bitwise_left_shift,
    np.right_shift: integers.bitwise_right_shift,
    np.bitwise_and: comparison.bitwise_and,
    np.bitwise_or: comparison.bitwise_or,
    np.bitwise_xor: comparison.bitwise_xor,
    np.invert: comparison.bitwise_not,
}


def array_ufunc(self, ufunc, method, *inputs, **named):
    """What NumPy calls for a ufunc with a tensor among its operands."""
    if method != "__call__":
        raise TypeError(
            f"np.{ufunc.__name__}.{method} does not take tensors; use the op of this package, or x.detach().numpy()"
        )
    if "out" in named:
        raise TypeError(
            f"np.{ufunc.__name__}: a tensor cannot be written into an array (out=, or an in-place operator "
            f"such as `array += tensor`): its "
            "history would be lost. Compute a new tensor, or write x.detach().numpy()."
        )
    if named:
        raise TypeError(f"np.{ufunc.__name__} on tensors takes no {', '.join(named)}")
    op = UFUNCS.get(ufunc)
    if op is None:
        return _on_arrays(ufunc, inputs, {})
    return op(*(x.item() if isinstance(x, np.generic) else x for x in inputs))


# -- functions

FUNCTIONS: dict[Callable, tuple[Callable, inspect.Signature]] = {}


def implements(*functions):
    """Register an implementation, whose parameters are NumPy's, for NumPy functions."""

    def register(implementation):
        FUNCTIONS.update((function, (implementation, inspect.signature(implementation))) for function in functions)
        return implementation

    return register


def array_function(self, function, types, args, named):
    """What NumPy calls for a function with a tensor among its arguments."""
    if function not in FUNCTIONS:
        return _on_arrays(function, args, named)
    implementation, shown = FUNCTIONS[function]
    try:
        shown.bind(*args, **named)
    except TypeError as error:
        raise TypeError(f"np.{function.__name__} on tensors: {error}") from None
    return implementation(*args, **named)


def _on_arrays(function, args, named):
    """An untracked tensor is an array to the rest of NumPy."""
    tracked = False

    def plain(value):
        nonlocal tracked
        if isinstance(value, Tensor):
            tracked = tracked or value.requires_grad
            return value._array
        if isinstance(value, (list, tuple)):
            return type(value)(map(plain, value))
        return value

    args, named = plain(args), {name: plain(value) for name, value in named.items()}
    if tracked:
        raise TypeError(
            f"np.{function.__name__} has no gradient here, so it does not take a tensor that requires grad; "
            "use an op of this package, or x.detach().numpy()"
        )
    return function(*args, **named)


@implements(np.sum)
def _sum(a, axis=None, dtype=None, *, keepdims=False):
    return reduction.sum(a, axis, keepdims, dtype=dtype)


@implements(np.mean)
def _mean(a, axis=None, dtype=None, *, keepdims=False):
    return reduction.mean(a, axis, keepdims, dtype=dtype)


@implements(np.var)
def _var(a, axis=None, *, ddof=0, keepdims=False):
    return reduction.var(
        a, axis, correction=ddof, keepdim=keepdims
    )  # NumPy divides by n where PyTorch divides by n - 1


@implements(np.std)
def _std(a, axis=None, *, ddof=0, keepdims=False):
    return reduction.std(a, axis, correction=ddof, keepdim=keepdims)


@implements(np.max, np.amax)
def _max(a, axis=None, *, keepdims=False):
    return reduction.amax(a, () if axis is None else axis, keepdims)


@implements(np.min, np.amin)
def _min(a, axis=None, *, keepdims=False):
    return reduction.amin(a, () if axis is None else axis, keepdims)


@implements(np.prod)
def _prod(a, axis=None, *, keepdims=False):
    return reduction.prod(a) if axis is None and not keepdims else reduction.prod(a, axis, keepdims)


@implements(np.any)
def _any(a, axis=None, *, keepdims=False):
    return reduction.any(a, axis, keepdims)


@implements(np.all)
def _all(a, axis=None, *, keepdims=False):
    return reduction.all(a, axis, keepdims)


@implements(np.argmax)
def _argmax(a, axis=None, *, keepdims=False):
    return selection.argmax(a, axis, keepdims)


@implements(np.argmin)
def _argmin(a, axis=None, *, keepdims=False):
    return selection.argmin(a, axis, keepdims)


@implements(np.sort)
def _sort(a, axis=-1):
    return selection.sort(shape.ravel(a) if axis is None else a, -1 if axis is None else axis)[0]


@implements(np.argsort)
def _argsort(a, axis=-1):
    return selection.argsort(shape.ravel(a) if axis is None else a, -1 if axis is None else axis)


@implements(np.cumsum)
def _cumsum(a, axis=None):
    return scan.cumsum(shape.ravel(a) if axis is None else a, axis or 0)


@implements(np.cumprod)
def _cumprod(a, axis=None):
    return scan.cumprod(shape.ravel(a) if axis is None else a, axis or 0)


@implements(np.reshape)
def _reshape(a, shape_=None, *, shape=None):
    return a.reshape(shape_ if shape is None else shape)


@implements(np.ravel)
def _ravel(a):
    return shape.ravel(a)


@implements(np.transpose)
def _transpose(a, axes=None):
    return shape.permute(a, tuple(range(a.ndim))[::-1] if axes is None else axes)


@implements(np.swapaxes)
def _swapaxes(a, axis1, axis2):
    return shape.transpose(a, axis1, axis2)


@implements(np.moveaxis)
def _moveaxis(a, source, destination):
    return shape.movedim(a, source, destination)


@implements(np.expand_dims)
def _expand_dims(a, axis):
    for at in sorted(shape.several(axis)):
        a = shape.unsqueeze(a, at)
    return a


@implements(np.squeeze)
def _squeeze(a, axis=None):
    return shape.squeeze(a, axis)


@implements(np.broadcast_to)
def _broadcast_to(array, shape):
    return array.expand(shape)


@implements(np.flip)
def _flip(m, axis=None):
    return shape.flip(m, tuple(range(m.ndim)) if axis is None else axis)


@implements(np.roll)
def _roll(a, shift, axis=None):
    return shape.roll(a, shift, axis)


@implements(np.tile)
def _tile(A, reps):
    return shape.tile(A, shape.several(reps))


@implements(np.diagonal)
def _diagonal(a, offset=0, axis1=0, axis2=1):
    return diagonals.diagonal(a, offset, axis1, axis2)


@implements(np.diag)
def _diag(v, k=0):
    return diagonals.diag(v, k)


@implements(np.tril)
def _tril(m, k=0):
    return diagonals.tril(m, k)


@implements(np.triu)
def _triu(m, k=0):
    return diagonals.triu(m, k)


@implements(np.copy)
def _copy(a):
    return shape.clone(a)


@implements(np.concatenate)
def _concatenate(arrays, axis=0):
    arrays = list(arrays)
    return joining.cat(arrays if axis is not None else [shape.ravel(a) for a in arrays], axis or 0)


@implements(np.stack)
def _stack(arrays, axis=0):
    return joining.stack(list(arrays), axis)


@implements(np.hstack)
def _hstack(tup):
    return joining.hstack(tup)


@implements(np.vstack)
def _vstack(tup):
    return joining.vstack(tup)


@implements(np.take_along_axis)
def _take_along_axis(arr, indices, axis=-1):
    return gathering.take_along_dim(arr, creation.as_tensor(indices), axis)


@implements(np.where)
def _where(condition, x, y):
    return piecewise.where(creation.as_tensor(condition), x, y)


@implements(np.clip)
def _clip(a, a_min=None, a_max=None):
    return piecewise.clamp(a, a_min, a_max)


@implements(np.dot)
def _dot(a, b):
    return matmul.matmul(a, b) if np.ndim(a) and np.ndim(b) else a * b


@implements(np.outer)
def _outer(a, b):
    return matmul.outer(shape.ravel(creation.as_tensor(a)), shape.ravel(creation.as_tensor(b)))


@implements(np.einsum)
def _einsum(subscripts, *operands):
    return einsum(subscripts, *operands)


@implements(np.zeros_like)
def _zeros_like(a, dtype=None):
    return creation.zeros_like(a, dtype=dtype)


@implements(np.ones_like)
def _ones_like(a, dtype=None):
    return creation.ones_like(a, dtype=dtype)


@implements(np.full_like)
def _full_like(a, fill_value, dtype=None):
    return creation.full_like(a, fill_value, dtype=dtype)


@implements(np.shape)
def _shape(a):
    return a.shape


@implements(np.ndim)
def _ndim(a):
    return a.ndim


@implements(np.size)
def _size(a, axis=None):
    return a.numel() if axis is None else a.shape[axis]
