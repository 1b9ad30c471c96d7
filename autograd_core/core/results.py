"""`out=`: a result written into a tensor of the caller's, as PyTorch does it."""

from __future__ import annotations

import functools
import inspect
import warnings

from . import call, dtypes
from .modes import current_mode
from .silence import nameless
from .tensor import Tensor
from .write import check_inference, count_write


def written_out(name: str, result, out):
    """Put the result of function `name` into `out`, a tensor or a tuple of them, and return that.

    `out` gets the shape of the result, with a warning where it had another and elements. TypeError for what is no
    tensor, RuntimeError for a dtype that cannot take the result, and while ops are recorded for anything that requires
    gradients; then nothing is written.
    """
    if isinstance(result, tuple):
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            raise TypeError(f"{name}(): argument 'out' must be a tuple of {len(result)} tensors")
        for one, place in zip(result, out):
            _check(name, one, place)
        placed = [_put(name, one, place) for one, place in zip(result, out)]
        return type(result)(*placed) if hasattr(result, "_fields") else tuple(placed)
    if isinstance(out, (tuple, list)) and len(out) == 1:
        (out,) = out
    _check(name, result, out)
    return _put(name, result, out)


def apply_with_out(primitive, args: tuple, params: dict):
    """A call of an op with `out=`."""
    params = dict(params)
    out = params.pop("out")
    result = call.apply(primitive, args, params)
    return result if out is None else written_out(primitive.name, result, out)


call.on_out.append(apply_with_out)


def takes_out(function):
    """Decorate a function made of ops so that it too may be called with `out=`."""

    @functools.wraps(function)
    def with_out(*args, out=None, **params):
        result = function(*args, **params)
        return result if out is None else written_out(function.__name__, result, out)

    shown = inspect.signature(function)
    parameter = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
    with_out.__signature__ = shown.replace(parameters=[*shown.parameters.values(), parameter])  # type: ignore[attr-defined]
    return with_out


def _check(name: str, result: Tensor, out) -> None:
    if not isinstance(out, Tensor):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type(out).__name__}")
    if call.has_dual([result, out]):
        raise RuntimeError(f"{name}(): an out= function keeps no tangents, and a dual tensor has one. Leave out= away")
    if current_mode().grad and (result.requires_grad or out.requires_grad):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad. Leave out= away, or call it under no_grad()"
        )
    check_inference(name, out)
    if dtypes.category(result._array) > dtypes.category(out._array):
        raise RuntimeError(
            f"{name}(): result type {result.dtype.name} can't be cast to the desired output type {out.dtype.name}"
        )


@nameless
def _put(name: str, result: Tensor, out: Tensor) -> Tensor:
    if out._array.shape == result._array.shape:
        out._array[...] = result._array
    else:
        if out._array.size:
            warnings.warn(
                f"An output with one or more elements was resized since it had shape {list(out.shape)}, which does not "
                f"match the required output shape {list(result.shape)} ({name}). Give out= a tensor of that shape, or "
                "an empty one.",
                UserWarning,
                stacklevel=4,
            )
        out._array = result._array.astype(out._array.dtype)
    count_write(out, name)
    return out
