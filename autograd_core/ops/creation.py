"""Making tensors: from data, filled, in a range, and shaped like another."""

from __future__ import annotations

import numpy as np

from .. import dtypes
from ..tensor import Tensor, wrap


def check_device(device) -> None:
    """Raise unless `device` means this machine's processor."""
    if device not in (None, "cpu") and str(device) != "cpu":
        raise RuntimeError(f"device {device!r} is not available: autograd_core computes on the CPU. Use device='cpu' or leave it out.")


def finish(array, requires_grad: bool, device=None) -> Tensor:
    """Wrap a new array, and make it a leaf that requires gradients if asked, whatever the grad mode."""
    check_device(device)
    out = wrap(array)
    if requires_grad:
        out.requires_grad = True
    return out


def _plain(data):
    """Nested sequences with tensors in them, as NumPy can read them."""
    if isinstance(data, Tensor):
        return data._array
    if isinstance(data, (list, tuple)):
        return [_plain(item) for item in data]
    return data


def _array_of(data, dtype) -> np.ndarray:
    """A new array with the type PyTorch infers: Python floats take the default dtype, arrays and tensors keep theirs."""
    typed = isinstance(data, (Tensor, np.ndarray, np.generic))
    try:
        array = np.array(_plain(data))
    except ValueError as error:
        raise ValueError(f"expected a number or nested sequences of equal lengths: {error}") from None
    if dtype is not None:
        return array.astype(dtypes.as_dtype(dtype).numpy, copy=False)
    if array.size == 0 and not typed:
        return array.astype(dtypes.get_default_dtype().numpy)
    if not typed and array.dtype == np.float64 and not _holds_typed(data):
        return array.astype(dtypes.get_default_dtype().numpy)
    dtypes.as_dtype(array.dtype)
    return array


def _holds_typed(data) -> bool:
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (Tensor, np.ndarray)) or (isinstance(data, np.generic) and not isinstance(data, float))


def tensor(data, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """A new leaf with a copy of `data`: a number, nested sequences, an array or a tensor (whose history is not followed).

    Python floats get the default dtype, ints int64, bools bool. RuntimeError for `requires_grad` with a dtype that is not floating,
    TypeError for complex data.

    >>> import autograd_core as ac
    >>> ac.tensor([1.0, 2.0], requires_grad=True)
    tensor([1., 2.], requires_grad=True)
    """
    return finish(_array_of(data, dtype), requires_grad, device)


def from_numpy(ndarray) -> Tensor:
    """A tensor on the memory of a NumPy array: a write to either is seen by both. TypeError for anything but an array.

    >>> import numpy as np, autograd_core as ac
    >>> a = np.zeros(2); t = ac.from_numpy(a); a[0] = 5.0; t
    tensor([5., 0.], dtype=autograd_core.float64)
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__}); use ac.tensor(...) for other data")
    dtypes.as_dtype(ndarray.dtype)
    if not ndarray.dtype.isnative:
        raise ValueError(f"given array has byte order {ndarray.dtype.byteorder!r}; convert it with .astype({ndarray.dtype.name!r})")
    return wrap(ndarray)


def as_tensor(data, dtype=None, device=None) -> Tensor:
    """`data` as a tensor, sharing memory where its type allows; a tensor of the right dtype is returned as it is, history included.

    >>> import autograd_core as ac
    >>> ac.as_tensor([1, 2])
    tensor([1, 2])
    """
    check_device(device)
    if isinstance(data, Tensor):
        return data if dtype is None or data.dtype == dtypes.as_dtype(dtype) else data.to(dtype)
    if isinstance(data, np.ndarray) and (dtype is None or data.dtype == dtypes.as_dtype(dtype).numpy):
        return from_numpy(data)
    return tensor(data, dtype=dtype)

__all__ = ["as_tensor", "from_numpy", "tensor"]
