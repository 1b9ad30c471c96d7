"""What a backward pass returns: the gradients it added to the slots."""

from __future__ import annotations

import numpy as np


class Gradients:
    """The gradients that one `backward` found, by leaf: `len(g)`, `x in g`, `g[x]`. They are read-only arrays.

    A leaf that was not reached is absent; one that was reached with zeros is present. An empty one says that nothing
    was recorded, which is no error here. Stands for `Gradients`.

    >>> from autograd_core import eager
    >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    >>> x, unused = rt.variable_from([1.0, 2.0]), rt.variable_from(1.0)
    >>> with rt.session(engine) as s:
    ...     loss = s.reduce_sum(s.mul(x, x), None)
    >>> found = loss.backward(engine)
    >>> len(found), x in found, unused in found, found[x]
    (1, True, False, array([2., 4.]))
    """

    __slots__ = ("_arrays",)

    def __init__(self, arrays: dict):
        self._arrays = arrays

    def __len__(self) -> int:
        return len(self._arrays)

    def is_empty(self) -> bool:
        """Whether no leaf was reached. Stands for `gradients.is_empty()`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> rt.constant_from(1.0).backward(engine).is_empty()
        True
        """
        return not self._arrays

    def __contains__(self, tensor) -> bool:
        return getattr(tensor, "_key", None) in self._arrays

    def __getitem__(self, tensor) -> np.ndarray:
        if tensor not in self:
            raise KeyError(f"no gradient reached {tensor!r}; grad() gives None there")
        return self._arrays[tensor._key]

    __iter__ = None  # tensors are known by identity, and the bundle does not keep them alive

    def grad(self, tensor) -> np.ndarray | None:
        """The gradient of a leaf, or None. Stands for `gradients.grad(&key)`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x = rt.variable_from(3.0)
        >>> x.backward(engine).grad(x)
        array(1.)
        """
        return self._arrays.get(tensor._key)

    def take_grad(self, tensor) -> np.ndarray | None:
        """The gradient of a leaf, which leaves the bundle; None where there is none (any more).

        Stands for `gradients.take_grad(&key)?`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x = rt.variable_from(3.0)
        >>> found = x.backward(engine)
        >>> found.take_grad(x), found.take_grad(x)
        (array(1.), None)
        """
        return self._arrays.pop(tensor._key, None)

    def __repr__(self) -> str:
        return f"Gradients(len={len(self)})"
