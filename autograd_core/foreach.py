"""Functions of lists of tensors, as optimizers use them: `torch._foreach_add_(params, grads, alpha=-lr)`.

Each is a method of `Tensor`, called for one tensor after the other. PyTorch has them to launch fewer kernels; here they
are for programs that name them.
"""

from __future__ import annotations

from collections.abc import Callable

from .core.tensor import Tensor

_ALONE = (
    *("abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor", "frac", "lgamma"),
    *("log", "log10", "log1p", "log2", "neg", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt"),
    *("tan", "tanh", "trunc"),
)
_WITH_OTHERS = ("add", "sub", "mul", "div", "clamp_max", "clamp_min", "lerp", "pow")
_THREE = ("addcmul", "addcdiv")
_ALSO = ("clone", "copy_", "max", "maximum", "minimum", "mm", "norm", "zero_")

NAMES = (*_ALSO, *(name + end for name in (*_ALONE, *_WITH_OTHERS, *_THREE) for end in ("", "_")))


def function(name: str) -> Callable:
    """What `_foreach_` and a name stands for: the method of that name for each tensor of the list that comes first.

    Other arguments that are lists have an item for each tensor. The result is a tuple, or for a method that writes in
    place the list itself. AttributeError for a name that is not among `NAMES`, RuntimeError for lists of several
    lengths and for an empty one, TypeError where the first argument is no list.

    >>> import autograd_core as ac
    >>> ac._foreach_mul([ac.ones(2), ac.ones(1)], [2.0, 3.0])
    (tensor([2., 2.]), tensor([3.]))
    """
    if name not in NAMES:
        raise AttributeError(f"there is no _foreach_{name}; there are {sorted(NAMES)}")
    method = getattr(Tensor, name)
    by_name = name.rstrip("_") in _THREE  # whose factor the method takes by name alone

    def each(tensors, *others, **options):
        _check(name, tensors, others)
        if by_name and len(others) == 3:
            options["value"], others = others[-1], others[:-1]
        results = []
        for i, tensor in enumerate(tensors):
            of_this = [other[i] if isinstance(other, (list, tuple)) else other for other in others]
            here = {key: value[i] if isinstance(value, (list, tuple)) else value for key, value in options.items()}
            results.append(method(tensor, *of_this, **here))
        return tensors if name.endswith("_") else tuple(results)

    each.__name__ = each.__qualname__ = f"_foreach_{name}"
    return each


def _check(name: str, tensors, others) -> None:
    if not isinstance(tensors, (list, tuple)) or not all(isinstance(t, Tensor) for t in tensors):
        raise TypeError(f"_foreach_{name}(): argument 'self' must be a tuple or list of Tensors, not {tensors!r}")
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    for other in others:
        if isinstance(other, (list, tuple)) and len(other) != len(tensors):
            what = "Tensor lists" if other and isinstance(other[0], Tensor) else "Tensor list and scalar list"
            raise RuntimeError(f"{what} must have the same number of tensors, got {len(tensors)} and {len(other)}")
