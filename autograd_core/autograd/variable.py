"""`Variable`, as older programs call a tensor that takes part in differentiation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtypes import get_default_dtype
from ..core.tensor import Tensor, with_requires_grad, wrap


class _IsTensor(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor)


class Variable(metaclass=_IsTensor):
    """The memory of a tensor as a leaf: `data.detach().requires_grad_(requires_grad)`. Every tensor is an instance.

    TypeError for data that is no tensor. New programs write `ac.tensor(..., requires_grad=True)`.

    >>> import autograd_core as ac
    >>> from autograd_core.autograd import Variable
    >>> Variable(ac.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = False) -> Any:
        if data is None:
            data = wrap(np.zeros(0, get_default_dtype().numpy))
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}; use ac.tensor(...)")
        return with_requires_grad(data.detach(), requires_grad)
