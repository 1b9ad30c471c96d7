"""What PyTorch's oldest constructors take: `Tensor(2, 3)`, `Tensor([2.0, 3.0])`, and so each `FloatTensor`."""

from __future__ import annotations

import numpy as np

from .size import Size


def array_of(data: tuple, kind: np.dtype) -> np.ndarray:
    """The array of type `kind` that the arguments of such a constructor mean, when they are no tensor.

    Ints, or a Size, are a shape, and its memory is unset; a sequence or an array is data. TypeError for anything else.
    """
    is_size = len(data) == 1 and isinstance(data[0], Size)
    shape = data[0] if is_size else data
    if all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in shape):
        if any(n < 0 for n in shape):
            raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
        return np.empty(shape if shape or is_size else (0,), kind)
    if len(data) > 1:
        raise TypeError(f"new() takes the lengths of axes, all int, or one sequence of numbers, not {data!r}")
    (values,) = data
    if isinstance(values, str):
        raise TypeError("new(): invalid data type 'str'")
    if not hasattr(values, "__len__"):
        raise TypeError(f"new(): data must be a sequence (got {type(values).__name__}); ac.tensor(...) takes a number")
    return np.array(values).astype(kind)
